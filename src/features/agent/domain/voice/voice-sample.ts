/** The limits of a voice sample (specification, section 5). The 60 seconds are a hint and are not enforced. */
export const voiceSampleExtensions = ['.mp3', '.wav', '.flac'] as const
/** What phones and browsers record. The browser converts it to WAV, and only that is uploaded. */
export const convertibleExtensions = [
  '.m4a',
  '.mp4',
  '.aac',
  '.caf',
  '.ogg',
  '.oga',
  '.opus',
  '.webm',
  '.weba',
  '.3gp',
] as const
/** The bucket of all samples, each in a folder named by its customer's id (supabase/schemas). */
export const voiceSampleBucket = 'voice-samples'
export const voiceSampleMaxBytes = 25 * 1024 * 1024
export const voiceSampleHintSeconds = 60
/** The number of leading bytes that are enough to recognise a file. */
export const sniffedBytes = 12

export type AudioKind = 'mp3' | 'wav' | 'flac'
type FileProblem = 'empty' | 'too-large' | 'wrong-extension' | 'not-audio'
/** A reason why a file could not be converted. */
export type ConversionProblem = 'not-decodable' | 'too-long' | 'converter-unreachable'
type SampleProblem = FileProblem | ConversionProblem
/** The kind is null if the file has to be converted to WAV first. */
export type SampleCheck = { ok: true; kind: AudioKind | null } | { ok: false; problem: FileProblem }

export const sampleProblemText: Record<SampleProblem, string> = {
  empty: 'This file is empty. Choose another one.',
  'too-large': 'This file is larger than 25 MB. Choose a shorter recording.',
  'wrong-extension': 'Choose an .mp3, .wav or .flac file.',
  'not-audio': 'This file does not contain MP3, WAV or FLAC audio. Export it again, or choose another one.',
  'not-decodable': 'This browser cannot read this file. Export it as MP3 or WAV, or record it here.',
  'too-long': 'This recording is longer than 9 minutes. One minute is enough: choose a shorter one.',
  'converter-unreachable':
    'The file has to be converted first, and that could not begin. Check your connection and choose it again.',
}

/** MIME types as the storage service keeps them, without parameters. */
export const audioMimeTypes: Record<AudioKind, string> = {
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  flac: 'audio/flac',
}

/** The length above which a converted recording would be too large, in seconds. */
export const convertedMaxSeconds = 9 * 60

const ascii = (bytes: Uint8Array, from: number, text: string): boolean =>
  [...text].every((letter, index) => bytes[from + index] === letter.charCodeAt(0))

/** Returns whether the bytes are a frame header of MPEG layer III: eleven set bits, then no field with a reserved value. */
function isMp3Frame(bytes: Uint8Array): boolean {
  const [first = 0, second = 0, third = 0] = bytes
  const version = (second >> 3) & 3
  const layer = (second >> 1) & 3
  return (
    first === 0xff &&
    (second & 0xe0) === 0xe0 &&
    version !== 1 &&
    layer === 1 &&
    third >> 4 !== 15 &&
    ((third >> 2) & 3) !== 3
  )
}

/** Returns the kind of audio that the leading bytes belong to, or null. Twelve bytes are enough. */
export function sniffAudio(bytes: Uint8Array): AudioKind | null {
  if (ascii(bytes, 0, 'RIFF') && ascii(bytes, 8, 'WAVE')) return 'wav'
  if (ascii(bytes, 0, 'fLaC')) return 'flac'
  return ascii(bytes, 0, 'ID3') || isMp3Frame(bytes) ? 'mp3' : null
}

/** Returns ".mp3" for "Front Desk.MP3"; empty if there is no extension. */
const extensionOf = (name: string): string => /\.[^.]*$/.exec(name)?.[0].toLowerCase() ?? ''

/** Returns whether the leading bytes are those of a container in which phones and browsers record. */
const isConvertible = (bytes: Uint8Array): boolean =>
  ascii(bytes, 4, 'ftyp') ||
  ascii(bytes, 0, 'OggS') ||
  ascii(bytes, 0, 'caff') ||
  ascii(bytes, 0, '\x1aE\xdf\xa3') ||
  (bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xf6) === 0xf0)

/** Checks whether a chosen file may be uploaded, or converted and uploaded. `head` is its leading bytes. */
export function checkSample(file: { name: string; bytes: number; head: Uint8Array }): SampleCheck {
  const extension = extensionOf(file.name)
  if (![...voiceSampleExtensions, ...convertibleExtensions].some((known) => known === extension))
    return { ok: false, problem: 'wrong-extension' }
  if (file.bytes === 0) return { ok: false, problem: 'empty' }
  if (file.bytes > voiceSampleMaxBytes) return { ok: false, problem: 'too-large' }
  // The bytes decide: a phone may call a recording in an MP4 container ".wav".
  if (isConvertible(file.head)) return { ok: true, kind: null }
  const kind = sniffAudio(file.head)
  return kind ? { ok: true, kind } : { ok: false, problem: 'not-audio' }
}

/** Returns a path in the bucket: the customer's folder, the time (ms since 1970), and a name that is safe in a URL. */
export function samplePath(userId: string, now: number, name: string, kind: AudioKind): string {
  const stem = name
    .replace(/\.[^.]*$/, '')
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60)
    .toLowerCase()
  return `${userId}/${now}-${stem || 'voice'}.${kind}`
}

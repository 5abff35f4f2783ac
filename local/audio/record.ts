/**
 * Records what the site plays: a speech synthesiser speaks the lines of content/voices, of content/demos and of the calls in
 * content/industries, and each recording becomes the mp3 file that its front matter names. The same packages give the same
 * bytes.
 *
 *   apt-get install rhvoice rhvoice-english praat sox ffmpeg lame     (Debian 12, with the component non-free)
 *   node local/audio/record.ts [name …]     records all, or only those that are named
 *
 * The voices alan, bdl, clb and slt of rhvoice-english are free for any use (LGPL, CMU Arctic); its other voices are
 * not for commercial use. The files in public/audio are committed: nothing builds them.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parseFrontmatter } from 'astro/markdown'
import { turnsOf } from '#calls/domain/transcript.ts'

/** A speaker's voice, and how they speak. */
interface Speaker {
  voice: 'alan' | 'bdl' | 'clb' | 'slt'
  /** Percent of the synthesiser's normal rate. */
  rate: number
  /** The factor of the mean pitch. */
  pitch: number
  /** The factor of the pitch range. */
  range: number
  /** Seconds after each sentence. */
  pause: number
  /** Effects of sox. */
  effects: string
}

/** The sound of a small room. */
const room = 'highpass 70 equalizer 250 1q -2 equalizer 3000 1q 2.5 treble 3 6500 0.5 reverb 4 80 6 0 0 -8'
/** The sound of a telephone line, which carries 300 to 3400 Hz. */
const phone = 'equalizer 1800 1q 3 highpass 300 highpass 300 lowpass 3400 rate 8000 rate 24000'

const agents = {
  friendly: { voice: 'clb', rate: 106, pitch: 1.04, range: 1.45, pause: 0.34, effects: room },
  professional: { voice: 'alan', rate: 103, pitch: 0.94, range: 0.95, pause: 0.42, effects: room },
  energetic: { voice: 'slt', rate: 109, pitch: 1.1, range: 1.5, pause: 0.3, effects: room },
} satisfies Record<string, Speaker>
type Style = keyof typeof agents

const callers = {
  man: { voice: 'bdl', rate: 104, pitch: 0.98, range: 1, pause: 0.3, effects: phone },
  woman: { voice: 'slt', rate: 102, pitch: 1, range: 1.4, pause: 0.3, effects: phone },
} satisfies Record<string, Speaker>

/** The speakers of each call. */
const cast: Record<string, { agent: Style; caller: keyof typeof callers }> = {
  hotel: { agent: 'friendly', caller: 'man' },
  restaurant: { agent: 'energetic', caller: 'man' },
  clinic: { agent: 'professional', caller: 'woman' },
  'call-centers-bpos': { agent: 'professional', caller: 'woman' },
  'government-services': { agent: 'professional', caller: 'woman' },
  'retail-ecommerce': { agent: 'friendly', caller: 'man' },
  'tech-saas': { agent: 'energetic', caller: 'man' },
  'tourism-travel': { agent: 'friendly', caller: 'woman' },
}

const loudness = -16
const maxBytes = 58_000

/**
 * A script of praat that scales the pitch (height) and its range in semitones (melody), and lets a yes-or-no question rise at its
 * end.
 */
const prosody = `form Prosody
  text from
  text to
  real height 1
  real melody 1
  real rise 0
endform
sound = Read from file: from$
seconds = Get total duration
manipulation = To Manipulation: 0.01, 60, 400
old = Extract pitch tier
points = Get number of points
last = Get time from index: points
sum = 0
for i to points
  hertz = Get value at index: i
  sum += ln(hertz)
endfor
mean = exp(sum / points)
new = Create PitchTier: "new", 0, seconds
for i to points
  selectObject: old
  time = Get time from index: i
  hertz = Get value at index: i
  semitones = melody * 12 * log2(hertz / mean) + rise * max(0, 1 + (time - last) / 0.32)
  selectObject: new
  Add point: time, mean * height * 2 ^ (semitones / 12)
endfor
selectObject: manipulation, new
Replace pitch tier
selectObject: manipulation
Get resynthesis (overlap-add)
Save as WAV file: to$
`

const work = mkdtempSync(join(tmpdir(), 'deskbell-audio-'))
const script = join(work, 'prosody.praat')
writeFileSync(script, prosody)

let count = 0
/** Returns the path of a new temporary file. */
const newFile = (): string => join(work, `${(count += 1)}.wav`)
const run = (command: string, args: readonly (string | number)[], input?: string): string =>
  execFileSync(command, args.map(String), { encoding: 'utf8', input, stdio: ['pipe', 'pipe', 'ignore'] })
const secondsOf = (file: string): number => Number(run('soxi', ['-D', file]))
const sox = (from: readonly string[], effects: string): string => {
  const to = newFile()
  run('sox', ['-R', ...from, '-b', 24, '-e', 'signed-integer', to, ...effects.split(' ').filter(Boolean)])
  return to
}

const isYesNoQuestion = (sentence: string): boolean =>
  sentence.endsWith('?') && !/^(how|what|when|where|which|who|why)\b/i.test(sentence)

/** Speaks one sentence, and removes the silence around it. */
function speak(sentence: string, { voice, rate, pitch, range }: Speaker): string {
  const said = newFile()
  const moved = newFile()
  const spoken = sentence.replaceAll('’', "'")
  run('RHVoice-test', ['-p', voice, '-q', 'max', '-R', 24000, '-r', rate, '-o', said], spoken)
  run('praat', ['--run', script, said, moved, pitch, range, isYesNoQuestion(sentence) ? 4 : 0])
  const edge = 'silence 1 0.01 0.15% fade 0.02 reverse'
  return sox([moved], `${edge} ${edge}`)
}

/** Measures the integrated loudness in LUFS (EBU R 128) and the true peak in decibels. */
function measure(file: string): { loudness: number; peak: number } {
  const args = ['-hide_banner', '-nostats', '-i', file, '-af', 'ebur128=peak=true', '-f', 'null', '-']
  const { stderr } = spawnSync('ffmpeg', args, { encoding: 'utf8' })
  const [, loud, peak] = /Summary:[^]*I: +(\S+) LUFS[^]*Peak: +(\S+) dBFS/.exec(stderr) ?? []
  return { loudness: Number(loud), peak: Number(peak) }
}

const levelled = (file: string, target: number): string =>
  sox([file], `gain ${(target - measure(file).loudness).toFixed(2)}`)

/** Speaks all sentences of one turn. */
function speakTurn(words: string, speaker: Speaker): string {
  const sentences = words.match(/[^.!?]+[.!?]/g) ?? [words]
  const spoken = sentences.map((sentence) => sox([speak(sentence.trim(), speaker)], `pad 0 ${speaker.pause}`))
  const even = 'compand 0.01,0.2 6:-70,-70,-45,-43,-25,-25,-10,-16,0,-11'
  return levelled(sox([levelled(sox(spoken, ''), -20)], `${even} ${speaker.effects}`), loudness)
}

/** Makes the ringing tone that the caller hears. */
function ringingTone(): string {
  const to = newFile()
  const tones = 'synth 1 sine 440 synth 1 sine mix 480 fade 0.02 1 0.02 gain -24 pad 0 0.3'
  run('sox', ['-R', '-n', '-r', 24000, '-c', 1, '-b', 24, to, ...tones.split(' ')])
  return to
}

/** Limits peaks to 3 dB below full scale, because mp3 overshoots. */
function limited(file: string): string {
  const to = newFile()
  const limiter = 'alimiter=limit=0.7:attack=4:release=60:level=false'
  run('ffmpeg', ['-v', 'error', '-i', file, '-af', limiter, '-c:a', 'pcm_s24le', '-bitexact', to])
  return to
}

/** Makes a whole recording. A call has a ringing tone and two speakers; a voice style has only the agent. */
function mix(name: string, text: string): string {
  const role = cast[name]
  const agent = agents[role?.agent ?? (name as Style)]
  const turns = turnsOf(text).map(({ speaker, words }) =>
    speakTurn(words, role && speaker === 'Caller' ? callers[role.caller] : agent),
  )
  const whole = sox(role ? [ringingTone(), ...turns] : turns, 'pad 0.05 0.1')
  // Limiting reduces the loudness a little; the second pass restores it.
  return limited(levelled(limited(levelled(whole, loudness)), loudness))
}

/** Encodes at the highest bit rate that the size limit allows. At a low bit rate a narrow band sounds better. */
function encode(master: string, to: string): void {
  const rate = Math.min(48, Math.floor((maxBytes * 8) / secondsOf(master) / 1000))
  const kilohertz = rate < 30 ? 16 : 24
  run('lame', ['--quiet', '-m', 'm', '-q', 0, '--abr', rate, '--resample', kilohertz, master, to])
}

const wanted = process.argv.slice(2)
for (const file of globSync('content/{voices,demos,industries}/*.md').sort()) {
  const name = basename(file, '.md')
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const { frontmatter, content } = parseFrontmatter(readFileSync(file, 'utf8'))
  const { recording, call } = frontmatter as { recording?: object; call?: string[] }
  if (file.includes('/industries/') && !recording) continue
  const text = call?.map((line) => `- ${line}`).join('\n') ?? content
  const to = join('public/audio', `${name}.mp3`)
  encode(mix(name, text), to)
  const { loudness, peak } = measure(to)
  console.log(to, secondsOf(to), 's', statSync(to).size, 'bytes', loudness, 'LUFS, peak', peak, 'dB')
}
rmSync(work, { recursive: true })

import { sampleProblemText, sniffAudio, voiceSampleMaxBytes } from '#agent/domain/voice/voice-sample.ts'

/** The audio files that a demo may have (specification, section 5). */
export const demoAudioExtensions = ['.mp3', '.wav'] as const
export const demoAudioMaxBytes = voiceSampleMaxBytes

/** Describes what is wrong with a chosen file; null if it is valid. `head` is the beginning of its content. */
export function demoAudioProblem(file: { name: string; bytes: number; head: Uint8Array }): string | null {
  const name = file.name.toLowerCase()
  if (!demoAudioExtensions.some((extension) => name.endsWith(extension)))
    return 'Choose an .mp3 or .wav file.'
  if (file.bytes === 0) return sampleProblemText.empty
  if (file.bytes > demoAudioMaxBytes) return sampleProblemText['too-large']
  const kind = sniffAudio(file.head)
  return kind === 'mp3' || kind === 'wav'
    ? null
    : 'This file does not contain MP3 or WAV audio. Export it again, or choose another one.'
}

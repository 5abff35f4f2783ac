import { convertedMaxSeconds, type ConversionProblem } from '#agent/domain/voice/voice-sample.ts'
import { encodeWav, mixToMono, recordedRate } from '#agent/domain/voice/wav.ts'
import type { Result } from '#platform/domain/result.ts'

/**
 * Decodes a recording to one channel at the rate of our recordings.
 * @throws DOMException if the browser cannot read it
 */
export async function decodeToMono(recording: Blob): Promise<Float32Array> {
  // Decoding resamples to the rate of the context. An offline one needs no audio device.
  const context = new OfflineAudioContext(1, 1, recordedRate)
  const audio = await context.decodeAudioData(await recording.arrayBuffer())
  return mixToMono(
    Array.from({ length: audio.numberOfChannels }, (_, channel) => audio.getChannelData(channel)),
  )
}

export const wavFile = (samples: Float32Array, name: string): File =>
  new File([encodeWav(samples)], name, { type: 'audio/wav' })

/** Returns the length of a recording in seconds by its header; undefined if it names none. */
function headerSeconds(recording: Blob): Promise<number | undefined> {
  const url = URL.createObjectURL(recording)
  return new Promise<number | undefined>((resolve) => {
    const audio = new Audio()
    audio.preload = 'metadata'
    audio.onloadedmetadata = () => resolve(Number.isFinite(audio.duration) ? audio.duration : undefined)
    audio.onerror = () => resolve(undefined)
    audio.src = url
  }).finally(() => URL.revokeObjectURL(url))
}

/** Converts a recording of a phone or a browser to WAV. The file keeps its name. */
export async function convertToWav(file: File): Promise<Result<File, ConversionProblem>> {
  // Decoding an hour would take more memory than a phone has.
  if (((await headerSeconds(file)) ?? 0) > convertedMaxSeconds) return { ok: false, failure: 'too-long' }
  try {
    const samples = await decodeToMono(file)
    if (samples.length > convertedMaxSeconds * recordedRate) return { ok: false, failure: 'too-long' }
    return { ok: true, value: wavFile(samples, file.name) }
  } catch {
    return { ok: false, failure: 'not-decodable' }
  }
}

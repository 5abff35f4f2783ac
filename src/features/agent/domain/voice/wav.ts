/** The sampling rate of recordings that the browser makes: the voice providers' own, and twice what a telephone line carries. */
export const recordedRate = 24_000
const headerBytes = 44

/** Mixes channels of equal length into one. */
export function mixToMono(channels: readonly Float32Array[]): Float32Array {
  const [first = new Float32Array(), ...others] = channels
  if (others.length === 0) return first
  return first.map((sample, at) =>
    others.reduce((sum, channel) => sum + (channel[at] ?? 0) / channels.length, sample / channels.length),
  )
}

/** Returns the samples (-1 to 1) as a WAV file: mono, 16 bits. */
export function encodeWav(samples: Float32Array, rate = recordedRate): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(headerBytes + samples.length * 2)
  const view = new DataView(bytes.buffer)
  const text = (at: number, word: string): void => bytes.set(new TextEncoder().encode(word), at)
  text(0, 'RIFF')
  view.setUint32(4, bytes.length - 8, true)
  text(8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  // PCM, one channel.
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, rate, true)
  view.setUint32(28, rate * 2, true)
  view.setUint16(32, 2, true)
  view.setUint16(34, 16, true)
  text(36, 'data')
  view.setUint32(40, samples.length * 2, true)
  samples.forEach((sample, at) => {
    const limited = Math.max(-1, Math.min(1, sample))
    view.setInt16(headerBytes + at * 2, Math.round(limited < 0 ? limited * 0x8000 : limited * 0x7fff), true)
  })
  return bytes
}

/** Returns the loudness of samples, as the root of their mean square: 0 to 1. */
export function loudness(samples: Float32Array): number {
  const sum = samples.reduce((total, sample) => total + sample * sample, 0)
  return samples.length === 0 ? 0 : Math.sqrt(sum / samples.length)
}

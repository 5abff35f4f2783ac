import { expect, test } from 'vitest'
import { sniffAudio } from './voice-sample.ts'
import { encodeWav, loudness, mixToMono, recordedRate } from './wav.ts'

test('a WAV file has the bytes that its format prescribes', () => {
  const wav = encodeWav(Float32Array.of(0, 1, -1, 0.5, 2, -2), 8000)
  expect(Buffer.from(wav).toString('hex')).toBe(
    [
      '52494646', // RIFF
      '30000000', // 48 bytes follow
      '57415645', // WAVE
      '666d7420', // fmt
      '10000000', // of 16 bytes
      '0100', // PCM
      '0100', // mono
      '401f0000', // 8000 samples a second
      '803e0000', // 16000 bytes a second
      '0200', // 2 bytes a sample
      '1000', // 16 bits
      '64617461', // data
      '0c000000', // of 12 bytes
      '0000ff7f00800040ff7f0080', // the samples; those beyond the range are limited
    ].join(''),
  )
  expect(sniffAudio(wav)).toBe('wav')
})

test('a file has the size that its length promises, and an empty one is a file too', () => {
  expect(encodeWav(new Float32Array(recordedRate))).toHaveLength(44 + recordedRate * 2)
  expect(encodeWav(new Float32Array())).toHaveLength(44)
})

test('channels are mixed to their mean', () => {
  const left = Float32Array.of(1, 0, -1)
  expect([...mixToMono([left])]).toEqual([1, 0, -1])
  expect([...mixToMono([left, Float32Array.of(0, 0.5, -1)])]).toEqual([0.5, 0.25, -1])
  expect([...mixToMono([])]).toEqual([])
})

test.each([
  [[], 0],
  [[0, 0], 0],
  [[0.5, -0.5], 0.5],
  [[1, -1], 1],
])('the loudness of %j is %d', (samples, loud) => {
  expect(loudness(Float32Array.from(samples))).toBe(loud)
})

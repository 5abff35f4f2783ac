import { expect, test } from 'vitest'
import type { AgentSettingsRow } from '#agent/domain/agent-settings.ts'
import type { UploadOutcome } from './voice-sample-files.ts'
import type { ConversionProblem } from '#agent/domain/voice/voice-sample.ts'
import type { Result } from '#platform/domain/result.ts'
import { createVoiceUpload, sampleInUse } from './voice-upload.ts'

const wav = 'RIFF\x24\x00\x00\x00WAVE'
const recording = (name: string) => new File([Uint8Array.from(wav, (letter) => letter.charCodeAt(0))], name)
const old = { path: 'a1/1-old.wav', name: 'old.wav', bytes: 10 }

/** An upload with a bucket and a settings row in memory. It waits for `answer`, and a conversion for `convert`. */
function open({ saves = [] as boolean[], isAgreed = true } = {}) {
  const bucket = new Set([old.path])
  const row: Partial<AgentSettingsRow> = { voice_sample_path: old.path }
  const warnings: boolean[] = []
  let now = 0
  let answer: (outcome: UploadOutcome) => void = () => undefined
  let convert: (result: Result<File, ConversionProblem>) => void = () => undefined
  const upload = createVoiceUpload({
    userId: 'a1',
    sample: old,
    clients: {
      upload: ({ path, signal }) => {
        bucket.add(path)
        signal.addEventListener('abort', () => answer({ ok: false, reason: 'aborted' }))
        return new Promise((resolve) => (answer = resolve))
      },
      convert: () => new Promise((resolve) => (convert = resolve)),
      remove: (path) => Promise.resolve(bucket.delete(path)),
      // A save that fails was done nevertheless: only its answer was lost.
      save: (_, columns) => {
        Object.assign(row, columns)
        return Promise.resolve(saves.shift() ?? true)
      },
      warnBeforeUnload: (isOn) => warnings.push(isOn),
      now: () => (now += 7),
    },
    onChange: () => undefined,
  })
  upload.agree(isAgreed)
  const status = () => upload.state.get().status
  return {
    upload,
    status,
    bucket,
    row,
    warnings,
    answer: (outcome: UploadOutcome) => answer(outcome),
    convert: (result: Result<File, ConversionProblem>) => convert(result),
  }
}

test('a replaced recording leaves the bucket, and meanwhile the browser asks before the page is left', async () => {
  const { upload, status, bucket, row, warnings, answer } = open()
  await upload.choose(recording('desk.wav'))
  expect(warnings).toEqual([true])
  answer({ ok: true })
  await expect.poll(status).toBe('stored')
  expect(row.voice_sample_path).toBe('a1/7-desk.wav')
  await expect.poll(() => [...bucket]).toEqual(['a1/7-desk.wav'])
  expect(warnings).toEqual([true, false])
})

test('a recording that could not be saved leaves settings and bucket as they were', async () => {
  const { upload, status, bucket, row, answer } = open({ saves: [false] })
  await upload.choose(recording('desk.wav'))
  answer({ ok: true })
  await expect.poll(status).toBe('failed')
  await expect.poll(() => [...bucket]).toEqual([old.path])
  expect(row.voice_sample_path).toBe(old.path)
})

test('a recording that the settings may still name is deleted only once they name another one', async () => {
  const { upload, status, bucket, row, answer } = open({ saves: [false, false] })
  await upload.choose(recording('desk.wav'))
  answer({ ok: true })
  await expect.poll(status).toBe('failed')
  expect([...bucket]).toEqual([old.path, 'a1/7-desk.wav'])
  await upload.choose(recording('desk.wav'))
  answer({ ok: true })
  await expect.poll(status).toBe('stored')
  expect(row.voice_sample_path).toBe('a1/14-desk.wav')
  await expect.poll(() => [...bucket]).toEqual(['a1/14-desk.wav'])
})

test.each([
  ['cancelled', { ok: false, reason: 'aborted' }],
  ['interrupted', { ok: false, reason: 'unreachable' }],
] as const)('a recording whose upload was %s leaves the bucket, arrived or not', async (kind, outcome) => {
  const { upload, status, bucket, warnings, answer } = open()
  await upload.choose(recording('desk.wav'))
  if (kind === 'cancelled') upload.cancel()
  else answer(outcome)
  await expect.poll(status).toBe(kind === 'cancelled' ? 'stored' : 'failed')
  await expect.poll(() => [...bucket]).toEqual([old.path])
  expect(warnings).toEqual([true, false])
})

test('76. A file is kept and not uploaded without the consent, of which each recording needs its own', async () => {
  const { upload, status, bucket, warnings, answer } = open({ isAgreed: false })
  await upload.choose(recording('desk.wav'))
  expect([status(), [...bucket]]).toEqual(['unconfirmed', [old.path]])
  upload.agree(true)
  await upload.choose(recording('desk.wav'))
  answer({ ok: true })
  await expect.poll(status).toBe('stored')
  expect(upload.isAgreed.get()).toBe(false)
  await upload.choose(recording('other.wav'))
  expect([status(), warnings.at(-1)]).toEqual(['unconfirmed', true])
  expect([...bucket]).not.toContainEqual(expect.stringContaining('other'))
  upload.agree(true)
  answer({ ok: true })
  await expect.poll(status).toBe('stored')
  expect([...bucket]).toContainEqual(expect.stringContaining('other'))
})

test('a failed upload is tried again with a consent that is still given', async () => {
  const { upload, status, bucket, answer } = open()
  await upload.choose(recording('desk.wav'))
  answer({ ok: false, reason: 'unreachable' })
  await expect.poll(status).toBe('failed')
  upload.agree(false)
  upload.retry()
  expect([status(), sampleInUse(upload.state.get())]).toEqual(['unconfirmed', old])
  upload.agree(true)
  answer({ ok: true })
  await expect.poll(() => [...bucket]).toEqual(['a1/14-desk.wav'])
})

test('while one file is uploaded no other one is taken, and nothing is removed', async () => {
  const { upload, status, row, answer } = open()
  await upload.choose(recording('desk.wav'))
  await upload.choose(recording('other.wav'))
  await upload.remove()
  expect(status()).toBe('uploading')
  answer({ ok: true })
  await expect.poll(() => row.voice_sample_path).toBe('a1/7-desk.wav')
})

test('a recording of a phone is converted, unless that is cancelled or fails', async () => {
  const { upload, status, bucket, convert, answer } = open()
  const memo = () => upload.choose(new File(['\0\0\0\0ftyp'], 'memo.m4a'))
  await memo()
  expect(status()).toBe('converting')
  upload.cancel()
  convert({ ok: true, value: recording('memo.m4a') })
  await memo()
  convert({ ok: false, failure: 'too-long' })
  await expect.poll(status).toBe('failed')
  expect(upload.state.get()).toMatchObject({ reason: expect.stringContaining('longer than'), retry: null })
  expect([...bucket]).toEqual([old.path])
  await memo()
  convert({ ok: true, value: recording('memo.m4a') })
  await expect.poll(status).toBe('uploading')
  answer({ ok: true })
  await expect.poll(() => [...bucket]).toEqual(['a1/7-memo.wav'])
})

test('a sample that cannot be removed from the settings stays, with the reason; then it leaves the bucket too', async () => {
  const { upload, bucket } = open({ saves: [false] })
  await upload.remove()
  expect(upload.state.get()).toMatchObject({ status: 'stored', problem: expect.stringContaining('remove') })
  await upload.remove()
  expect(upload.state.get()).toEqual({ status: 'none' })
  await expect.poll(() => [...bucket]).toEqual([])
})

import { expect, test } from 'vitest'
import type { AgentSettingsRow } from '#agent/domain/agent-settings.ts'
import type { UploadOutcome } from './voice-sample-files.ts'
import { createVoiceUpload } from './voice-upload.ts'

const wav = 'RIFF\x24\x00\x00\x00WAVE'
const recording = (name: string) => new File([Uint8Array.from(wav, (letter) => letter.charCodeAt(0))], name)
const old = { path: 'a1/1-old.wav', name: 'old.wav', bytes: 10 }

/** An upload with a bucket and a settings row in memory. It waits for `answer`. */
function open({ saves = [] as boolean[] } = {}) {
  const bucket = new Set([old.path])
  const row: Partial<AgentSettingsRow> = { voice_sample_path: old.path }
  const warnings: boolean[] = []
  let now = 0
  let answer: (outcome: UploadOutcome) => void = () => undefined
  const upload = createVoiceUpload({
    userId: 'a1',
    sample: old,
    clients: {
      upload: ({ path, signal }) => {
        bucket.add(path)
        signal.addEventListener('abort', () => answer({ ok: false, reason: 'aborted' }))
        return new Promise((resolve) => (answer = resolve))
      },
      convert: (file) => Promise.resolve({ ok: true, value: file }),
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
  upload.agree(true)
  const status = () => upload.state.get().status
  return { upload, status, bucket, row, warnings, answer: (outcome: UploadOutcome) => answer(outcome) }
}

test('a replaced recording leaves the bucket, and meanwhile the browser asks before the page is left', async () => {
  const { upload, status, bucket, row, warnings, answer } = open()
  await upload.choose(recording('desk.wav'))
  expect(warnings).toEqual([true])
  answer({ ok: true })
  await expect.poll(status).toBe('stored')
  expect(row.voice_sample_path).toBe('a1/14-desk.wav')
  await expect.poll(() => [...bucket]).toEqual(['a1/14-desk.wav'])
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
  expect([...bucket]).toEqual([old.path, 'a1/14-desk.wav'])
  await upload.choose(recording('desk.wav'))
  answer({ ok: true })
  await expect.poll(status).toBe('stored')
  expect(row.voice_sample_path).toBe('a1/21-desk.wav')
  await expect.poll(() => [...bucket]).toEqual(['a1/21-desk.wav'])
})

test.each([
  ['cancelled', { ok: false, reason: 'aborted' }],
  ['interrupted', { ok: false, reason: 'unreachable' }],
] as const)('a recording whose upload was %s leaves the bucket, arrived or not', async (kind, outcome) => {
  const { upload, status, bucket, warnings, answer } = open()
  await upload.choose(recording('desk.wav'))
  if (kind === 'cancelled') upload.send({ type: 'cancelPressed' })
  else answer(outcome)
  await expect.poll(status).toBe(kind === 'cancelled' ? 'stored' : 'failed')
  await expect.poll(() => [...bucket]).toEqual([old.path])
  expect(warnings).toEqual([true, false])
})

test('each recording needs a consent of its own', async () => {
  const { upload, status, bucket, warnings, answer } = open()
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

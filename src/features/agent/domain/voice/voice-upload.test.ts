import { describe, expect, test } from 'vitest'
import {
  isBusy,
  isUnsaved,
  sampleInUse,
  transition,
  type VoiceUpload,
  type VoiceUploadEvent,
} from './voice-upload.ts'

const old = { path: 'a1/1-old.wav', name: 'old.wav', bytes: 10 }
const added = { path: 'a1/7-desk.mp3', name: 'Desk.mp3', bytes: 500 }
const attempt = { attempt: 3, sample: added, kind: 'mp3', previous: old } as const
const none: VoiceUpload = { status: 'none' }
const stored: VoiceUpload = { status: 'stored', sample: old, problem: null }
const uploading: VoiceUpload = { status: 'uploading', sent: 0, ...attempt }
const saving: VoiceUpload = { status: 'saving', ...attempt }
const removing: VoiceUpload = { status: 'removing', sample: old }
const failed: VoiceUpload = {
  status: 'failed',
  name: 'Desk.mp3',
  reason: 'no',
  retry: attempt,
  previous: old,
}
const chosen = (
  check: Extract<VoiceUploadEvent, { type: 'fileChecked' }>['check'],
  isAgreed = true,
): VoiceUploadEvent => ({
  type: 'fileChecked',
  attempt: 3,
  now: 7,
  name: 'Desk.mp3',
  bytes: 500,
  check,
  isAgreed,
})
const good = chosen({ ok: true, kind: 'mp3' })
const after = (state: VoiceUpload, event: VoiceUploadEvent) => transition('a1', state, event)

describe('choosing a file', () => {
  test.each([
    ['the first one', none, null],
    ['another one', stored, old],
    ['after a failure', failed, old],
  ])('%s', (_, state, previous) => {
    expect(after(state, good)).toEqual({
      state: { ...uploading, previous },
      commands: [{ type: 'upload', attempt: 3, path: added.path, mimeType: 'audio/mpeg' }],
    })
  })
  test.each([uploading, saving, removing])('while $status does nothing', (state) => {
    expect(after(state, good)).toEqual({ state, commands: [] })
  })
})

describe('without the speaker’s consent', () => {
  const waiting: VoiceUpload = {
    status: 'unconfirmed',
    attempt: 3,
    name: 'Desk.mp3',
    bytes: 500,
    kind: 'mp3',
    previous: old,
  }
  test('76. A file is kept and not uploaded', () => {
    expect(after(stored, chosen({ ok: true, kind: 'mp3' }, false))).toEqual({ state: waiting, commands: [] })
    expect([isBusy(waiting), isUnsaved(waiting), sampleInUse(waiting)]).toEqual([false, true, old])
  })
  test('its upload begins with the consent', () => {
    expect(after(waiting, { type: 'agreed', now: 7 })).toEqual({
      state: { ...uploading, previous: old },
      commands: [{ type: 'upload', attempt: 3, path: added.path, mimeType: 'audio/mpeg' }],
    })
  })
  test('another file can be chosen, or none', () => {
    expect(after(waiting, good).state.status).toBe('uploading')
    expect(after(waiting, { type: 'cancelPressed' })).toEqual({ state: stored, commands: [] })
  })
  test.each([none, stored, uploading, saving, removing, failed])('in $status it begins nothing', (state) => {
    expect(after(state, { type: 'agreed', now: 7 })).toEqual({ state, commands: [] })
  })
})

describe('a recording of a phone', () => {
  const converting: VoiceUpload = {
    status: 'converting',
    attempt: 3,
    name: 'Desk.mp3',
    bytes: 500,
    kind: null,
    previous: old,
  }
  test('waits for the consent before it is converted', () => {
    const { state, commands } = after(stored, chosen({ ok: true, kind: null }, false))
    expect([state.status, commands]).toEqual(['unconfirmed', []])
    expect(after(state, { type: 'agreed', now: 7 })).toEqual({
      state: converting,
      commands: [{ type: 'convert', attempt: 3 }],
    })
  })
  test('that cannot be converted leaves the sample in use', () => {
    expect(after(converting, { type: 'conversionFailed', attempt: 3, problem: 'too-long' }).state).toEqual({
      status: 'failed',
      name: 'Desk.mp3',
      reason: 'This recording is longer than 9 minutes. One minute is enough: choose a shorter one.',
      retry: null,
      previous: old,
    })
  })
  test('can be cancelled, and a conversion that ends later is ignored', () => {
    expect(after(converting, { type: 'cancelPressed' })).toEqual({ state: stored, commands: [] })
    for (const state of [stored, { ...converting, attempt: 4 }])
      for (const event of [
        { type: 'converted', attempt: 3, now: 9, bytes: 900 },
        { type: 'conversionFailed', attempt: 3, problem: 'too-long' },
      ] as const)
        expect(after(state, event)).toEqual({ state, commands: [] })
  })
})

describe('an upload', () => {
  test('that arrives but is not saved is removed from the settings, then from the bucket', () => {
    const { state, commands } = after(saving, { type: 'saveFailed', attempt: 3 })
    expect(state).toMatchObject({ status: 'failed', retry: attempt, previous: old })
    expect(commands).toEqual([{ type: 'rollBack', path: added.path, previous: old }])
  })
  test.each([
    [old, stored],
    [null, none],
  ])('that is cancelled goes back to %o', (previous, state) => {
    expect(after({ ...uploading, previous }, { type: 'cancelPressed' })).toEqual({
      state,
      commands: [{ type: 'abort', attempt: 3 }],
    })
  })
  test('answers to an earlier attempt are ignored', () => {
    for (const type of ['saved', 'saveFailed'] as const)
      for (const state of [none, stored, uploading, saving, failed, removing])
        expect(after(state, { type, attempt: 2 })).toEqual({ state, commands: [] })
  })
  test('the file of an earlier attempt that arrives late is discarded', () => {
    const path = 'a1/2-desk.mp3'
    for (const state of [none, stored, uploading, saving, failed, removing])
      for (const event of [
        { type: 'uploaded', attempt: 2, path } as const,
        { type: 'uploadFailed', attempt: 2, path, reason: 'cancelled' } as const,
      ])
        expect(after(state, event)).toEqual({ state, commands: [{ type: 'discard', path }] })
  })
  test('a refused file cannot be tried again, only dismissed', () => {
    const refused: VoiceUpload = { ...failed, retry: null }
    expect(after(refused, { type: 'retryPressed', attempt: 4, now: 9 })).toEqual({
      state: refused,
      commands: [],
    })
    expect(after(refused, { type: 'cancelPressed' })).toEqual({ state: stored, commands: [] })
  })
})

describe('removing', () => {
  test('clears the settings first, then the bucket', () => {
    expect(after(stored, { type: 'removePressed' })).toEqual({
      state: removing,
      commands: [{ type: 'clear' }],
    })
    expect(after(removing, { type: 'removed' })).toEqual({
      state: none,
      commands: [
        { type: 'reportSample', sample: null },
        { type: 'discard', path: old.path },
      ],
    })
  })
  test('that fails says so and keeps it', () => {
    expect(after(removing, { type: 'removeFailed' }).state).toMatchObject({ status: 'stored', sample: old })
  })
  test.each([none, uploading, saving, failed])('while $status does nothing', (state) => {
    expect(after(state, { type: 'removePressed' })).toEqual({ state, commands: [] })
  })
})

test('the sample in use is the old one until the new one is saved', () => {
  expect([none, stored, uploading, saving, failed, removing].map(sampleInUse)).toEqual([
    null,
    old,
    old,
    old,
    old,
    old,
  ])
})

test('the page may be left unless an upload or a removal is in progress', () => {
  expect([none, stored, failed].map(isBusy)).toEqual([false, false, false])
  expect([uploading, saving, removing].map(isBusy)).toEqual([true, true, true])
})

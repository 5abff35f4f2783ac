import { expect, it } from 'vitest'
import { tracesLines } from './caller-traces.ts'
import { parseRetention } from './retention.ts'

const none = {
  numbers: [],
  calls: 0,
  recordings: 0,
  messages: 0,
  bookings: 0,
  open_bookings: 0,
  is_blocked: false,
  is_calling: false,
}

it('lists what there is of a caller', () => {
  expect(tracesLines(none)).toEqual([])
  expect(
    tracesLines({ ...none, calls: 1, recordings: 2, messages: 1, bookings: 3, open_bookings: 1 }),
  ).toEqual([
    'What was said in 1 call, with number and summary',
    '2 recordings',
    '1 message',
    '2 bookings, over or cancelled',
    '1 booking to come',
  ])
})

const now = Date.parse('2026-12-01T12:00:00Z')
const row = { keep_days: 30, is_from_before: true, told_at: '2026-11-26T12:00:00Z' }

it.each([
  [null, { keepDays: 90, beginsAt: null }],
  [row, { keepDays: 30, beginsAt: Date.parse('2026-12-26T12:00:00Z') }],
  [
    { ...row, told_at: null },
    { keepDays: 30, beginsAt: Date.parse('2026-12-31T12:00:00Z') },
  ],
  [
    { ...row, told_at: '2026-10-01T12:00:00Z' },
    { keepDays: 30, beginsAt: null },
  ],
  [
    { ...row, is_from_before: false },
    { keepDays: 30, beginsAt: null },
  ],
  [{ ...row, keep_days: 7 }, undefined],
])('reads how long callers’ data are kept: %j', (given, read) => {
  expect(parseRetention(given, now)).toEqual(read)
})

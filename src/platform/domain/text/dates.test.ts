import { expect, test } from 'vitest'
import { calendarDay, dayAndTime, dayLabel } from './dates.ts'

test('a day is written in words; without a valid moment there is none', () => {
  expect(dayLabel('2026-12-01T09:30:00+00:00', 'UTC')).toBe('1 December 2026')
  expect(dayLabel(null)).toBeNull()
  expect(dayLabel('soon')).toBeNull()
})

test('a moment of another year includes the year', () => {
  const now = Date.parse('2026-01-02T00:00:00Z')
  expect(dayAndTime('2026-01-01T14:06:00Z', now, 'UTC')).toEqual({ day: '1 Jan', time: '14:06' })
  expect(dayAndTime('2025-12-31T14:06:00Z', now, 'UTC')).toEqual({ day: '31 Dec 2025', time: '14:06' })
})

test('a calendar day is the one in the given time zone', () => {
  expect(calendarDay(Date.parse('2026-11-17T23:30:00Z'), 'Asia/Tokyo')).toBe('2026-11-18')
})

import { expect, test } from 'vitest'
import type { Booking } from './booking.ts'
import { dayWords, ownersBookings, whenOf } from './owners-bookings.ts'

const timeZone = 'Europe/Berlin'
const now = Date.parse('2026-11-25T10:00:00Z')
const booking = (id: string, starts_at: string, more: Partial<Booking> = {}): Booking => ({
  id,
  call_id: null,
  origin: 'call',
  state: 'booked',
  starts_at,
  ends_at: new Date(Date.parse(starts_at) + 3_600_000).toISOString(),
  units: [],
  people: 1,
  name: 'Ada Meyer',
  about: 'Check-up',
  phone_number: null,
  email: null,
  code: 'ABC234',
  untold_since: null,
  proposed_at: null,
  unchecked_since: null,
  done_at: null,
  bookable: null,
  created_at: starts_at,
  ...more,
})

test('what is booked and asked for stands by day of the business, what is over apart', () => {
  const { days, gone } = ownersBookings(
    [
      booking('late', '2026-11-27T23:30:00Z'),
      booking('asked', '2026-11-28T09:00:00Z', { state: 'requested' }),
      booking('running', '2026-11-25T09:30:00Z'),
      booking('next day', '2026-11-28T08:00:00Z'),
      booking('over', '2026-11-25T09:00:00Z'),
      booking('asked in vain', '2026-11-20T09:00:00Z', { state: 'requested' }),
      booking('cancelled', '2026-11-29T09:00:00Z', { state: 'cancelled' }),
    ],
    now,
    timeZone,
  )
  const ids = (some: Booking[]): string[] => some.map(({ id }) => id)
  expect(days.map(([day, some]) => [day, ids(some)])).toEqual([
    ['2026-11-25', ['running']],
    ['2026-11-28', ['late', 'next day', 'asked']],
  ])
  expect(ids(gone)).toEqual(['cancelled', 'over', 'asked in vain'])
})

test('times are those of the business, and a stay says both days', () => {
  const visit = booking('visit', '2026-11-26T08:40:00Z')
  expect(dayWords('2026-11-26')).toMatch(/^Thursday,? 26 November 2026$/)
  expect(whenOf(visit, timeZone, '2026-11-26')).toBe('09:40 – 10:40')
  expect(whenOf(visit, timeZone)).toBe('26 Nov 2026, 09:40 – 10:40')
  expect(whenOf({ ...visit, ends_at: null }, timeZone)).toBe('26 Nov 2026, 09:40')
  const stay = { ...visit, ends_at: '2026-11-28T10:00:00Z' }
  expect(whenOf(stay, timeZone, '2026-11-26')).toBe('09:40 – 28 Nov 2026, 11:00')
})

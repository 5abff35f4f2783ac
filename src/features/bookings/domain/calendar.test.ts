import { expect, test } from 'vitest'
import type { Booking } from './booking.ts'
import { hoursOf, inLanes, partsOn, partWords, placed, weekOf } from './calendar.ts'

const booking = (
  id: string,
  starts_at: string,
  ends_at: string | null,
  more: Partial<Booking> = {},
): Booking => ({
  id,
  call_id: null,
  origin: 'owner',
  state: 'booked',
  starts_at,
  ends_at,
  bookable: null,
  units: [],
  people: 1,
  name: id,
  about: 'Massage',
  phone_number: null,
  email: null,
  code: 'AAAAAA',
  untold_since: null,
  proposed_at: null,
  unchecked_since: null,
  done_at: null,
  created_at: starts_at,
  ...more,
})
const on = (day: string, ...bookings: Booking[]) =>
  partsOn(placed(bookings, 'Europe/Berlin'), day).map((part) => `${part.booking.id}: ${partWords(part)}`)

test('a day has what lies on it, by the clock of the business', () => {
  const bookings = [
    booking('late', '2026-11-26T22:30:00Z', '2026-11-27T00:30:00Z'),
    booking('early', '2026-11-26T08:00:00Z', '2026-11-26T09:00:00Z', { state: 'requested' }),
    booking('to midnight', '2026-11-26T21:00:00Z', '2026-11-26T23:00:00Z'),
    booking('said', '2026-11-26T10:00:00Z', null, { origin: 'transcript' }),
    booking('stay', '2026-11-25T14:00:00Z', '2026-11-27T10:00:00Z'),
    booking('cancelled', '2026-11-26T08:00:00Z', '2026-11-26T09:00:00Z', { state: 'cancelled' }),
  ]
  expect(on('2026-11-25', ...bookings)).toEqual(['stay: from 15:00'])
  expect(on('2026-11-26', ...bookings)).toEqual([
    'stay: all day',
    'early: 09:00 – 10:00',
    'said: 11:00',
    'to midnight: from 22:00',
    'late: from 23:30',
  ])
  expect(on('2026-11-27', ...bookings)).toEqual(['stay: until 11:00', 'late: until 01:30'])
})

test('on the days on which the clock changes, times are those on the wall', () => {
  const night = booking('night', '2026-10-24T22:30:00Z', '2026-10-25T02:30:00Z')
  const morning = booking('morning', '2026-03-29T00:30:00Z', '2026-03-29T07:00:00Z')
  expect(on('2026-10-25', night)).toEqual(['night: 00:30 – 03:30'])
  expect(on('2026-03-29', morning)).toEqual(['morning: 01:30 – 09:00'])
  // The hour that comes twice: it ends before it begins by the clock on the wall.
  expect(on('2026-10-25', booking('twice', '2026-10-25T00:45:00Z', '2026-10-25T01:15:00Z'))).toEqual([
    'twice: 02:45',
  ])
})

test('what overlaps stands in lanes of its own', () => {
  const part = (id: string, from: number, until: number) => ({
    booking: booking(id, '2026-11-26', null),
    from,
    until,
  })
  const parts = [part('a', 540, 600), part('b', 570, 630), part('c', 600, 660), part('d', 700, 760)]
  expect(inLanes(parts).map((each) => [each.booking.id, each.lane, each.lanes])).toEqual([
    ['a', 0, 2],
    ['b', 1, 2],
    ['c', 0, 2],
    ['d', 0, 1],
  ])
})

test('a day shows its open hours, and what is booked outside them', () => {
  const part = (from: number, until: number) => ({ booking: booking('a', '2026-11-26', null), from, until })
  expect(hoursOf([], [])).toEqual([9, 17])
  expect(hoursOf([], [{ from: '08:30', until: '12:00' }])).toEqual([8, 12])
  expect(hoursOf([part(0, 1_440), part(1_290, 1_350)], [{ from: '10:00', until: '18:00' }])).toEqual([10, 23])
  expect(hoursOf([part(0, 1_440)], [])).toEqual([9, 17])
  expect(hoursOf([], [{ from: '18:00', until: '02:00' }])).toEqual([18, 24])
})

test('a week begins with Monday', () => {
  for (const day of ['2026-11-23', '2026-11-29'])
    expect([weekOf(day)[0], weekOf(day)[6]]).toEqual(['2026-11-23', '2026-11-29'])
})

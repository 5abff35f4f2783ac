import { momentLabel } from '#platform/domain/text/dates.ts'
import type { Booking } from './booking.ts'
import { localOf } from './booking-words.ts'

/** A customer's bookings as the customer looks at them. */
export interface OwnersBookings {
  /** What is booked or asked for, by day (YYYY-MM-DD by the clock of the business), the next one first. */
  days: [day: string, bookings: Booking[]][]
  /** What is over, cancelled or declined, the latest first. */
  gone: Booking[]
}

/** Tells whether something is booked or asked for. */
export const isOpen = ({ state }: Booking): boolean => state === 'booked' || state === 'requested'

/** @param now milliseconds since 1970 */
export function ownersBookings(bookings: readonly Booking[], now: number, timeZone: string): OwnersBookings {
  const byTime = bookings.toSorted((one, other) => Date.parse(one.starts_at) - Date.parse(other.starts_at))
  const isOver = (each: Booking): boolean =>
    !isOpen(each) || Date.parse(each.ends_at ?? each.starts_at) <= now
  const open = byTime.filter((each) => !isOver(each))
  const days = new Map<string, Booking[]>()
  for (const each of open) {
    const day = localOf(Date.parse(each.starts_at), timeZone).slice(0, 10)
    days.set(day, [...(days.get(day) ?? []), each])
  }
  return {
    days: [...days],
    gone: byTime.filter(isOver).reverse(),
  }
}

/** Returns what is booked and for whom: "Check-up, Ada Meyer". */
export const nameOf = ({ name, about }: Pick<Booking, 'name' | 'about'>): string =>
  [about ?? 'Booking', name].filter(Boolean).join(', ')

/** Writes a day, YYYY-MM-DD, as "Thursday 26 November 2026". */
export const dayWords = (day: string): string =>
  new Date(day).toLocaleDateString('en-GB', { dateStyle: 'full', timeZone: 'UTC' })

/** Writes a day, YYYY-MM-DD, as "Thu 26 Nov". */
export const shortDay = (day: string): string =>
  new Date(day)
    .toLocaleDateString('en-GB', { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' })
    .replace(',', '')

/**
 * Writes when a booking is, by the clock of the business: "26 Nov 2026, 09:40 – 10:00".
 * @param day YYYY-MM-DD: where the day is said already, only the times are written
 */
export function whenOf(
  { starts_at, ends_at }: Pick<Booking, 'starts_at' | 'ends_at'>,
  timeZone: string,
  day?: string,
): string {
  const clock = (iso: string): string => localOf(Date.parse(iso), timeZone)
  const label = (iso: string, known: string | undefined): string =>
    clock(iso).slice(0, 10) === known ? clock(iso).slice(11) : momentLabel(iso, timeZone)
  const starts = label(starts_at, day)
  return ends_at === null ? starts : `${starts} – ${label(ends_at, clock(starts_at).slice(0, 10))}`
}

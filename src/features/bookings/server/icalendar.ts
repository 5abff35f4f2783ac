import ical from 'ical-generator'
import type { Booking } from '#bookings/domain/booking.ts'
import { site } from '#site'

export type CalendarBooking = Pick<
  Booking,
  'id' | 'starts_at' | 'ends_at' | 'people' | 'name' | 'about' | 'phone_number' | 'created_at'
>

/** The headers of a calendar that only its reader may keep. */
export const calendarHeaders = {
  'content-type': 'text/calendar; charset=utf-8',
  'cache-control': 'private, no-store',
  'x-robots-tag': 'noindex',
  'x-content-type-options': 'nosniff',
}

/** How long a booking without an end takes in the calendar, in milliseconds. */
const length = 3_600_000

/**
 * Returns bookings as iCalendar (RFC 5545), an event each, whose UID is the booking's id.
 * @param name what a program that subscribes to it calls the calendar
 */
export function icalendarOf(bookings: readonly CalendarBooking[], name?: string): string {
  const calendar = ical({ name, prodId: { company: site.name, product: 'bookings' } })
  for (const { id, starts_at, ends_at, people, name: guest, about, phone_number, created_at } of bookings) {
    const start = new Date(starts_at)
    calendar.createEvent({
      id,
      start,
      end: ends_at === null ? new Date(start.getTime() + length) : new Date(ends_at),
      stamp: new Date(created_at),
      summary: [guest, about].filter(Boolean).join(': ') || 'Booking',
      description:
        [people > 1 && `People: ${people}`, phone_number && `Phone: ${phone_number}`]
          .filter(Boolean)
          .join('\n') || null,
    })
  }
  return calendar.toString()
}

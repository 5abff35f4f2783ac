import ical, {
  ICalAttendeeRole,
  ICalAttendeeStatus,
  ICalCalendarMethod,
  ICalEventStatus,
  type ICalEventData,
} from 'ical-generator'
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

/** Returns when a booking ends in the calendar: an hour after its start if it has no end. */
export const endOf = ({ starts_at, ends_at }: Pick<Booking, 'starts_at' | 'ends_at'>): Date =>
  ends_at === null ? new Date(Date.parse(starts_at) + 3_600_000) : new Date(ends_at)

/**
 * Returns bookings as iCalendar (RFC 5545), an event each, whose UID is the booking's id.
 * @param name what a program that subscribes to it calls the calendar
 */
export function icalendarOf(bookings: readonly CalendarBooking[], name?: string): string {
  const calendar = ical({ name, prodId })
  for (const booking of bookings) calendar.createEvent(eventOf(booking))
  return calendar.toString()
}

/**
 * Returns a booking as an invitation (RFC 5546), which enters, moves or removes its event in the calendar of whoever gets it.
 * @param at when the booking became so, ISO 8601: of two invitations the later one counts
 */
export function invitationOf(
  booking: CalendarBooking,
  { method, to, at }: { method: 'REQUEST' | 'CANCEL'; to: string; at: string },
): string {
  const calendar = ical({ prodId, method: ICalCalendarMethod[method] })
  calendar.createEvent({
    ...eventOf(booking),
    stamp: new Date(at),
    sequence: Math.max(0, Math.floor((Date.parse(at) - Date.parse(booking.created_at)) / 1000)),
    status: method === 'CANCEL' ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    organizer: { name: site.name, email: site.email },
    attendees: [
      { email: to, role: ICalAttendeeRole.REQ, status: ICalAttendeeStatus.NEEDSACTION, rsvp: false },
    ],
  })
  return calendar.toString()
}

const prodId = { company: site.name, product: 'bookings' }

function eventOf(booking: CalendarBooking): ICalEventData {
  const { id, starts_at, people, name, about, phone_number, created_at } = booking
  return {
    id,
    start: new Date(starts_at),
    end: endOf(booking),
    stamp: new Date(created_at),
    summary: [name, about].filter(Boolean).join(': ') || 'Booking',
    description:
      [people > 1 && `People: ${people}`, phone_number && `Phone: ${phone_number}`]
        .filter(Boolean)
        .join('\n') || null,
  }
}

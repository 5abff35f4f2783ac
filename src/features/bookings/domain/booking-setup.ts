import * as z from 'zod/mini'
import { openHours } from '#agent/domain/knowledge/knowledge.ts'

/** The longest texts, in characters, and the longest lists. The database limits the document as a whole. */
export const setupLimits = { name: 60, resources: 20, units: 200, joins: 100, bookables: 40 } as const

/** The most days ahead that something can be booked. */
export const longestHorizon = 730

/** A day on which something can be booked, YYYY-MM-DD: of this century, so that those around it can be written too. */
export const bookingDay = z.iso
  .date()
  .check(z.refine((day) => day.startsWith('20'), { error: 'Choose another day.' }))

const whole = (least: number, most: number) => z.int().check(z.minimum(least), z.maximum(most))
const name = z.string().check(z.trim(), z.minLength(1), z.maxLength(setupLimits.name))

/** One thing that one booking has at a time: a chair, a practitioner, a table, a room. */
const unit = z.object({
  id: z.uuid(),
  name,
  /** How many people it takes. */
  seats: whole(1, 500),
})
export type Unit = z.infer<typeof unit>

const resource = z.object({
  id: z.uuid(),
  name,
  units: z.array(unit).check(z.maxLength(setupLimits.units)),
  /** Units that are taken together by a party that none of them seats alone: tables that may be joined. */
  joins: z
    .array(z.array(z.uuid()).check(z.minLength(2), z.maxLength(20)))
    .check(z.maxLength(setupLimits.joins)),
  /** Whether a party may take several units that are not joined, as a group takes several rooms. */
  isShared: z.boolean(),
  /** The most of them that a caller then takes at once. */
  mostShared: z._default(whole(2, setupLimits.units), setupLimits.units),
})
export type Resource = z.infer<typeof resource>

const bookable = z.object({
  id: z.uuid(),
  /** The name of a service of what the agent knows, whose price and length callers hear; or a name of its own. */
  service: name,
  /** How long it takes, in minutes, and what is kept free after it; null for a stay, which is counted in nights. */
  length: z.nullable(z.object({ minutes: whole(5, 1_440), buffer: whole(0, 480) })),
  /** Where a free time may begin, in minutes after the opening: 15 means 9:00, 9:15, 9:30. */
  step: whole(5, 240),
  /** The resources that it needs together, one unit each: a therapist and a cabin. */
  resources: z.array(z.uuid()).check(z.minLength(1), z.maxLength(4)),
  /** Whether the agent books it, or notes a request that the owner confirms. */
  decision: z.enum(['at_once', 'request']),
  /** The most that the agent books for a day; what is more is a request. Null without a limit. */
  mostADay: z.nullable(whole(1, 500)),
  /** Hours that are narrower than those of the business; null if they are the same. */
  hours: z.nullable(openHours),
  /** The shortest time between the call and the booking, in minutes. */
  notice: whole(0, 20_160),
  /** How many days ahead it can be booked. */
  horizon: whole(1, longestHorizon),
  /** The largest party, and the longest stay in nights. */
  mostPeople: whole(1, 500),
  mostNights: whole(1, 90),
})
export type Bookable = z.infer<typeof bookable>

/** What callers can book, and the limits of a caller. */
export const bookingSetup = z.object({
  resources: z.array(resource).check(z.maxLength(setupLimits.resources)),
  bookables: z.array(bookable).check(z.maxLength(setupLimits.bookables)),
  /** When a stay begins and ends. */
  checkIn: z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/)),
  checkOut: z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/)),
  /** Whether the agent asks for an email address. */
  asksForEmail: z.boolean(),
  /** The most open bookings of one phone number, and the most that it makes in a day. */
  mostOpen: whole(1, 50),
  mostADay: whole(1, 50),
})
export type BookingSetup = z.infer<typeof bookingSetup>

export const noSetup: BookingSetup = {
  resources: [],
  bookables: [],
  checkIn: '15:00',
  checkOut: '11:00',
  asksForEmail: false,
  mostOpen: 3,
  mostADay: 2,
}

/** Parses a stored document. An unreadable one offers nothing: what a part of it meant is not guessed. */
export const parseSetup = (stored: unknown): BookingSetup => {
  const { success, data } = z.safeParse(bookingSetup, stored)
  return success ? data : noSetup
}

/** Returns what can be booked: what a bookable needs is there, and seats somebody. */
export const bookablesOf = ({ resources, bookables }: BookingSetup): Bookable[] =>
  bookables.filter(({ resources: needed }) =>
    needed.every((id) => resources.some((each) => each.id === id && each.units.length > 0)),
  )

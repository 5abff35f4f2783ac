import * as z from 'zod/mini'

/** Has the owner's calendars be asked now (functions/read-calendars.ts). */
export const readCalendarsRequest = z.object({})

/** Why a calendar of the owner could not be read, as its owner reads it. */
export const calendarProblems = {
  forbidden: 'this is not a public address',
  unreachable: 'it does not answer',
  too_large: 'it is longer than what we read',
  refused: 'it refuses the login',
  missing: 'there is no calendar at this address any more',
  unreadable: 'its answer cannot be read',
} as const
export type CalendarProblem = keyof typeof calendarProblems

/** A row of calendars, as its owner sees it. */
export const ownCalendar = z.object({
  id: z.string(),
  /** `caldav`: bookings are written into it, too; `ical`: a private address. */
  kind: z.enum(['caldav', 'ical']),
  /** What bookings are written by; null for a private address. */
  endpoint_id: z.nullable(z.string()),
  name: z.string(),
  /** The id of the unit whose time it is; null if it is that of the whole business. */
  unit: z.nullable(z.string()),
  /** What the agent does if it does not answer: it takes a message, or it books and marks the booking. */
  if_silent: z.enum(['message', 'mark']),
  /** Whether the agent books at once although a private address may be hours late. */
  accepts_delay: z.boolean(),
  created_at: z.string(),
  /** ISO 8601: of when is what is known of it; null if it was never read. */
  read_at: z.nullable(z.string()),
  /** ISO 8601: since when it does not answer, and why; null if it does. */
  failing_since: z.nullable(z.string()),
  problem: z.nullable(z.catch(z.enum(Object.keys(calendarProblems) as CalendarProblem[]), 'unreachable')),
})
export type OwnCalendar = z.infer<typeof ownCalendar>

import * as z from 'zod/mini'

/** The states of a booking, and what its owner reads. */
export const stateNames = {
  requested: 'Not confirmed',
  booked: 'Booked',
  declined: 'Declined',
  cancelled: 'Cancelled',
} as const
const states = Object.keys(stateNames) as (keyof typeof stateNames)[]

/** A row of bookings, as its owner sees it. */
export const booking = z.object({
  id: z.string(),
  call_id: z.nullable(z.string()),
  /** `transcript`: it was read from a call's transcript, and takes no unit. */
  origin: z.enum(['transcript', 'call', 'owner']),
  state: z.enum(states),
  /** ISO 8601. */
  starts_at: z.string(),
  /** Null if it was read from a transcript. */
  ends_at: z.nullable(z.string()),
  /** The id of what is booked, in the set-up; null if it was read from a transcript. */
  bookable: z.nullable(z.string()),
  /** The ids of the units that it takes. */
  units: z.array(z.string()),
  people: z.number(),
  name: z.nullable(z.string()),
  about: z.nullable(z.string()),
  phone_number: z.nullable(z.string()),
  email: z.nullable(z.string()),
  /** By which somebody who calls from another number is known. */
  code: z.string(),
  /** ISO 8601: since when the caller has to be told what the owner has decided; null if there is nothing to tell. */
  untold_since: z.nullable(z.string()),
  /** ISO 8601: since when a request waits for the caller to agree to the time that the owner has proposed. */
  proposed_at: z.nullable(z.string()),
  /** ISO 8601: when the owner has told the caller, or has read what the caller has booked; null until then. */
  done_at: z.nullable(z.string()),
  created_at: z.string(),
  /** ISO 8601: since when it waits to be compared with the owner's calendar, which did not answer then; null if it was. */
  unchecked_since: z.nullable(z.string()),
})
export type Booking = z.infer<typeof booking>

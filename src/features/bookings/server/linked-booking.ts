import * as z from 'zod/mini'
import { booking } from '#bookings/domain/booking.ts'
import { whenWords } from '#bookings/domain/booking-words.ts'
import { runSql, type Supabase } from '#platform/server/database.ts'
import { isKeyedHash, keyedHash, type HashKey } from '#platform/server/keyed-hash.ts'
import { clockOf, readFacts } from './offers.ts'

/** A booking as its caller sees it, until it is over (SQL: `linked_booking`). */
const linkedBooking = z.extend(
  z.pick(booking, {
    id: true,
    state: true,
    starts_at: true,
    ends_at: true,
    people: true,
    name: true,
    about: true,
    email: true,
  }),
  {
    account: z.string(),
    /** Where its owner is told that the caller has changed it. */
    owner: z.string(),
    business: z.nullable(z.string()),
    /** The template of its agent. */
    trade: z.nullable(z.string()),
    bookable: z.nullable(z.string()),
    created_at: z.string(),
    /** Whether its owner has proposed this time, and waits for the caller's answer. */
    is_proposed: z.boolean(),
    phone_number: z.nullable(z.string()),
  },
)
export type LinkedBooking = z.infer<typeof linkedBooking>

/** Reads a booking that is not over; null if there is none. */
export const readLinked = (id: string, supabase: Supabase): Promise<LinkedBooking | null> =>
  runSql(supabase, 'linked_booking', { p_booking: id }, z.nullable(linkedBooking))

/** What can be booked at the business of a booking, the bookable of it, and when it is, as people say it. */
export type Business = Awaited<ReturnType<typeof readBusiness>>

/** Reads what can be booked at the business of a booking, and writes when the booking is as people say it. */
export async function readBusiness(
  { account, bookable: id, starts_at, ends_at }: LinkedBooking,
  supabase: Supabase,
) {
  const now = Date.now()
  const known = await readFacts(account, supabase, now, now)
  const bookable = known.setup.bookables.find((each) => each.id === id)
  const starts = Date.parse(starts_at)
  const ends = ends_at === null ? starts : Date.parse(ends_at)
  return {
    known,
    bookable,
    when: whenWords({ starts, ends, isStay: bookable?.length === null }, clockOf(known)),
  }
}

/** The call in which the holder of a link changes a booking (SQL: `bookings.changed_call`). */
export const linkCall = (id: string): string => `link:${id}`

const signed = (id: string): string => `booking:${id}`

/** Returns the token of a booking's link. Nothing of it is stored: it is the booking's id, and what only we can make of it. */
export const linkToken = (id: string, env: HashKey): string =>
  Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url') + keyedHash(signed(id), env)

/** Returns the id of the booking to which a token belongs; null if it is none of ours. */
export function bookingOfToken(token: string, env: HashKey): string | null {
  const bytes = Buffer.from(token.slice(0, 22), 'base64url').toString('hex')
  const id = bytes.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  return z.safeParse(z.guid(), id).success && isKeyedHash(token.slice(22), signed(id), env) ? id : null
}

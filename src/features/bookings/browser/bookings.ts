import * as z from 'zod/mini'
import { noSetup, parseSetup, type BookingSetup } from '#bookings/domain/booking-setup.ts'
import { booking, type Booking } from '#bookings/domain/booking.ts'
import { message, type Message } from '#bookings/domain/message.ts'
import { allRowsSince, supabase } from '#platform/browser/supabase.ts'

/** What can be booked, with its version; the version is null before the first save. */
export interface StoredSetup {
  setup: BookingSetup
  version: string | null
}

/**
 * Reads what can be booked at a customer's, with its version; undefined without an answer.
 * @returns an empty set-up, and no version, if there is none
 */
export async function readBookingSetup(userId: string): Promise<StoredSetup | undefined> {
  const { data, error } = await supabase()
    .from('booking_setups')
    .select('setup, updated_at')
    .eq('user_id', userId)
    .maybeSingle()
  if (error) return undefined
  if (!data) return { setup: noSetup, version: null }
  const { success, data: row } = z.safeParse(z.object({ setup: z.unknown(), updated_at: z.string() }), data)
  return success ? { setup: parseSetup(row.setup), version: row.updated_at } : undefined
}

export type SetupSaved =
  | { kind: 'saved'; version: string }
  /** Another tab or device has saved since `version`. */
  | { kind: 'overtaken'; theirs: StoredSetup }
  | { kind: 'failed' }

/** Saves what can be booked over the version that it is based on. */
export async function saveBookingSetup(
  userId: string,
  setup: BookingSetup,
  version: string | null,
): Promise<SetupSaved> {
  const table = supabase().from('booking_setups')
  const { data, error } = await (
    version === null
      ? table.upsert({ user_id: userId, setup }, { onConflict: 'user_id', ignoreDuplicates: true })
      : table.update({ setup }).eq('user_id', userId).eq('updated_at', version)
  )
    .select('updated_at')
    .maybeSingle()
  if (error) return { kind: 'failed' }
  if (data) return { kind: 'saved', version: data.updated_at }
  const theirs = await readBookingSetup(userId)
  return theirs?.version ? { kind: 'overtaken', theirs } : { kind: 'failed' }
}

/** Reads all bookings of this customer, oldest first; undefined without a readable answer. */
export async function readBookings(userId: string): Promise<Booking[] | undefined> {
  const rows = await ownRows('bookings', booking, userId)
  return z.safeParse(z.array(booking), rows).data
}

/** Reads the messages that a customer's agent has taken, oldest first; undefined without a readable answer. */
export async function readMessages(userId: string): Promise<Message[] | undefined> {
  const rows = await ownRows('messages', message, userId)
  return z.safeParse(z.array(message), rows).data
}

/** Whether something was done: false if the database did not answer, `overtaken` if it was decided otherwise before. */
export type IsDone = boolean | 'overtaken'
export const overtaken = 'This was changed meanwhile. You see how it stands now.'

/** Confirms or declines a request. */
export async function decideBooking(id: string, confirms: boolean): Promise<IsDone> {
  const { data, error } = await supabase().rpc('decide_booking', { p_booking: id, p_confirms: confirms })
  return !error && (data || 'overtaken')
}

/** Cancels a booking, which frees what it takes. Returns false if the database did not answer. */
export const cancelBooking = (id: string): Promise<boolean> =>
  isAnswered(supabase().rpc('cancel_my_booking', { p_booking: id }))

/** Has the owner's calendars show a booking as it stands here. Returns false if the database did not answer. */
export const putEventBack = (id: string): Promise<boolean> =>
  isAnswered(supabase().rpc('put_event_back', { p_booking: id }))

/** Cancels what is open of the number of a booking, and blocks the number. Returns false if it did not. */
export const cancelAllAndBlock = (id: string): Promise<boolean> =>
  isAnswered(supabase().rpc('cancel_all_and_block', { p_booking: id }))

/** Notes that the owner is done with a booking, or is not: the caller is told, or what was booked is read. Returns false if the database did not answer. */
export const noteTold = (id: string, isDone: boolean): Promise<boolean> =>
  isAnswered(supabase().rpc('note_told', { p_booking: id, p_is_done: isDone }))

/** Notes that a message has been answered, or that it has not. Returns false if the database did not answer. */
export const noteMessageDone = (id: string, isDone: boolean): Promise<boolean> =>
  isAnswered(supabase().rpc('note_message_done', { p_message: id, p_is_done: isDone }))

/** When the owner's own events take time: of a unit, or of all if it is null. */
export interface BusyTime {
  unit: string | null
  /** ISO 8601. */
  starts_at: string
  ends_at: string
}
const busyTimes = z.array(
  z.object({ unit: z.nullable(z.string()), starts_at: z.string(), ends_at: z.string() }),
)

/** Reads when the owner's own events take time between two moments; none without a readable answer. */
export async function readBusyTimes(from: Date, until: Date): Promise<BusyTime[]> {
  const { data } = await supabase().rpc('my_busy_times', {
    p_from: from.toISOString(),
    p_until: until.toISOString(),
  })
  return z.safeParse(busyTimes, data).data ?? []
}

const isAnswered = async (answer: PromiseLike<{ error: unknown }>): Promise<boolean> => !(await answer).error

const ownRows = (table: 'bookings' | 'messages', { shape }: { shape: object }, userId: string) =>
  allRowsSince(
    () => supabase().from(table).select(Object.keys(shape).join(', ')).eq('user_id', userId),
    'created_at',
  )

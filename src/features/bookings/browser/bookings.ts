import * as z from 'zod/mini'
import { noSetup, parseSetup, type BookingSetup } from '#bookings/domain/booking-setup.ts'
import { booking, type Booking } from '#bookings/domain/booking.ts'
import { message, type Message } from '#bookings/domain/message.ts'
import { allRows, supabase } from '#platform/browser/supabase.ts'

/**
 * Reads what can be booked at a customer's, with its version; undefined without an answer.
 * @returns an empty set-up, and no version, if there is none
 */
export async function readBookingSetup(
  userId: string,
): Promise<{ setup: BookingSetup; version: string | null } | undefined> {
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

const ownRows = (table: 'bookings' | 'messages', { shape }: { shape: object }, userId: string) =>
  allRows<unknown>((from, to) =>
    supabase()
      .from(table)
      .select(Object.keys(shape).join(', '))
      .eq('user_id', userId)
      .order('created_at')
      .order('id')
      .range(from, to),
  )

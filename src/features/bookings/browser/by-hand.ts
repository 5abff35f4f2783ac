import * as z from 'zod/mini'
import { accessToken } from '#account/browser/session.ts'
import {
  handOutcome,
  handTimesAnswer,
  type HandOutcome,
  type HandTimesAnswer,
  type HandTimesRequest,
} from '#bookings/domain/by-hand.ts'
import { invokeFunction } from '#platform/browser/functions.ts'
import { supabase } from '#platform/browser/supabase.ts'

/** Finds the times of a day at which the owner can book by hand; undefined without a readable answer. */
export async function findHandTimes(body: HandTimesRequest): Promise<HandTimesAnswer['times'] | undefined> {
  const found = await invokeFunction('booking-times', {
    body,
    answer: handTimesAnswer,
    accessToken: await accessToken(),
  })
  return found.ok ? found.value.times : undefined
}

/** For whom the owner books by hand. Its texts are not empty. */
export interface Guest {
  name: string
  /** In E.164. */
  phone: string | null
  email: string | null
}

/** Books a time by hand. Returns undefined without a readable answer. */
export async function addBooking(
  offer: string,
  { name, phone, email }: Guest,
  overbooks: boolean,
): Promise<HandOutcome | undefined> {
  const { data } = await supabase().rpc('add_my_booking', {
    p_offer: offer,
    p_name: name,
    p_overbooks: overbooks,
    p_phone_number: phone ?? undefined,
    p_email: email ?? undefined,
  })
  return z.safeParse(handOutcome, data).data
}

/** Moves a booking by hand, or proposes another time for a request. Returns undefined without a readable answer. */
export async function moveBooking(
  id: string,
  offer: string,
  overbooks: boolean,
): Promise<HandOutcome | undefined> {
  const { data } = await supabase().rpc('move_my_booking', {
    p_booking: id,
    p_offer: offer,
    p_overbooks: overbooks,
  })
  return z.safeParse(handOutcome, data).data
}

import * as z from 'zod/mini'
import { accessToken } from '#account/browser/session.ts'
import { ownCalendar, type OwnCalendar } from '#bookings/domain/own-calendar.ts'
import { invokeFunction } from '#platform/browser/functions.ts'
import { supabase } from '#platform/browser/supabase.ts'

/** Reads the owner's calendars, the first that was connected first; undefined without a readable answer. */
export async function readOwnCalendars(): Promise<OwnCalendar[] | undefined> {
  const columns = Object.keys(ownCalendar.shape).join(', ')
  const { data } = await supabase().from('calendars').select(columns).order('created_at')
  return z.safeParse(z.array(ownCalendar), data).data
}

/** Changes what a calendar is for. Returns whether it is changed. */
export async function changeCalendar(
  id: string,
  changes: Partial<Pick<OwnCalendar, 'unit' | 'if_silent' | 'accepts_delay'>>,
): Promise<boolean> {
  const { data } = await supabase().from('calendars').update(changes).eq('id', id).select('id')
  return data?.length === 1
}

/** Connects a private address (iCal); without a name it is called as its server. Returns its id; null if there are too many, undefined if it was not connected. */
export async function connectAddress(url: string, name: string): Promise<string | null | undefined> {
  const { data, error } = await supabase().rpc('connect_calendar', { p_url: url, p_name: name })
  return error ? undefined : z.safeParse(z.nullable(z.string()), data).data
}

/** Removes a private address, with what is known of it. Returns whether it is gone. */
export async function removeAddress(id: string): Promise<boolean> {
  const { error } = await supabase().from('calendars').delete().eq('id', id)
  return !error
}

/** Asks all calendars now. Returns what went wrong, in a sentence; undefined if they were asked. */
export async function readCalendarsNow(): Promise<string | undefined> {
  const read = await invokeFunction('read-calendars', {
    body: {},
    answer: z.object({}),
    accessToken: await accessToken(),
  })
  return read.ok ? undefined : read.failure.message
}

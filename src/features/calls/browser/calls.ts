import * as z from 'zod/mini'
import {
  call,
  callOverview,
  callPage,
  type Call,
  type CallOverview,
  type CallPage,
} from '#calls/domain/calls.ts'
import { allRows } from '#platform/browser/all-rows.ts'
import { supabase } from '#platform/browser/supabase.ts'

/** PostgreSQL's code for an unknown time zone: a browser may know newer ones. */
const unknownTimeZone = '22023'

/** Reads the signed-in customer's figures; null if there is no subscription, undefined if there is no answer. */
export async function readCallOverview(): Promise<CallOverview | null | undefined> {
  const read = (p_time_zone: string) => supabase().rpc('call_overview', { p_time_zone })
  let { data, error } = await read(Intl.DateTimeFormat().resolvedOptions().timeZone)
  if (error?.code === unknownTimeZone) ({ data, error } = await read('UTC'))
  return error ? undefined : z.safeParse(z.nullable(callOverview), data).data
}

/**
 * Reads a page of the signed-in customer's calls, latest first; undefined if there is no readable answer.
 * @param after the id of the last call of the page before; null for the first page
 * @param limit 1 to 100
 */
export async function listCalls(
  search: string,
  after: string | null,
  limit: number,
): Promise<CallPage | undefined> {
  const { data, error } = await supabase().rpc('list_calls', {
    p_search: search,
    p_limit: limit,
    ...(after === null ? {} : { p_after: after }),
  })
  return error ? undefined : z.safeParse(callPage, data).data
}

/** Reads all calls of this customer, oldest first; undefined if there is no readable answer. */
export async function readAllCalls(userId: string): Promise<Call[] | undefined> {
  const rows = await allRows<unknown>((from, to) =>
    supabase()
      .from('calls')
      .select(
        'id, kind, direction, phone_number, started_at, seconds, about, outcome, sentiment, succeeded, transcript',
      )
      .eq('user_id', userId)
      .order('started_at')
      .order('id')
      .range(from, to),
  )
  return z.safeParse(z.array(call), rows).data
}

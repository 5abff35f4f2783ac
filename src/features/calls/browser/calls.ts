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

/** Postgres' code for a time zone that it does not know, as a browser may know newer ones. */
const unknownTimeZone = '22023'

/** The signed-in customer's period in figures; null where there is no subscription; undefined without an answer. */
export async function readCallOverview(): Promise<CallOverview | null | undefined> {
  const read = (p_time_zone: string) => supabase().rpc('call_overview', { p_time_zone })
  let { data, error } = await read(Intl.DateTimeFormat().resolvedOptions().timeZone)
  if (error?.code === unknownTimeZone) ({ data, error } = await read('UTC'))
  return error ? undefined : z.safeParse(z.nullable(callOverview), data).data
}

/**
 * Calls of the signed-in customer, latest first; undefined without a readable answer.
 * @param after the call after which the list goes on; null for its beginning
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

/** Every call that is this customer's, oldest first; undefined without a readable answer. */
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

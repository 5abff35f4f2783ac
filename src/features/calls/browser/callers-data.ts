import { atom } from 'nanostores'
import * as z from 'zod/mini'
import { callerTraces, type CallerTraces } from '#calls/domain/caller-traces.ts'
import { parseRetention, type KeepDays, type Retention } from '#calls/domain/retention.ts'
import { supabase } from '#platform/browser/supabase.ts'

/** Reads how long this customer keeps what callers have said and left; undefined without a readable answer. */
export async function readRetention(userId: string): Promise<Retention | undefined> {
  const { data, error } = await supabase()
    .from('retention')
    .select('keep_days, is_from_before, told_at')
    .eq('user_id', userId)
    .maybeSingle()
  return error ? undefined : parseRetention(data, Date.now())
}

/** Chooses how long this customer keeps it. Returns whether that succeeded. */
export const saveKeepDays = async (userId: string, keep_days: KeepDays): Promise<boolean> =>
  !(await supabase().from('retention').upsert({ user_id: userId, keep_days })).error

/**
 * Reads what there is of the caller of a call, a message or a booking of this customer; undefined without a readable answer.
 * @param id that of the row
 */
export async function readTraces(id: string): Promise<CallerTraces | undefined> {
  const { data, error } = await supabase().rpc('caller_traces', { p_id: id })
  return error ? undefined : z.safeParse(callerTraces, data).data
}

/** Counts how often a caller was forgotten in this page: what is shown of callers is read again then. */
export const $forgotten = atom(0)

/**
 * Removes what there is of a caller, and returns what it was; undefined without a readable answer.
 * @param unblocks whether the agent answers the caller's numbers again
 */
export async function forgetCaller(id: string, unblocks: boolean): Promise<CallerTraces | undefined> {
  const { data, error } = await supabase().rpc('forget_caller', { p_id: id, p_unblocks: unblocks })
  if (!error) $forgotten.set($forgotten.get() + 1)
  return error ? undefined : z.safeParse(callerTraces, data).data
}

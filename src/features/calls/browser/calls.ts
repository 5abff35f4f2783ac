import * as z from 'zod/mini'
import {
  call,
  callOverview,
  callPage,
  listedCall,
  markedCall,
  type Call,
  type CallMark,
  type CallOverview,
  type CallPage,
  type ListedCall,
  type MarkedCall,
  recordingBucket,
} from '#calls/domain/calls.ts'
import { allRowsSince, filesOf, supabase } from '#platform/browser/supabase.ts'

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
    p_after: after ?? undefined,
  })
  return error ? undefined : z.safeParse(callPage, data).data
}

/** Reads a call of this customer; null if the customer has no such call, undefined if there is no readable answer. */
export async function readCall(id: string): Promise<ListedCall | null | undefined> {
  if (!z.safeParse(z.guid(), id).success) return null
  const { data, error } = await supabase().rpc('read_call', { p_call: id })
  return error ? undefined : z.safeParse(z.nullable(listedCall), data).data
}

/** Marks a call of this customer; null if it is marked already, undefined if there is no readable answer. */
export async function markCall(id: string, mark: CallMark): Promise<MarkedCall | null | undefined> {
  const { data, error } = await supabase().rpc('mark_call', { p_call: id, p_kind: mark })
  return error ? undefined : z.safeParse(z.nullable(markedCall), data).data
}

/**
 * Takes back what this customer has marked a call as.
 * @returns how many minutes it costs again; null if it is not marked, undefined if there is no readable answer
 */
export async function unmarkCall(id: string): Promise<number | null | undefined> {
  const { data, error } = await supabase().rpc('unmark_call', { p_call: id })
  return error ? undefined : z.safeParse(z.nullable(z.number()), data).data
}

/** Notes that the owner has listened to a doubtful call, or has not. Returns false if the database did not answer. */
export const noteHeard = async (id: string, isDone: boolean): Promise<boolean> =>
  !(await supabase().rpc('note_heard', { p_call: id, p_is_done: isDone })).error

/** How long the URL of a recording opens, in seconds: long enough to hear it several times. */
const lifetime = 2 * 3_600

/** Returns a URL under which a recording can be heard for a while; undefined if there is no answer. */
export async function recordingUrl(path: string): Promise<string | undefined> {
  const answer = await (await filesOf(recordingBucket))?.createSignedUrl(path, lifetime)
  return answer?.data?.signedUrl
}

const storedRecording = z.object({ call_id: z.string(), path: z.string() })

/** Reads which recordings of calls this customer has, oldest first; undefined if there is no readable answer. */
export async function readRecordings(userId: string): Promise<z.infer<typeof storedRecording>[] | undefined> {
  const kept = () =>
    supabase()
      .from('call_recordings')
      .select('call_id, path, kept_at')
      .eq('user_id', userId)
      .not('kept_at', 'is', null)
  const rows = await allRowsSince(kept, 'kept_at', 'call_id')
  return z.safeParse(z.array(storedRecording), rows).data
}

/** Reads a recording; null if there is no answer. */
export async function downloadRecording(path: string): Promise<Blob | null> {
  const answer = await (await filesOf(recordingBucket))?.download(path)
  return answer?.data ?? null
}

/** Reads all calls of this customer, oldest first; undefined if there is no readable answer. */
export async function readAllCalls(userId: string): Promise<Call[] | undefined> {
  const own = () =>
    supabase()
      .from('calls')
      .select(
        'id, kind, direction, phone_number, started_at, seconds, about, outcome, sentiment, succeeded, limited_by, transcript',
      )
      .eq('user_id', userId)
  const rows = await allRowsSince(own, 'started_at')
  return z.safeParse(z.array(call), rows).data
}

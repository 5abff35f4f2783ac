import * as z from 'zod/mini'
import { inboxPage, type InboxFilter, type InboxItem, type InboxPage } from '#portal/domain/inbox.ts'
import { noteHeard } from '#calls/browser/calls.ts'
import { noteQuestionDone } from '#calls/browser/questions.ts'
import { noteMessageDone, noteTold } from '#bookings/browser/bookings.ts'
import { supabase } from '#platform/browser/supabase.ts'

/**
 * Reads a page of the signed-in customer's inbox; undefined without a readable answer.
 * @param after the last entry of the page before; null for the first page
 */
export async function listInbox(
  { isDone, kind, search }: InboxFilter,
  after: InboxItem | null,
  limit: number,
): Promise<InboxPage | undefined> {
  const { data, error } = await supabase().rpc('list_inbox', {
    p_is_done: isDone,
    p_kind: kind,
    p_search: search,
    p_limit: limit,
    p_after_waits: after?.waits,
    p_after_at: isDone ? (after?.done_at ?? undefined) : after?.at,
    p_after: after?.id,
  })
  return error ? undefined : z.safeParse(inboxPage, data).data
}

/** Notes that an entry is done, or that it is not. Returns false if the database did not answer. */
export function noteDone({ kind, why, id }: InboxItem, isDone: boolean): Promise<boolean> {
  if (kind === 'message') return noteMessageDone(id, isDone)
  if (kind === 'question') return noteQuestionDone(id, isDone)
  return kind === 'call_back' && why !== 'decided' ? noteHeard(id, isDone) : noteTold(id, isDone)
}

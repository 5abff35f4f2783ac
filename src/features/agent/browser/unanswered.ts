import * as z from 'zod/mini'
import { doesNotKnowIn } from '#agent/domain/knowledge/does-not-know.ts'
import type { TranscribedCall } from '#agent/domain/knowledge/unanswered.ts'
import { supabase } from '#platform/browser/supabase.ts'

const rows = z.array(z.object({ started_at: z.string(), transcript: z.string() }))

/** The number of calls that are read, the latest first. */
const most = 200

/**
 * Reads this customer's calls in which the agent did not know an answer; undefined without a readable answer. An
 * apostrophe matches any character, because transcripts write it in two ways.
 */
export async function readCallsWithUnanswered(): Promise<TranscribedCall[] | undefined> {
  const contains = Object.values(doesNotKnowIn).map(
    (sentence) => `transcript.ilike.*${sentence.replace('’', '_')}*`,
  )
  const { data, error } = await supabase()
    .from('calls')
    .select('started_at, transcript')
    .neq('kind', 'spam')
    .or(contains.join(','))
    .order('started_at', { ascending: false })
    .limit(most)
  return error ? undefined : z.safeParse(rows, data).data
}

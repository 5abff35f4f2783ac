import * as z from 'zod/mini'
import { readPage, type Page } from '#admin/browser/content/records.ts'
import { supabase } from '#platform/browser/supabase.ts'
import type { Result } from '#platform/domain/result.ts'
import { failureReason, refused } from './admin-failure.ts'

const givenUpJob = z.object({
  kind: z.string(),
  /** What the job is about, such as an account or an invoice. */
  key: z.string(),
  since: z.string(),
  /** The code of what failed last. */
  error: z.string(),
})
export type GivenUpJob = z.infer<typeof givenUpJob>

/** Reads the jobs that were given up, those first that have waited longest. */
export const readGivenUpJobs = async (page: number): Promise<Page<GivenUpJob> | undefined> =>
  readPage(givenUpJob, supabase().rpc('given_up_jobs'), page)

/** Makes a job due as if it were new; the clock does it within a minute. */
export async function retryJob({ kind, key }: GivenUpJob): Promise<Result<true>> {
  const answer = await supabase().rpc('retry_given_up_job', { p_kind: kind, p_key: key })
  if (answer.error) return refused(failureReason(answer))
  return answer.data ? { ok: true, value: true } : refused('This job is done by now.')
}

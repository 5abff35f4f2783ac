import * as z from 'zod/mini'
import { publishAnswer, type PublishAnswer } from '#admin/domain/contracts.ts'
import type { Result } from '#platform/domain/result.ts'
import { invokeFunction, type FunctionFailure } from '#platform/browser/functions.ts'
import { accessToken } from '#account/browser/session.ts'
import { supabase } from '#platform/browser/supabase.ts'

/** Asks for a new build of the site with what the database holds now. */
export const publish = async (): Promise<Result<PublishAnswer, FunctionFailure>> =>
  invokeFunction('publish', { body: {}, answer: publishAnswer, accessToken: await accessToken() })

export interface FailedBuild {
  id: number
  /** What the build said. */
  problem: string
}

const failedBuild = z.object({ id: z.number(), after: z.object({ problem: z.string() }) })

/** The last build that failed; undefined where none has, and without a readable answer. */
export async function lastFailedBuild(): Promise<FailedBuild | undefined> {
  const { data } = await supabase()
    .from('audit_log')
    .select('id, after')
    .eq('subject', 'site')
    .eq('action', 'failed to publish')
    .order('id', { ascending: false })
    .limit(1)
    .maybeSingle()
  const found = z.safeParse(failedBuild, data).data
  return found && { id: found.id, problem: found.after.problem }
}

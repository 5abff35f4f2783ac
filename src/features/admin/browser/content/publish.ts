import * as z from 'zod/mini'
import { publishAnswer, type PublishAnswer } from '#admin/domain/contracts.ts'
import type { Result } from '#platform/domain/result.ts'
import type { FunctionFailure } from '#platform/browser/functions.ts'
import { invokeAsUser } from '#account/browser/invoke-as-user.ts'
import { supabase } from '#platform/browser/supabase.ts'

/** Requests a new build of the site from the present database. */
export const publish = (): Promise<Result<PublishAnswer, FunctionFailure>> =>
  invokeAsUser('publish', {}, publishAnswer)

interface FailedBuild {
  id: number
  /** The output of the build. */
  problem: string
}

const failedBuild = z.object({ id: z.number(), after: z.object({ problem: z.string() }) })

/** Reads the last failed build; undefined if there is none, or no readable answer. */
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

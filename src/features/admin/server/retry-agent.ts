import * as z from 'zod/mini'
import type { RetryAgentAnswer } from '#admin/domain/contracts.ts'
import type { Result } from '#platform/domain/result.ts'
import { runSql } from '#platform/server/database.ts'
import { startJob } from '#platform/server/jobs.ts'
import type { Services } from '#platform/server/services.ts'
import { agents } from '#telephony/server/update-agent.ts'
import { checkAdmin } from './check-admin.ts'

/** Asks the voice provider again for an account's agent, whether or not its next try is due. */
export async function retryAgent(
  { account }: { account: string },
  connected: Services,
  { request }: { request: Request },
): Promise<Result<RetryAgentAnswer>> {
  const denied = await checkAdmin(request, connected)
  if (denied) return { ok: false, failure: denied }
  const job = { p_kind: agents.kind, p_key: account }
  const waits = await runSql(connected.supabase, 'retry_job', job, z.boolean())
  return { ok: true, value: { updated: waits && (await startJob(agents, account, connected)) } }
}

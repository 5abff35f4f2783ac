import type { RetryAgentAnswer } from '#admin/domain/contracts.ts'
import type { Result } from '#platform/domain/result.ts'
import { retryJob } from '#platform/server/jobs.ts'
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
  return { ok: true, value: { updated: await retryJob(agents, account, connected) } }
}

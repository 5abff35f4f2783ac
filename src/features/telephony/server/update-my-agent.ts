import * as z from 'zod/mini'
import { signedInUser } from '#account/server/signed-in-user.ts'
import type { Result } from '#platform/domain/result.ts'
import { runSql } from '#platform/server/database.ts'
import { ipAddressOf, takeRateLimit } from '#platform/server/rate-limit.ts'
import type { Services } from '#platform/server/services.ts'
import type { UpdateMyAgentAnswer } from '#telephony/domain/contracts.ts'
import { updateAgents } from './update-agent.ts'

/**
 * Updates the signed-in customer's agents at the voice provider, so that nobody waits for the next scheduled run.
 * @throws DatabaseError
 */
export async function updateMyAgent(
  request: Request,
  connected: Services,
): Promise<Result<UpdateMyAgentAnswer>> {
  const user = await signedInUser(request, connected)
  if (!user.ok) return user
  const { id } = user.value
  const keys = { ipAddress: ipAddressOf(request), subject: id }
  const rateLimited = await takeRateLimit('agent', keys, connected)
  if (rateLimited) return { ok: false, failure: rateLimited }
  const agents = await runSql(connected.supabase, 'want_voice_agent', { p_user_id: id }, z.array(z.string()))
  let updated = false
  for (const agent of agents) updated = (await updateAgents(connected, agent)).length > 0 || updated
  return { ok: true, value: { wanted: agents.length > 0, updated } }
}

import * as z from 'zod/mini'
import { signedInUser } from '#account/server/signed-in-user.ts'
import { parseKnowledge } from '#agent/domain/knowledge/knowledge.ts'
import type { Failure } from '#platform/domain/failures.ts'
import type { Result } from '#platform/domain/result.ts'
import { runSql } from '#platform/server/database.ts'
import { logFailure } from '#platform/server/log.ts'
import { ipAddressOf, takeRateLimit } from '#platform/server/rate-limit.ts'
import type { Services } from '#platform/server/services.ts'
import { nowAt } from '#telephony/domain/ring.ts'
import type { TestTicket } from '#telephony/domain/voice-line.ts'
import { voiceLine } from './connect-voice-line.ts'
import { VoiceLineError } from './voice-line.ts'

/** The agent that a customer wants to call (SQL: `agent_to_test`). */
const testedAgent = z.nullable(
  z.object({
    provider_id: z.nullable(z.string()),
    is_entitled: z.boolean(),
    knowledge: z.pipe(z.unknown(), z.transform(parseKnowledge)),
  }),
)

const problems = {
  stopped: { code: 'forbidden', message: 'Your agent answers once your plan is paid and active.' },
  absent: {
    code: 'not_configured',
    message: 'Your agent cannot be called from the browser yet. Test it with “Start AI Conversation”.',
  },
  away: {
    code: 'provider_unavailable',
    message:
      'The voice provider does not answer. Test your agent with “Start AI Conversation”, or try again later.',
  },
} as const satisfies Record<string, Failure>
const failed = (problem: keyof typeof problems): Result<never> => ({ ok: false, failure: problems[problem] })

/**
 * Asks the voice provider for a call from the browser to an agent of the signed-in customer. It costs no minutes: the
 * provider reports it as a test.
 * @param asked the agent's `account`
 * @throws DatabaseError
 */
export async function startTestCall(
  asked: string,
  request: Request,
  connected: Services,
): Promise<Result<TestTicket>> {
  const user = await signedInUser(request, connected)
  if (!user.ok) return user
  const { id } = user.value
  const keys = { ipAddress: ipAddressOf(request), subject: id }
  const rateLimited = await takeRateLimit('test_call', keys, connected)
  if (rateLimited) return { ok: false, failure: rateLimited }
  const agent = await runSql(
    connected.supabase,
    'agent_to_test',
    { p_user_id: id, p_agent: asked },
    testedAgent,
  )
  if (agent && !agent.is_entitled) return failed('stopped')
  if (!agent?.provider_id) return failed('absent')
  const line = await voiceLine(connected.env)
  if (!line) return failed('absent')
  const now = nowAt(agent.knowledge.timeZone, Date.now())
  try {
    return { ok: true, value: await line.test(agent.provider_id, id, now) }
  } catch (error) {
    if (!(error instanceof VoiceLineError)) throw error
    logFailure('start-test-call', error)
    return failed('away')
  }
}

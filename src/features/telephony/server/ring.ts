import * as z from 'zod/mini'
import { minutePackage } from '#plans/domain/plans.ts'
import type { LineHooks } from './voice-line.ts'
import { readAtRing } from '#bookings/server/own-calendars.ts'
import { currentRequest } from '#platform/server/current-request.ts'
import { runSql } from '#platform/server/database.ts'
import { checkMethod, readText } from '#platform/server/request.ts'
import { failureResponse, jsonResponse, refuseSignature } from '#platform/server/responses.ts'
import { services } from '#platform/server/services.ts'
import { logFailure } from '#platform/server/log.ts'
import { withoutCostly } from '#telephony/domain/destinations.ts'
import { decide, needsPackage, ringFacts, type RingFacts } from '#telephony/domain/ring.ts'
import type { RingAnswer } from '#telephony/domain/voice-line.ts'

/** The largest question, in bytes. */
const bodyLimit = 64 * 1024

/**
 * Answers the voice provider's question what becomes of a ringing call, with one request to the database, or two
 * if the agent may not simply answer, and none to a provider. If this fails, the provider rings the number's fallback.
 * @param hooks undefined if the provider is not connected: its signature cannot be valid
 * @throws EnvironmentError, DatabaseError
 */
export async function answerRing(request: Request, hooks: LineHooks | undefined): Promise<Response> {
  const problem = checkMethod(request)
  if (problem) return failureResponse(problem)
  const body = await readText(request, bodyLimit)
  if (!body.ok) return failureResponse(body.failure)
  const question = await hooks?.readRing(request, body.value)
  if (!question || question.type === 'forged') return refuseSignature('ring', hooks ? 'wrong' : 'no secret')
  if (question.type === 'other') return jsonResponse({})
  const { number, caller, call } = question
  const rung = { p_number: number, p_caller: caller, p_call: call }
  const facts = await runSql(services().supabase, 'ring_facts', rung, z.nullable(ringFacts))
  const now = Date.now()
  const answer = decide(facts && (await covered(withoutCostly(facts), now)), now)
  // The caller is answered all the same; the line is free once the longest call would have ended.
  if (call && answer.action !== 'answer')
    await freeLine(call, answer).catch((error: unknown) => logFailure('ring', error))
  if (facts && answer.action === 'answer') {
    const log = (error: unknown): void => logFailure('ring', error)
    const read = readAtRing(facts.account, services().supabase).catch(log)
    const context = currentRequest()?.context
    if (context) context.waitUntil(read)
    else await read
  }
  return hooks!.answerRing(answer)
}

const outcomes = { message: null, forward: 'Put through', refuse: 'Turned away' } as const

/** Notes that a call takes no line. If a limit keeps it from the agent, there is no report, but a line in the log of calls. */
async function freeLine(call: string, answer: Exclude<RingAnswer, { action: 'answer' }>): Promise<void> {
  const { limit = null } = answer
  const freed = { p_call: call, p_limit: limit, p_outcome: limit && outcomes[answer.action] }
  await runSql(services().supabase, 'free_line', freed, z.unknown())
}

/** Reserves a package for a call beyond the limit, if the customer wants that and the cap allows it. */
async function covered(facts: RingFacts, now: number): Promise<RingFacts> {
  if (!needsPackage(facts, now)) return facts
  const { minutes, cents } = minutePackage
  const bought = { p_user_id: facts.account, p_minutes: minutes, p_cents: cents }
  const limit = await runSql(services().supabase, 'cover_ring', bought, z.nullable(z.number()))
  return { ...facts, minutes_limit: limit }
}

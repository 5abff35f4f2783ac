import * as z from 'zod/mini'
import { minutePackage } from '#plans/domain/plans.ts'
import type { LineHooks } from './voice-line.ts'
import { runSql } from '#platform/server/database.ts'
import { checkMethod, readText } from '#platform/server/request.ts'
import { failureResponse, jsonResponse } from '#platform/server/responses.ts'
import { refuseSignature } from '#platform/server/signature.ts'
import { services } from '#platform/server/services.ts'
import { decide, needsPackage, ringFacts, type RingFacts } from '#telephony/domain/ring.ts'

/** The largest question, in bytes. */
const bodyLimit = 64 * 1024

/**
 * Answers the voice provider's question what becomes of a ringing call, with one request to the database, or two
 * at the limit of the minutes, and none to a provider. If this fails, the provider rings the number's fallback.
 * @param hooks undefined if the provider is not connected: its signature cannot be valid
 * @throws EnvironmentError, DatabaseError
 */
export async function answerRing(request: Request, hooks: LineHooks | undefined): Promise<Response> {
  const problem = checkMethod(request)
  if (problem) return failureResponse(problem)
  const body = await readText(request, bodyLimit)
  if (!body.ok) return failureResponse(body.failure)
  const question = await hooks?.readRing(request, body.value)
  if (!question || question.of === 'forgery') return refuseSignature('ring', hooks ? 'wrong' : 'no secret')
  if (question.of === 'nothing') return jsonResponse({})
  const rung = { p_number: question.number, p_caller: question.caller }
  const facts = await runSql(services().supabase, 'ring_facts', rung, z.nullable(ringFacts))
  return hooks!.answerRing(decide(facts && (await covered(facts)), Date.now()))
}

/** Reserves a package for a call beyond the limit, if the customer wants that and the cap allows it. */
async function covered(facts: RingFacts): Promise<RingFacts> {
  if (!needsPackage(facts)) return facts
  const { minutes, cents } = minutePackage
  const bought = { p_user_id: facts.account, p_minutes: minutes, p_cents: cents }
  const limit = await runSql(services().supabase, 'cover_ring', bought, z.nullable(z.number()))
  return { ...facts, minutes_limit: limit }
}

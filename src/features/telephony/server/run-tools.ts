import * as z from 'zod/mini'
import { runBookingTool } from '#bookings/server/run-booking-tool.ts'
import { DatabaseError, runSql } from '#platform/server/database.ts'
import { logFailure, logNotice } from '#platform/server/log.ts'
import { checkMethod, readText } from '#platform/server/request.ts'
import { failureResponse, jsonResponse, refuseSignature } from '#platform/server/responses.ts'
import { services } from '#platform/server/services.ts'
import type { ToolResult } from '#telephony/domain/voice-line.ts'
import { largestMessage, type LineHooks } from './voice-line.ts'

/** What the model gets if the database does not answer. Nothing may be promised then; the transcript has what the caller says. */
const unanswered = {
  error:
    'The calendar does not answer. Say so, and that nothing is booked. Ask for the name, the number and the wish: the staff read what was said.',
}

/**
 * Runs the tools that an agent calls while the caller is on the line, one after the other, and returns what the model is to
 * know. Whatever fails, the agent gets an answer: silence would be worse.
 * @param hooks undefined if the provider is not connected: its signature cannot be valid
 * @throws EnvironmentError
 */
export async function runTools(request: Request, hooks: LineHooks | undefined): Promise<Response> {
  const problem = checkMethod(request)
  if (problem) return failureResponse(problem)
  const body = await readText(request, largestMessage)
  if (!body.ok) return failureResponse(body.failure)
  const asked = await hooks?.readTools(request, body.value)
  if (!asked || asked.type === 'forged') return refuseSignature('vapi-tools', hooks ? 'wrong' : 'no secret')
  if (asked.type === 'other') return jsonResponse({ results: [] })
  const { supabase } = services()
  const { agent, account, call, caller, isTest, calls } = asked
  const results: ToolResult[] = []
  try {
    const owner = await runSql(supabase, 'account_of_agent', { p_agent: agent }, z.nullable(z.string()))
    if (!owner || (account && account !== owner)) {
      logNotice('vapi-tools', { ignored: owner ? 'another account' : 'unknown agent', call })
      return jsonResponse({ results: [] })
    }
    const booking = { account: owner, call, caller, isTrial: isTest }
    for (const { id, name, given } of calls) {
      const said = await runBookingTool(name, given, booking, supabase, Date.now())
      results.push({ id, name, result: JSON.stringify(said) })
    }
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error
    logFailure('vapi-tools', error)
    const result = JSON.stringify(unanswered)
    results.push(...calls.slice(results.length).map(({ id, name }) => ({ id, name, result })))
  }
  return hooks!.answerTools(results)
}

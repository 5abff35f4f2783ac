import { Webhook } from 'standardwebhooks'
import * as z from 'zod/mini'
import { callReport, type CallReportAnswer } from '#calls/domain/call-report.ts'
import { unansweredIn } from '#calls/domain/unanswered.ts'
import type { Failure } from '#platform/domain/failures.ts'
import { failureResponse, jsonResponse, refuseSignature } from '#platform/server/responses.ts'
import { runSql } from '#platform/server/database.ts'
import { voiceWebhookSecret } from '#platform/server/env.ts'
import { startJob } from '#platform/server/jobs.ts'
import { logNotice } from '#platform/server/log.ts'
import { checkMethod, parseJson, readText } from '#platform/server/request.ts'
import { services, type Services } from '#platform/server/services.ts'
import { packages } from '#billing/server/packages.ts'
import { usageAlerts } from './usage-alert.ts'

/** The largest report, in bytes; the transcript of an hour has about a tenth of it. */
const bodyLimit = 512 * 1024

const failures = {
  unknown_account: {
    code: 'unknown_account',
    message: 'This account does not exist. Do not send the report again.',
  },
  another_account: { code: 'another_account', message: 'This call was reported for another account.' },
} as const satisfies Record<string, Failure>

const outcome = z.enum(['recorded', 'updated', 'unknown_account', 'another_account'])

/**
 * Receives the voice provider's report of a call, signed as specified by https://www.standardwebhooks.com. The response to
 * a wrong signature is 400, and nothing is written. The response to a failure of ours is 500, and the provider sends the
 * report again. A call is debited once, however often it is reported (SQL: `report_call`).
 * @throws EnvironmentError, DatabaseError
 */
export async function receiveCallReport(request: Request): Promise<Response> {
  const problem = checkMethod(request)
  if (problem) return failureResponse(problem)
  const secret = voiceWebhookSecret()
  const signature = signatureOf(request)
  if (!secret || !signature) return refuseSignature('call-report', secret ? 'missing' : 'no secret')
  const body = await readText(request, bodyLimit)
  if (!body.ok) return failureResponse(body.failure)
  if (!isSigned(body.value, signature, secret)) return refuseSignature('call-report', 'wrong')
  const report = parseJson(body.value, callReport(Date.now()), {})
  if (!report.ok) return failureResponse(report.failure)

  const reported = await recordCall(report.value, services())
  return reported === 'unknown_account' || reported === 'another_account'
    ? failureResponse(failures[reported])
    : jsonResponse({ outcome: reported } satisfies CallReportAnswer)
}

/**
 * Writes down a reported call and debits its minutes, once however often it is reported (SQL: `report_call`). Mails the customer if the plan's minutes run out.
 * @throws DatabaseError
 */
export async function recordCall(
  { account, ...call }: z.output<ReturnType<typeof callReport>>,
  connected: Services,
): Promise<z.infer<typeof outcome>> {
  const p = { user_id: account, ...call, questions: unansweredIn(call.transcript ?? '') }
  const reported = await runSql(connected.supabase, 'report_call', { p }, outcome)
  if (reported === 'unknown_account' || reported === 'another_account') {
    logNotice('call-report', { refused: reported, account })
    return reported
  }
  // What the ring has reserved.
  await startJob(packages, account, connected)
  await startJob(usageAlerts, account, connected)
  return reported
}

type Signature = Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>

function signatureOf({ headers }: Request): Signature | undefined {
  const id = headers.get('webhook-id')
  const timestamp = headers.get('webhook-timestamp')
  const signature = headers.get('webhook-signature')
  if (!id || !timestamp || !signature) return undefined
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature }
}

/** Whether the signature is valid and not older than five minutes. */
function isSigned(body: string, signature: Signature, secret: string): boolean {
  const webhook = new Webhook(secret)
  try {
    webhook.verify(body, signature, { jsonParse: false })
    return true
  } catch {
    return false
  }
}

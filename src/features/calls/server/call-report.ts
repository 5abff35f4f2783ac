import { Webhook } from 'standardwebhooks'
import * as z from 'zod/mini'
import { callReport, type CallReportAnswer } from '#calls/domain/call-report.ts'
import type { Failure } from '#platform/domain/failures.ts'
import { answer, badSignature, refuse } from '#platform/server/responses.ts'
import { callSql } from '#platform/server/database.ts'
import { voiceWebhookSecret } from '#platform/server/env.ts'
import { logFailure, logNotice } from '#platform/server/log.ts'
import { checkMethod, parseJson, readText } from '#platform/server/request.ts'
import { services } from '#platform/server/services.ts'
import { mailUsageAlert } from './usage-alert.ts'

/** Of a report, in bytes; an hour's transcript is about a tenth. */
const bodyLimit = 512 * 1024

const failures = {
  unknown_account: { code: 'unknown_account', message: 'There is no such account. Do not send it again.' },
  another_account: { code: 'another_account', message: 'This call was reported of another account.' },
} as const satisfies Record<string, Failure>

const outcome = z.enum(['recorded', 'updated', 'unknown_account', 'another_account'])

/**
 * The voice provider's report of a call, signed as https://www.standardwebhooks.com says. A bad signature is 400 and
 * writes nothing; a failure is 500, and the provider sends the report again: a call is debited once, however often it
 * is reported (SQL: `report_call`).
 * @throws EnvironmentError, DatabaseError
 */
export async function receiveCallReport(request: Request): Promise<Response> {
  const problem = checkMethod(request)
  if (problem) return refuse(problem)
  const secret = voiceWebhookSecret()
  const signature = signatureOf(request)
  if (!secret || !signature) return refuse(badSignature)
  const body = await readText(request, bodyLimit)
  if (!body.ok) return refuse(body.failure)
  if (!isSigned(body.value, signature, secret)) return refuse(badSignature)
  const report = parseJson(body.value, callReport(Date.now()), {})
  if (!report.ok) return refuse(report.failure)

  const { account, ...call } = report.value
  const p = { user_id: account, ...call }
  const connected = services()
  const reported = await callSql(connected.supabase, 'report_call', { p }, outcome)
  if (reported === 'unknown_account' || reported === 'another_account') {
    logNotice('call-report', { refused: reported, account })
    return refuse(failures[reported])
  }
  // The call is known: whether its customer can be mailed is not the provider's concern. The next report tries again.
  await mailUsageAlert(account, connected).catch((error: unknown) => logFailure('call-report', error))
  return answer({ outcome: reported } satisfies CallReportAnswer)
}

type Signature = Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>

function signatureOf({ headers }: Request): Signature | undefined {
  const id = headers.get('webhook-id')
  const timestamp = headers.get('webhook-timestamp')
  const signature = headers.get('webhook-signature')
  if (!id || !timestamp || !signature) return undefined
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature }
}

/** Whether it is the provider's, and not older than five minutes; whatever the package makes of it else, it is not. */
function isSigned(body: string, signature: Signature, secret: string): boolean {
  const webhook = new Webhook(secret)
  try {
    webhook.verify(body, signature, { jsonParse: false })
    return true
  } catch {
    return false
  }
}

import * as z from 'zod/mini'
import type { ReportedCall } from '#telephony/domain/voice-line.ts'
import { voiceLine } from './connect-voice-line.ts'
import { callMails } from './call-mail.ts'
import { recordings } from './recordings.ts'
import { largestMessage, VoiceLineError, type LineHooks } from './voice-line.ts'
import { callReport } from '#calls/domain/call-report.ts'
import { recordCall } from '#calls/server/call-report.ts'
import { runSql } from '#platform/server/database.ts'
import type { HostContext } from '#platform/server/current-request.ts'
import { runJobs, startJob, type JobKind } from '#platform/server/jobs.ts'
import { logFailure, logNotice } from '#platform/server/log.ts'
import { checkMethod, readText } from '#platform/server/request.ts'
import { failureResponse, jsonResponse, refuseSignature } from '#platform/server/responses.ts'
import { services, type Services } from '#platform/server/services.ts'

/** What became of a provider's report. Only `recorded` and `updated` have written something. */
type Outcome = 'recorded' | 'updated' | 'ignored'
/** The owner is the account; null if nothing was written. */
interface Recorded {
  outcome: Outcome
  owner: string | null
}
/** After a report, no mail is begun after this time: the clock sends the others. */
const mailsTimeoutMs = 5_000
const ignoredCall: Recorded = { outcome: 'ignored', owner: null }

/**
 * Receives what the voice provider reports about calls. What must not be sent again gets a 2xx, because the provider
 * repeats everything else; a failure of ours is a 500.
 * @param hooks undefined if the provider is not connected: its signature cannot be valid
 * @throws EnvironmentError, DatabaseError
 */
export async function receiveCallEvent(
  request: Request,
  hooks: LineHooks | undefined,
  context: HostContext | undefined,
): Promise<Response> {
  const problem = checkMethod(request)
  if (problem) return failureResponse(problem)
  const body = await readText(request, largestMessage)
  if (!body.ok) return failureResponse(body.failure)
  const message = await hooks?.readMessage(request, body.value)
  if (!message || message.type === 'forged')
    return refuseSignature('call-events', hooks ? 'wrong' : 'no secret')
  const connected = services()
  const { outcome, owner } = message.type === 'other' ? ignoredCall : await record(message, connected)
  if (message.type === 'call' && owner) {
    // If one of these fails, a scheduled function does it.
    const log = (error: unknown): void => logFailure('call-events', error)
    const done = Promise.all([
      startJob(recordings, message.report.call_id, connected),
      runJobs(callMails, connected, { until: Date.now() + mailsTimeoutMs }).catch(log),
    ])
    if (context) context.waitUntil(done)
    else await done
  }
  return jsonResponse({ outcome })
}

/** Writes down a call for the account whose agent had it. Ignores calls of unknown agents and unreadable reports. */
async function record({ agent, account, report }: ReportedCall, connected: Services): Promise<Recorded> {
  const ignored = (reason: string): Recorded => {
    logNotice('call-events', { ignored: reason, call: report.call_id })
    return ignoredCall
  }
  const owner = await runSql(
    connected.supabase,
    'account_of_agent',
    { p_agent: agent },
    z.nullable(z.string()),
  )
  if (!owner) return ignored('unknown agent')
  if (account && account !== owner) return ignored('another account')
  const parsed = z.safeParse(callReport(Date.now()), { ...report, account: owner })
  if (!parsed.success) return ignored('unreadable')
  const outcome = await recordCall(parsed.data, connected)
  await runSql(connected.supabase, 'want_recording', { p_call: report.call_id, p_agent: agent }, z.boolean())
  return outcome === 'recorded' || outcome === 'updated' ? { outcome, owner } : ignoredCall
}

/** How far an hourly run looks back, in milliseconds: three runs may fail. */
const lookBack = 4 * 3_600_000

/** Asks the voice provider for the calls of the last hours, and records those whose report was lost. */
export const lostCalls: JobKind = {
  kind: 'lost calls',
  everyMinutes: 60,
  isLong: true,
  async run(_, connected) {
    const line = await voiceLine(connected.env)
    if (!line) return
    const ended = await line.endedCalls(new Date(Date.now() - lookBack))
    const lost = await runSql(connected.supabase, 'unreported_calls', { p_ids: ended }, z.array(z.string()))
    for (const call of lost) {
      try {
        const report = await line.report(call)
        if (report) await record(report, connected)
      } catch (error) {
        // One call that cannot be read does not keep the others from being found.
        if (!(error instanceof VoiceLineError)) throw error
        logFailure('lost calls', error)
      }
    }
  },
}

import * as z from 'zod/mini'
import { formatNumber } from '#agent/domain/phone.ts'
import { site } from '#site'
import { momentLabel } from '#platform/domain/text/dates.ts'
import { durationLabel } from '#platform/domain/text/duration.ts'
import { routes } from '#platform/domain/routes.ts'
import { runSql } from '#platform/server/database.ts'
import type { ServerEnv } from '#platform/server/env.ts'
import { logFailure } from '#platform/server/log.ts'
import { MailError, sendMail } from '#platform/server/outgoing/mail.ts'
import type { Services } from '#platform/server/services.ts'

/** The number of mails that one run sends; the next run continues. */
const perRun = 50

const mailedCall = z.object({
  id: z.string(),
  phone_number: z.nullable(z.string()),
  direction: z.enum(['inbound', 'outbound']),
  started_at: z.string(),
  seconds: z.number(),
  about: z.nullable(z.string()),
  outcome: z.nullable(z.string()),
})
/** The calls about which one person is due a mail. The holder of the claim has one minute (SQL: `claim_call_mails`). */
const dueMail = z.object({
  claim: z.string(),
  email: z.string(),
  token: z.string(),
  business: z.nullable(z.string()),
  time_zone: z.nullable(z.string()),
  is_daily: z.boolean(),
  calls: z.array(mailedCall),
})
type DueMail = z.infer<typeof dueMail>

/**
 * Mails people about calls, as the customers want it. What could not be sent is due again after some minutes.
 * @param account mails only about this account's calls
 * @returns the claims of the mails that were sent
 * @throws DatabaseError
 */
export async function sendCallMails({ supabase, env }: Services, account?: string): Promise<string[]> {
  const sent: string[] = []
  for (let nth = 0; nth < perRun; nth++) {
    const args = account ? { p_user_id: account } : {}
    const due = await runSql(supabase, 'claim_call_mails', args, z.nullable(dueMail))
    if (!due) break
    const end = (p_mailed: boolean) =>
      runSql(supabase, 'end_call_mails', { p_claim: due.claim, p_mailed }, z.unknown())
    try {
      await sendMail({ kind: 'calls', to: due.email, ...mailOf(due, env) }, { env, supabase })
      await end(true)
      sent.push(due.claim)
    } catch (error) {
      if (!(error instanceof MailError)) throw error
      logFailure('call-mails', error)
      await end(false)
    }
  }
  return sent
}

function mailOf({ calls, business, time_zone, token, is_daily }: DueMail, env: ServerEnv) {
  const [first] = calls
  const owner = business ? ` for ${business}` : ''
  const name = first?.about ?? (first && numberOf(first)) ?? 'Number withheld'
  const subject =
    calls.length === 1 && !is_daily
      ? `Call: ${name}`
      : `Your agent took ${calls.length} ${calls.length === 1 ? 'call' : 'calls'}`
  const stop = new URL('/.netlify/functions/stop-call-mails', env.PUBLIC_SITE_URL)
  stop.searchParams.set('token', token)
  return {
    subject,
    text: `The ${site.name} agent${owner} took ${calls.length === 1 ? 'a call' : `${calls.length} calls`}.

${calls.map((call) => linesOf(call, time_zone, env)).join('\n\n')}

What to do next: if a caller expects to hear from you, call back. The links show what was said, to those who can log in.

You get this email because ${business ?? 'a customer of ours'} gave us your address. To stop these emails, open ${stop.href}
`,
  }
}

function linesOf(call: z.infer<typeof mailedCall>, timeZone: string | null, env: ServerEnv): string {
  const { direction, started_at, seconds, about, outcome, id } = call
  const number = numberOf(call) ?? 'number withheld'
  return [
    about ?? 'A call without a summary',
    outcome && `Outcome: ${outcome}`,
    `${direction === 'outbound' ? 'To' : 'From'} ${number}, ${momentIn(started_at, timeZone)}, ${durationLabel(seconds)}`,
    `${env.PUBLIC_SITE_URL}${routes.portal}#call-${id}`,
  ]
    .filter(Boolean)
    .join('\n')
}

const numberOf = ({ phone_number: number }: z.infer<typeof mailedCall>): string | null =>
  number === null ? null : formatNumber(number)

/** Writes a moment in the customer's time zone, or in UTC if our runtime does not know it. */
function momentIn(iso: string, timeZone: string | null): string {
  const label = (zone: string) => `${momentLabel(iso, zone)} (${zone})`
  try {
    return label(timeZone ?? 'UTC')
  } catch {
    return label('UTC')
  }
}

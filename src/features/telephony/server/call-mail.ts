import * as z from 'zod/mini'
import { formatNumber } from '#agent/domain/phone.ts'
import { booking, stateNames } from '#bookings/domain/booking.ts'
import { message } from '#bookings/domain/message.ts'
import { firstName, isHealthTrade, shownOutside } from '#bookings/domain/shown-outside.ts'
import { site } from '#site'
import { momentLabel } from '#platform/domain/text/dates.ts'
import { durationLabel } from '#platform/domain/text/duration.ts'
import { callPath } from '#platform/domain/call-path.ts'
import { runSql } from '#platform/server/database.ts'
import type { ServerEnv } from '#platform/server/env.ts'
import type { JobKind } from '#platform/server/jobs.ts'
import { contentKey, sendMail } from '#platform/server/outgoing/mail.ts'

const mailedCall = z.object({
  id: z.string(),
  phone_number: z.nullable(z.string()),
  direction: z.enum(['inbound', 'outbound']),
  started_at: z.string(),
  seconds: z.number(),
  about: z.nullable(z.string()),
  outcome: z.nullable(z.string()),
  /** What the call has booked, moved or cancelled. */
  bookings: z.array(
    z.pick(booking, { state: true, about: true, name: true, people: true, starts_at: true, ends_at: true }),
  ),
  messages: z.array(
    z.pick(message, { name: true, phone_number: true, about: true, message: true, is_urgent: true }),
  ),
})
/** The calls about which one reader is due a mail (SQL: `due_call_mails`). */
const dueMail = z.object({
  email: z.string(),
  business: z.nullable(z.string()),
  /** The template of the account's agent. */
  trade: z.nullable(z.string()),
  time_zone: z.nullable(z.string()),
  is_daily: z.boolean(),
  calls: z.array(mailedCall),
  wait: z.nullable(z.number()),
})
type DueMail = z.infer<typeof dueMail>

/** Mails a reader about calls, as the customer wants it. */
export const callMails: JobKind = {
  kind: 'call mails',
  lanes: 5,
  async run({ key }, { supabase, env }) {
    const [token = '', daily] = key.split(':')
    const reader = { p_token: token, p_is_daily: daily !== undefined }
    const due = await runSql(supabase, 'due_call_mails', reader, z.nullable(dueMail))
    if (!due) return undefined
    if (due.calls.length > 0) {
      const mail = mailOf(due, token, env)
      await sendMail(
        { kind: 'calls', to: due.email, ...mail, idempotencyKey: `calls:${contentKey(token, mail)}` },
        { env, supabase },
      )
      const mailed = { p_token: token, p_calls: due.calls.map(({ id }) => id) }
      await runSql(supabase, 'note_call_mail', mailed, z.unknown())
    }
    return due.wait ?? undefined
  },
}

function mailOf({ calls, business, trade, time_zone, is_daily }: DueMail, token: string, env: ServerEnv) {
  const [first] = calls
  const owner = business ? ` for ${business}` : ''
  const name = first?.about ?? (first && numberOf(first)) ?? 'Number withheld'
  const subject =
    calls.length === 1 && !is_daily && !isHealthTrade(trade)
      ? `Call: ${name}`
      : `Your agent took ${calls.length} ${calls.length === 1 ? 'call' : 'calls'}`
  const stop = new URL('/.netlify/functions/stop-call-mails', env.PUBLIC_SITE_URL)
  stop.searchParams.set('token', token)
  return {
    subject,
    text: `The ${site.name} agent${owner} took ${calls.length === 1 ? 'a call' : `${calls.length} calls`}.

${calls.map((call) => linesOf(call, trade, time_zone, env)).join('\n\n')}

What to do next: if a caller expects to hear from you, call back. The links show what was said, to those who can log in.

You get this email because ${business ?? 'a customer of ours'} gave us your address. To stop these emails, open ${stop.href}
`,
  }
}

function linesOf(
  call: z.infer<typeof mailedCall>,
  trade: string | null,
  timeZone: string | null,
  env: ServerEnv,
): string {
  const { direction, started_at, seconds, about, outcome, id } = call
  const isHealth = isHealthTrade(trade)
  const number = numberOf(call) ?? 'number withheld'
  return [
    isHealth ? 'A call' : (about ?? 'A call without a summary'),
    !isHealth && outcome && `Outcome: ${outcome}`,
    ...call.bookings.map((each) => {
      const { state, about: what, name, people, starts_at: starts } = shownOutside(each, trade)
      return `${stateNames[state]}: ${[what, momentIn(starts, timeZone), name, people > 1 && `${people} people`].filter(Boolean).join(', ')}`
    }),
    ...call.messages.map(
      ({ name, phone_number: back, about: what, message: words, is_urgent: isUrgent }) =>
        `${isUrgent ? 'Urgent message' : 'Message'} from ${
          isHealth
            ? (firstName(name) ?? 'a caller')
            : `${name}${back === null ? '' : `, ${formatNumber(back)}`}, about ${what}: ${words}`
        }`,
    ),
    [
      !isHealth && `${direction === 'outbound' ? 'To' : 'From'} ${number}`,
      momentIn(started_at, timeZone),
      durationLabel(seconds),
    ]
      .filter(Boolean)
      .join(', '),
    `${env.PUBLIC_SITE_URL}${callPath(id)}`,
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

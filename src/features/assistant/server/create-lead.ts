import * as z from 'zod/mini'
import { timeLabel, weekdayLabel } from '#assistant/domain/dialogue/calendar.ts'
import type { CreateLeadAnswer, CreateLeadRequest } from '#assistant/domain/contracts.ts'
import type { Result } from '#platform/domain/result.ts'
import { routes } from '#platform/domain/routes.ts'
import { runSql } from '#platform/server/database.ts'
import type { Invocation } from '#platform/server/http.ts'
import { sendMail } from '#platform/server/outgoing/mail.ts'
import type { Services } from '#platform/server/services.ts'
import { planName } from '#plans/domain/plans.ts'
import { site } from '#site'

/** Whom to mail about a lead (SQL: `create_lead`). */
const due = z.object({ operator: z.boolean(), visitor: z.boolean() })

/**
 * Takes a visitor's request, once by its id, and mails the operator and the visitor. The lead is in the database when the
 * visitor reads that it was taken; the mails are sent after the answer, and the failure of one is logged.
 * @throws DatabaseError
 */
export async function createLead(
  lead: CreateLeadRequest,
  connected: Services,
  { defer }: Pick<Invocation, 'defer'>,
): Promise<Result<CreateLeadAnswer>> {
  const { supabase, env } = connected
  const { id, name, email, phone, page } = lead
  const row = { id, kind: lead.wish.kind, name, email, phone, wish: wishOf(lead.wish), page }
  const { operator, visitor } = await runSql(supabase, 'create_lead', { p: row }, due)
  if (operator)
    defer(() =>
      sendMail(
        { kind: 'for the operator', to: env.PUBLIC_ADMIN_EMAIL, ...operatorMail(lead, env.PUBLIC_SITE_URL) },
        connected,
      ),
    )
  if (visitor && email)
    defer(() => sendMail({ kind: 'request received', to: email, ...visitorMail(lead.wish) }, connected))
  return { ok: true, value: { taken: true } }
}

type Wish = CreateLeadRequest['wish']

/** Names the request without any word that the visitor has written. */
function subjectOf(wish: Wish): string {
  if (wish.kind === 'booking') return `a consultation on ${weekdayLabel(wish.day)} at ${timeLabel(wish.time)}`
  return wish.kind === 'call-back' ? 'a call back' : `our ${planName('enterprise')} plan`
}

/** Returns the request in a sentence, with the visitor's own words. */
function wishOf(wish: Wish): string {
  if (wish.kind === 'booking') return `A consultation on ${weekdayLabel(wish.day)} at ${timeLabel(wish.time)}`
  return wish.kind === 'call-back' ? `A call back: ${wish.when}` : `${planName('enterprise')}: ${wish.need}`
}

const operatorMail = ({ name, email, phone, wish, page }: CreateLeadRequest, siteUrl: string) => ({
  subject: `New request: ${subjectOf(wish)}`,
  text: `A visitor has left a request with the agent on ${siteUrl}${page}

Name: ${name}
Email: ${email ?? 'not given'}
Phone: ${phone ?? 'not given'}
Request: ${wishOf(wish)}

The visitor has been told that you will be in touch. Please answer, then press Done beside the request, under Users in the
admin area:
${siteUrl}${routes.admin}
`,
})

/** Contains nothing that the visitor has written: whoever fills in an address may not be its owner. */
const visitorMail = (wish: Wish) => ({
  subject: `We have received your ${site.name} request`,
  text: `Thank you for talking to the agent on our site. You asked for ${
    wish.kind === 'enterprise' ? `an offer for ${subjectOf(wish)}` : subjectOf(wish)
  }.

What happens next: somebody on our team reads your request and gets in touch with you. ${
    wish.kind === 'booking'
      ? 'The time is not fixed until we have confirmed it.'
      : 'There is nothing else that you need to do.'
  }

If you did not make this request, please ignore this email: somebody else entered your address. We send it at most one
such email a day.
`,
})

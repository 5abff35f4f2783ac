import * as z from 'zod/mini'
import { timeLabel, weekdayLabel } from '#assistant/domain/dialogue/calendar.ts'
import { bearerToken, signedInUser } from '#account/server/signed-in-user.ts'
import { helpTopics } from '#assistant/domain/help.ts'
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
 * @param known what the operator is told besides
 * @throws DatabaseError
 */
export async function createLead(
  lead: CreateLeadRequest,
  connected: Services,
  { defer }: Pick<Invocation, 'defer'>,
  known = '',
): Promise<Result<CreateLeadAnswer>> {
  const { supabase, env } = connected
  const { id, name, email, phone, page } = lead
  const row = { id, kind: lead.wish.kind, name, email, phone, wish: wishOf(lead.wish) + known, page }
  const { operator, visitor } = await runSql(supabase, 'create_lead', { p: row }, due)
  if (operator)
    defer(() =>
      sendMail(
        {
          kind: 'for the operator',
          to: env.PUBLIC_ADMIN_EMAIL,
          ...operatorMail({ ...lead, wish: row.wish, subject: subjectOf(lead.wish) }, env.PUBLIC_SITE_URL),
        },
        connected,
      ),
    )
  if (visitor && email)
    defer(() => sendMail({ kind: 'request received', to: email, ...visitorMail(lead.wish) }, connected))
  return { ok: true, value: { taken: true } }
}

/**
 * Takes a request of a page. One for help tells the operator the state of the account that is logged in.
 * @throws DatabaseError
 */
export const takeRequest = async (
  lead: CreateLeadRequest,
  connected: Services,
  invocation: Invocation,
): Promise<Result<CreateLeadAnswer>> =>
  createLead(
    lead,
    connected,
    invocation,
    lead.wish.kind === 'help' ? await accountOf(invocation.request, connected) : '',
  )

/** Describes the account that is logged in; empty if none is, or its session is over. */
async function accountOf(request: Request, connected: Services): Promise<string> {
  const user = bearerToken(request) ? await signedInUser(request, connected) : undefined
  if (!user?.ok) return ''
  const { data } = await connected.supabase
    .from('subscription_overview')
    .select('plan, status, minutes_used, minutes_limit')
    .eq('user_id', user.value.id)
    .maybeSingle()
  const state = data && `${data.plan}, ${data.status}, ${data.minutes_used} of ${data.minutes_limit} minutes`
  return ` (logged in as ${user.value.email}: ${state ?? 'no subscription'})`
}

type Wish = CreateLeadRequest['wish']

/** Names the request without any word that the visitor has written. */
function subjectOf(wish: Wish): string {
  if (wish.kind === 'booking') return `a consultation on ${weekdayLabel(wish.day)} at ${timeLabel(wish.time)}`
  if (wish.kind === 'help') return 'help'
  return wish.kind === 'call-back' ? 'a call back' : `our ${planName('enterprise')} plan`
}

/** Returns the request in a sentence, with the visitor's own words. */
function wishOf(wish: Wish): string {
  if (wish.kind === 'booking') return `A consultation on ${weekdayLabel(wish.day)} at ${timeLabel(wish.time)}`
  if (wish.kind === 'help') return `${helpTopics[wish.about]}: ${wish.need}`
  return wish.kind === 'call-back' ? `A call back: ${wish.when}` : `${planName('enterprise')}: ${wish.need}`
}

const operatorMail = (
  {
    name,
    email,
    phone,
    wish,
    subject,
    page,
  }: Omit<CreateLeadRequest, 'wish'> & Record<'wish' | 'subject', string>,
  siteUrl: string,
) => ({
  subject: `New request: ${subject}`,
  text: `A visitor has left a request on ${siteUrl}${page}

Name: ${name}
Email: ${email ?? 'not given'}
Phone: ${phone ?? 'not given'}
Request: ${wish}

The visitor has been told that you will be in touch. Please answer, then press Done beside the request, under Users in the
admin area:
${siteUrl}${routes.admin}
`,
})

/** Contains nothing that the visitor has written: whoever fills in an address may not be its owner. */
const visitorMail = (wish: Wish) => ({
  subject: `We have received your ${site.name} request`,
  text: `Thank you for your request. You asked for ${
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

import * as z from 'zod/mini'
import { bearerToken, signedInUser } from '#account/server/signed-in-user.ts'
import { helpTopics } from '#assistant/domain/help.ts'
import type { CreateLeadAnswer, CreateLeadRequest } from '#assistant/domain/contracts.ts'
import type { Result } from '#platform/domain/result.ts'
import { routes } from '#platform/domain/routes.ts'
import { runSql } from '#platform/server/database.ts'
import type { Invocation } from '#platform/server/http.ts'
import { startJob, type JobKind } from '#platform/server/jobs.ts'
import { sendMail } from '#platform/server/outgoing/mail.ts'
import type { Services } from '#platform/server/services.ts'
import { planName } from '#plans/domain/plans.ts'
import { site } from '#site'

/** A lead as it is stored. */
const storedLead = z.object({
  kind: z.enum(['call-back', 'enterprise', 'help']),
  name: z.string(),
  email: z.nullable(z.string()),
  phone: z.nullable(z.string()),
  wish: z.string(),
  page: z.string(),
  visitor_mailed_at: z.nullable(z.string()),
})
type Lead = z.infer<typeof storedLead>

/**
 * Takes a visitor's request, once by its id, and mails the operator and the visitor. Lead and job are in the database when the
 * visitor reads that it was taken; the mails are sent after the answer.
 * @param known what the operator is told besides
 * @throws DatabaseError
 */
export async function createLead(
  { wish, ...lead }: CreateLeadRequest,
  connected: Services,
  { defer }: Pick<Invocation, 'defer'>,
  known = '',
): Promise<Result<CreateLeadAnswer>> {
  const p = { ...lead, kind: wish.kind, wish: wishOf(wish) + known }
  await runSql(connected.supabase, 'create_lead', { p }, z.unknown())
  defer(() => startJob(leadMails, lead.id, connected))
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

/** Mails the operator about a lead, and the visitor unless a mail went to that address within a day. */
export const leadMails: JobKind = {
  kind: 'lead mails',
  lanes: 2,
  async run({ key: id }, connected) {
    const { supabase, env } = connected
    const { data } = await supabase.from('leads').select().eq('id', id).maybeSingle().throwOnError()
    const lead = z.parse(z.nullable(storedLead), data)
    // It was removed with the account of its address.
    if (!lead) return
    const toOperator = operatorMail(lead, env.PUBLIC_SITE_URL)
    await Promise.all([
      sendMail(
        {
          kind: 'for the operator',
          to: env.PUBLIC_ADMIN_EMAIL,
          ...toOperator,
          idempotencyKey: `lead:${id}:operator`,
        },
        connected,
      ),
      lead.email !== null &&
        lead.visitor_mailed_at !== null &&
        sendMail(
          {
            kind: 'request received',
            to: lead.email,
            ...visitorMail(lead),
            idempotencyKey: `lead:${id}:visitor`,
          },
          connected,
        ),
    ])
  },
}

/** Returns the request in a sentence, with the visitor's own words. */
function wishOf(wish: CreateLeadRequest['wish']): string {
  if (wish.kind === 'help') return `${helpTopics[wish.about]}: ${wish.need}`
  return wish.kind === 'call-back' ? `A call back: ${wish.when}` : `${planName('enterprise')}: ${wish.need}`
}

/** Names the request without any word that the visitor has written. */
function subjectOf({ kind }: Lead): string {
  if (kind === 'help') return 'help'
  return kind === 'call-back' ? 'a call back' : `our ${planName('enterprise')} plan`
}

const operatorMail = (lead: Lead, siteUrl: string) => ({
  subject: `New request: ${subjectOf(lead)}`,
  text: `A visitor has left a request on ${siteUrl}${lead.page}

Name: ${lead.name}
Email: ${lead.email ?? 'not given'}
Phone: ${lead.phone ?? 'not given'}
Request: ${lead.wish}

The visitor has been told that you will be in touch. Please answer, then press Done beside the request, under Leads in the
admin area:
${siteUrl}${routes.admin}/leads
`,
})

/** Contains nothing that the visitor has written: whoever fills in an address may not be its owner. */
const visitorMail = (lead: Lead) => ({
  subject: `We have received your ${site.name} request`,
  text: `Thank you for your request. You asked for ${
    lead.kind === 'enterprise' ? `an offer for ${subjectOf(lead)}` : subjectOf(lead)
  }.

What happens next: somebody on our team reads your request and gets in touch with you. There is nothing
else that you need to do.

If you did not make this request, please ignore this email: somebody else entered your address. We send it at most one
such email a day.
`,
})

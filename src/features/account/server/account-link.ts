import * as z from 'zod/mini'
import { plans, priceLabel } from '#plans/domain/plans.ts'
import { routes } from '#platform/domain/routes.ts'
import { site } from '#site'
import { runSql } from '#platform/server/database.ts'
import type { JobKind } from '#platform/server/jobs.ts'
import { sendMail } from '#platform/server/outgoing/mail.ts'
import type { Services } from '#platform/server/services.ts'

/** Why a link is mailed: somebody has paid, has forgotten the password, or has lost the first link. */
const linkMail = z.enum(['payment', 'reset', 'resend'])
export type LinkMail = z.infer<typeof linkMail>

const recipient = z.object({ email: z.string(), plan: z.nullable(z.string()), is_unclaimed: z.boolean() })

/**
 * Mails an account a link to set a password. A payer who has a password by now is not mailed about the payment. A link ends
 * the one before, so a mail whose answer was lost is followed by another.
 */
export const accountLinks: JobKind = {
  kind: 'account links',
  lanes: 10,
  async run({ key: user, payload }, connected) {
    const { mail } = z.parse(z.object({ mail: linkMail }), payload)
    const to = await runSql(connected.supabase, 'link_recipient', { p_user_id: user }, z.nullable(recipient))
    if (!to || (mail === 'payment' && !to.is_unclaimed)) return
    const link = await passwordLink(to.email, connected)
    const written = mails[mail](link, to.plan, connected.env.PUBLIC_SITE_URL)
    await sendMail({ kind: 'password link', to: to.email, ...written }, connected)
  },
}

/** Has a link mailed to an e-mail. Returns the user whose job does it; null if the e-mail has no such account. */
export const requestLink = (email: string, mail: LinkMail, { supabase }: Services): Promise<string | null> =>
  runSql(supabase, 'request_link', { p_email: email, p_mail: mail }, z.nullable(z.string()))

/**
 * Generates a link to the page on which the owner of the e-mail sets a password; it works once. It is a recovery link,
 * because a second sign-up link would invalidate the first, which the payer may be using at this moment.
 * @throws AuthError
 */
async function passwordLink(email: string, { supabase, env }: Services): Promise<string> {
  const { data, error } = await supabase.auth.admin.generateLink({ type: 'recovery', email })
  if (error) throw error
  const query = new URLSearchParams({ token: data.properties.hashed_token })
  return `${env.PUBLIC_SITE_URL}${routes.newPassword}?${query}`
}

/** Returns the name and the price of a plan for a sentence; nothing for a plan that the catalogue does not have. */
function planAndPrice(id: string | null): string {
  const plan = plans.find((each) => each.id === id)
  return plan ? `, the ${plan.name} plan at ${priceLabel(plan)} a ${plan.period}` : ''
}

/** What each mail says. Its link has a token. */
const mails: Record<
  LinkMail,
  (link: string, plan: string | null, siteUrl: string) => { subject: string; text: string }
> = {
  payment: (link, plan, siteUrl) => ({
    subject: `We have received your ${site.name} payment`,
    text: `Thank you! We have received your payment for ${site.name}${planAndPrice(plan)}, and your account is ready.

What to do next: set your password here, then log in and set up your agent.
${link}

If you have already set a password, there is nothing left to do.

The link works once and expires after 24 hours. You can request a new one at any time:
${siteUrl}${routes.resend}
`,
  }),
  reset: (link) => ({
    subject: `Set a new ${site.name} password`,
    text: `We received a request to set a new password for your ${site.name} account.

You can set it here:
${link}

The link works once. If you did not make this request, please ignore this email: your password stays the same.
`,
  }),
  resend: (link) => ({
    subject: `Your link to ${site.name}`,
    text: `We received a request for the link to your ${site.name} account.

Please set your password here, then log in:
${link}

The link works once and expires after 24 hours. If you did not make this request, please ignore this email: nothing
will change.
`,
  }),
}

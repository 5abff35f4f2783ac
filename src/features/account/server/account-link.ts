import * as z from 'zod/mini'
import { plans, priceLabel } from '#plans/domain/plans.ts'
import { routes } from '#platform/domain/routes.ts'
import { site } from '#site'
import { runSql, type Supabase } from '#platform/server/database.ts'
import { sendMail } from '#platform/server/outgoing/mail.ts'
import type { Services } from '#platform/server/services.ts'

/**
 * A paid account that has no password yet. The holder of the claim has one minute, or until a later claim, to mail the link
 * (SQL: `claim_link`, `begin_link`).
 */
export const dueLink = z.object({ checkout: z.string(), email: z.string(), claim: z.string() })
export type DueLink = z.infer<typeof dueLink>

/**
 * Generates a link to the page on which the owner of the e-mail sets a password; it works once. It is a recovery link,
 * because a second sign-up link would invalidate the first, which the payer may be using at this moment.
 * @returns undefined if no account has the e-mail
 * @throws AuthError
 */
export async function passwordLink(email: string, { supabase, env }: Services): Promise<string | undefined> {
  const { data, error } = await supabase.auth.admin.generateLink({ type: 'recovery', email })
  if (error?.code === 'user_not_found') return undefined
  if (error) throw error
  const query = new URLSearchParams({ token: data.properties.hashed_token })
  return `${env.PUBLIC_SITE_URL}${routes.newPassword}?${query}`
}

/**
 * Mails the link of a paid account.
 * @throws AuthError, MailError, PostgrestError; the link is then due again
 */
export async function mailDueLink(due: DueLink, connected: Services): Promise<void> {
  const { supabase, env } = connected
  const { email } = due
  try {
    const link = await passwordLink(email, connected)
    const { data: checkout } = await supabase
      .from('checkouts')
      .select('plan')
      .eq('id', due.checkout)
      .maybeSingle()
      .throwOnError()
    if (link) {
      const mail = paymentMail(link, checkout?.plan, env.PUBLIC_SITE_URL)
      await sendMail({ kind: 'password link', to: email, ...mail }, connected)
    }
  } catch (error) {
    await endLink(supabase, due, false)
    throw error
  }
  await endLink(supabase, due, true)
}

/** Returns the name and the price of a plan for a sentence; nothing for a plan that the catalogue does not have. */
function planAndPrice(id: string | undefined): string {
  const plan = plans.find((each) => each.id === id)
  return plan ? `, the ${plan.name} plan at ${priceLabel(plan)} a ${plan.period}` : ''
}

const begun = z.object({
  /** Whether the e-mail has an account that was paid for or confirmed. */
  known: z.boolean(),
  /** The paid checkout's link, if its payer has no password yet. */
  link: z.nullable(dueLink),
})

/** Begins to send a link to an e-mail. Without `endLink`, the reconciliation sends the link too. */
export const beginLink = (supabase: Supabase, email: string) =>
  runSql(supabase, 'begin_link', { p_email: email }, begun)

/** Records that a checkout's link was mailed, or that it is due again. */
export const endLink = (supabase: Supabase, { checkout, claim }: DueLink, mailed: boolean) =>
  runSql(supabase, 'end_link', { p_checkout: checkout, p_claim: claim, p_mailed: mailed }, z.unknown())

const paymentMail = (link: string, planId: string | undefined, siteUrl: string) => ({
  subject: `We have received your ${site.name} payment`,
  text: `Thank you! We have received your payment for ${site.name}${planAndPrice(planId)}, and your account is ready.

What to do next: set your password here, then log in and set up your agent.
${link}

If you have already set a password, there is nothing left to do.

The link works once and expires after 24 hours. You can request a new one at any time:
${siteUrl}${routes.resend}
`,
})

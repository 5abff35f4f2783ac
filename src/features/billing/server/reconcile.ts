import type Stripe from 'stripe'
import * as z from 'zod/mini'
import { routes } from '#platform/domain/routes.ts'
import { site } from '#site'
import { dueLink, mailDueLink } from '#account/server/account-link.ts'
import { callSql } from '#platform/server/database.ts'
import { logFailure } from '#platform/server/log.ts'
import { sendMail } from '#platform/server/mail.ts'
import type { Services } from '#platform/server/services.ts'
import { isLive, planOf, withPayment } from './stripe-subscription.ts'
import { nextTicket, writeSubscription } from './sync.ts'

const finding = z.object({
  kind: z.enum(['payment_without_account', 'account_without_subscription']),
  /** The subscription's id, or the user's. */
  subject: z.string(),
  is_new: z.boolean(),
})
export type Finding = z.infer<typeof finding>

/** How many subscriptions are asked about at once; Stripe's largest page. */
const pageSize = 100
/** Of links in one run; the next run goes on. */
const linkLimit = 50

/**
 * Compares what Stripe is paid for with who has an account. What can be put right is: a subscription that no event
 * brought in is brought in, a paid account's link that was never mailed is mailed, and what an
 * unpaid attempt left behind is removed. What cannot is written down for the
 * admin, who is mailed when something is new.
 * @returns what stands
 */
export async function reconcilePayments(connected: Services): Promise<Finding[]> {
  const { supabase, env } = connected
  const orphans: { subscription: string; checkout: string | null }[] = []
  for await (const ids of livePages(connected)) {
    const unknown = await callSql(
      supabase,
      'unknown_subscriptions',
      { p_ids: [...ids.keys()] },
      z.array(z.string()),
    )
    for (const id of unknown) {
      if (!(await bringIn(id, connected))) orphans.push({ subscription: id, checkout: ids.get(id) ?? null })
    }
  }

  await callSql(supabase, 'remove_unpaid_attempts', {}, z.number())
  const links = await callSql(supabase, 'claim_due_links', { p_limit: linkLimit }, z.array(dueLink))
  for (const link of links) {
    await mailDueLink(link, connected).catch((error: unknown) => logFailure('reconcile-payments', error))
  }

  const found = await callSql(supabase, 'record_findings', { p_orphans: orphans }, z.array(finding))
  if (found.some(({ is_new }) => is_new)) {
    await sendMail({ to: env.PUBLIC_ADMIN_EMAIL, ...report(found, env.PUBLIC_SITE_URL) }, env)
  }
  return found
}

/** Our paid subscriptions by the page, each with the checkout that made it. */
async function* livePages({ stripe, env }: Services): AsyncGenerator<Map<string, string | null>> {
  let ids = new Map<string, string | null>()
  for await (const subscription of stripe.subscriptions.list({ limit: pageSize })) {
    if (!isLive(subscription.status) || !isOurs(subscription, env)) continue
    ids.set(subscription.id, subscription.metadata.checkout_id ?? null)
    if (ids.size < pageSize) continue
    yield ids
    ids = new Map()
  }
  if (ids.size > 0) yield ids
}

const isOurs = (subscription: Stripe.Subscription, env: Services['env']): boolean =>
  Boolean(subscription.metadata.checkout_id) || planOf(subscription, env) !== undefined

/** @returns whether the subscription has an account now, or is over, as that of a deleted account is */
async function bringIn(id: string, connected: Services): Promise<boolean> {
  try {
    const ticket = await nextTicket(connected.supabase)
    const subscription = await connected.stripe.subscriptions.retrieve(id, withPayment)
    const { outcome } = await writeSubscription(subscription, ticket, connected)
    return outcome === 'synced' || outcome === 'stale' || !isLive(subscription.status)
  } catch (error) {
    logFailure('reconcile-payments', error)
    return false
  }
}

/** Ids alone: who they belong to is shown behind the admin's login. */
function report(found: Finding[], siteUrl: string): { subject: string; text: string } {
  const list = (kind: Finding['kind']): string =>
    found
      .filter((one) => one.kind === kind)
      .map(({ subject, is_new }) => `- ${subject}${is_new ? ' (new)' : ''}`)
      .join('\n') || '- none'
  return {
    subject: `${site.name}: ${found.length} ${found.length === 1 ? 'payment' : 'payments'} to look at`,
    text: `Payments without an account:
${list('payment_without_account')}

Accounts without a subscription:
${list('account_without_subscription')}

See ${siteUrl}${routes.admin}
`,
  }
}

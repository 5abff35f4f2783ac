import type Stripe from 'stripe'
import * as z from 'zod/mini'
import { routes } from '#platform/domain/routes.ts'
import { site } from '#site'
import { dueLink, mailDueLink } from '#account/server/account-link.ts'
import { runSql } from '#platform/server/database.ts'
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
type Finding = z.infer<typeof finding>

/** The number of subscriptions per query; Stripe's largest page. */
const pageSize = 100
/** The number of links that are mailed in one run; the next run continues. */
const linkLimit = 50

/**
 * Compares the paid subscriptions at Stripe with the accounts, and repairs what it can: it records subscriptions that no
 * event has reported, mails the links of paid accounts that were never mailed, and removes the remains of unpaid attempts.
 * Everything else is a finding for the admin, who gets a mail if a finding is new.
 * @returns all current findings
 */
export async function reconcilePayments(connected: Services): Promise<Finding[]> {
  const { supabase, env } = connected
  const orphans: { subscription: string; checkout: string | null }[] = []
  for await (const ids of livePages(connected)) {
    const unknown = await runSql(
      supabase,
      'unknown_subscriptions',
      { p_ids: [...ids.keys()] },
      z.array(z.string()),
    )
    for (const id of unknown) {
      if (!(await record(id, connected))) orphans.push({ subscription: id, checkout: ids.get(id) ?? null })
    }
  }

  await runSql(supabase, 'remove_unpaid_attempts', {}, z.number())
  const links = await runSql(supabase, 'claim_due_links', { p_limit: linkLimit }, z.array(dueLink))
  for (const link of links) {
    await mailDueLink(link, connected).catch((error: unknown) => logFailure('reconcile-payments', error))
  }

  const found = await runSql(supabase, 'record_findings', { p_orphans: orphans }, z.array(finding))
  if (found.some(({ is_new }) => is_new)) {
    await sendMail({ to: env.PUBLIC_ADMIN_EMAIL, ...findingsMail(found, env.PUBLIC_SITE_URL) }, env)
  }
  return found
}

/** Yields our paid subscriptions in pages, each with the checkout that created it. */
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

/**
 * Records a subscription that no event has reported.
 * @returns whether it now has an account, or has ended, like the subscription of a deleted account
 */
async function record(id: string, connected: Services): Promise<boolean> {
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

/** Returns a mail with ids only; the admin's pages show whose they are. */
function findingsMail(found: Finding[], siteUrl: string): { subject: string; text: string } {
  const list = (kind: Finding['kind']): string =>
    found
      .filter((one) => one.kind === kind)
      .map(({ subject, is_new }) => `- ${subject}${is_new ? ' (new)' : ''}`)
      .join('\n') || '- none'
  return {
    subject: `${site.name}: ${found.length} ${found.length === 1 ? 'payment needs' : 'payments need'} your attention`,
    text: `Payments without an account:
${list('payment_without_account')}

Accounts without a subscription:
${list('account_without_subscription')}

You can see the details here:
${siteUrl}${routes.admin}
`,
  }
}

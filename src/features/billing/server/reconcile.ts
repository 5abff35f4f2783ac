import type Stripe from 'stripe'
import * as z from 'zod/mini'
import { routes } from '#platform/domain/routes.ts'
import { site } from '#site'
import { runSql } from '#platform/server/database.ts'
import type { JobKind } from '#platform/server/jobs.ts'
import { logFailure } from '#platform/server/log.ts'
import { sendMail } from '#platform/server/outgoing/mail.ts'
import type { Services } from '#platform/server/services.ts'
import { isLive, planOf, readSubscription } from './stripe-subscription.ts'
import { recheckInvoices } from '#billing/server/invoices/invoice-findings.ts'
import { nextSequence, writeSubscription } from './sync.ts'

const finding = z.object({
  kind: z.enum([
    'payment_without_account',
    'account_without_subscription',
    'invoice_differs_from_quote',
    'invoice_not_final',
    'invoice_written_off',
  ]),
  /** The id of the subscription, of the user, or of the invoice. */
  subject: z.string(),
  is_new: z.boolean(),
})
type Finding = z.infer<typeof finding>

/** The number of subscriptions per query; Stripe's largest page. */
const pageSize = 100
/** No page is begun after this time: the next run goes on there, before the job's claim runs out. */
const pagesTimeoutMs = 240_000
/** The number of subscriptions in doubt that are read in one run. */
const doubtLimit = 50

/**
 * Compares the paid subscriptions at Stripe with the accounts, and repairs what it can: it records subscriptions that no event
 * has reported, and removes the remains of unpaid attempts. Everything else is a finding for the admin, who gets a mail if a
 * finding is new. Stripe's list is read last, as far as the time allows; the next run continues there.
 */
export const reconciliation: JobKind = {
  kind: 'reconciliation',
  everyMinutes: 60,
  isLong: true,
  async run(_, connected) {
    const { supabase } = connected
    const deadline = Date.now() + pagesTimeoutMs
    await runSql(supabase, 'remove_unpaid_attempts', {}, z.number())
    await recheckInvoices(connected)
    const { orphans } = await recordAll(await openFindings(connected), connected)
    await recordFindings(orphans, connected)
    let after = await runSql(supabase, 'reconciliation_cursor', {}, z.nullable(z.string()))
    do {
      const page = await readPage(after, connected).catch(async (error: unknown) => {
        // Stripe may not know the subscription any more: the next run begins with the first.
        await storeCursor(null, connected)
        throw error
      })
      const { unknown, orphans: fresh } = await recordAll(page.ours, connected)
      orphans.push(...fresh)
      if (unknown > 0) await recordFindings(orphans, connected)
      after = page.next
      await storeCursor(after, connected)
    } while (after !== null && Date.now() < deadline)
  },
}

/** Reads the subscriptions again whose renewal, end or late payment no event may have reported. */
export const doubtfulSubscriptions: JobKind = {
  kind: 'doubtful subscriptions',
  everyMinutes: 60,
  isLong: true,
  async run(_, connected) {
    const limit = { p_limit: doubtLimit }
    for (const id of await runSql(connected.supabase, 'subscriptions_in_doubt', limit, z.array(z.string())))
      await record(id, connected)
  },
}

/** Stores the subscription after which the next page begins; null is the first page. */
const storeCursor = (after: string | null, { supabase }: Services) =>
  runSql(supabase, 'set_reconciliation_cursor', { p_after: after }, z.unknown())

interface Paid {
  subscription: string
  checkout: string | null
}

/** Reads the payments that had no account in an earlier run. */
async function openFindings({ supabase }: Services): Promise<Paid[]> {
  const { data } = await supabase
    .from('payment_findings')
    .select('subject, checkout_id')
    .eq('kind', 'payment_without_account')
    .is('resolved_at', null)
    .throwOnError()
  return data.map(({ subject, checkout_id }) => ({ subscription: subject, checkout: checkout_id }))
}

/** Reads our paid subscriptions on the page after this subscription, and the cursor of the next page. */
async function readPage(
  after: string | null,
  { stripe, env }: Services,
): Promise<{ ours: Paid[]; next: string | null }> {
  const { data, has_more } = await stripe.subscriptions.list({
    limit: pageSize,
    starting_after: after ?? undefined,
  })
  const ours = data.filter((one) => isLive(one.status) && isOurs(one, env))
  return {
    ours: ours.map(({ id, metadata }) => ({ subscription: id, checkout: metadata.checkout_id ?? null })),
    next: (has_more && data.at(-1)?.id) || null,
  }
}

/**
 * Records the subscriptions that no account has.
 * @returns how many these are, and those that still have no account
 */
async function recordAll(paid: Paid[], connected: Services): Promise<{ unknown: number; orphans: Paid[] }> {
  const unknown = await runSql(
    connected.supabase,
    'unknown_subscriptions',
    { p_ids: paid.map(({ subscription }) => subscription) },
    z.array(z.string()),
  )
  const orphans: Paid[] = []
  for (const one of paid) {
    if (unknown.includes(one.subscription) && !(await record(one.subscription, connected))) orphans.push(one)
  }
  return { unknown: unknown.length, orphans }
}

/** Updates the findings, and mails the admin if one is new. */
async function recordFindings(orphans: Paid[], { supabase, env }: Services): Promise<void> {
  const found = await runSql(supabase, 'record_findings', { p_orphans: orphans }, z.array(finding))
  if (found.some(({ is_new }) => is_new)) {
    await sendMail(
      { kind: 'for the operator', to: env.PUBLIC_ADMIN_EMAIL, ...findingsMail(found, env.PUBLIC_SITE_URL) },
      { env, supabase },
    )
  }
}

const isOurs = (subscription: Stripe.Subscription, env: Services['env']): boolean =>
  Boolean(subscription.metadata.checkout_id) || planOf(subscription, env) !== undefined

/**
 * Records what no event has reported of a subscription.
 * @returns whether it now has an account, or has ended, like the subscription of a deleted account
 */
async function record(id: string, connected: Services): Promise<boolean> {
  try {
    const sequence = await nextSequence(connected.supabase)
    const reading = await readSubscription(id, connected.stripe)
    const { outcome } = await writeSubscription(reading, sequence, connected)
    return outcome === 'synced' || outcome === 'stale' || !isLive(reading.subscription.status)
  } catch (error) {
    logFailure('reconciliation', error)
    return false
  }
}

/** The headings of the findings in the mail. */
const headings: readonly (readonly [kind: Finding['kind'], heading: string])[] = [
  ['payment_without_account', 'Payments without an account:'],
  ['account_without_subscription', 'Accounts without a subscription:'],
  ['invoice_differs_from_quote', 'Upgrades charged differently from their quote:'],
  [
    'invoice_not_final',
    'Invoices that Stripe could not finalise. It does not charge them before you correct them in its dashboard:',
  ],
  ['invoice_written_off', 'Invoices that were written off:'],
]

/** Returns a mail with ids only; the admin's pages show whose they are. */
function findingsMail(found: Finding[], siteUrl: string): { subject: string; text: string } {
  const lists = headings.flatMap(([kind, heading]) => {
    const lines = found
      .filter((one) => one.kind === kind)
      .map(({ subject, is_new }) => `- ${subject}${is_new ? ' (new)' : ''}`)
    return lines.length > 0 ? [`${heading}\n${lines.join('\n')}`] : []
  })
  return {
    subject: `${site.name}: ${found.length} ${found.length === 1 ? 'payment needs' : 'payments need'} your attention`,
    text: `${lists.join('\n\n')}

What to do next: look at them under Payments in the admin area. It shows whose they are:
${siteUrl}${routes.admin}/payments
`,
  }
}

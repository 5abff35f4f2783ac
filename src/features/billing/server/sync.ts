import type Stripe from 'stripe'
import * as z from 'zod/mini'
import { planGrants, type PlanPrice } from '#billing/domain/minutes/minute-grants.ts'
import { billingStatus } from '#billing/domain/status.ts'
import {
  stepsAfter,
  type SubscriptionFacts,
  type SubscriptionStep,
} from '#billing/domain/subscription-steps.ts'
import { CodedError } from '#platform/server/coded-error.ts'
import { runSql, type Supabase } from '#platform/server/database.ts'
import type { Services } from '#platform/server/services.ts'
import {
  isLive,
  latestPayment,
  planOf,
  planPrices,
  readSubscription,
  type Reading,
} from './stripe-subscription.ts'
import { idOf, unlessUnknown } from '#platform/server/stripe.ts'
import { billWhatWaits, endUpgrades, itemsOn } from '#billing/server/invoices/last-invoice.ts'
import { isoTime, nextAttempt } from '#billing/server/invoices/next-attempt.ts'
import { endUnpaid, giveBack, makeAccount } from './duplicate-payments.ts'

/**
 * The outcomes of the SQL function `sync_subscription`, `not_ours` for other products of the same Stripe account, and `gone`
 * for what Stripe does not know.
 */
export interface Synced {
  outcome: Exclude<z.infer<typeof written>['outcome'], 'account_due'> | 'not_ours' | 'gone'
  /** The user who has the subscription. */
  user: string | null
}

const written = z.object({
  outcome: z.enum([
    'synced',
    'stale',
    'superseded',
    'unknown_customer',
    'account_missing',
    'account_due',
    'duplicate',
  ]),
  /** The e-mail of the subscription's checkout. */
  email: z.nullable(z.string()),
  user: z.nullable(z.string()),
  /** The card that has paid the running period is not known yet. */
  card_due: z.boolean(),
  /** Subscriptions of other attempts with the e-mail, which may still be paid. */
  other_attempts: z.array(z.string()),
})

/**
 * Reads the present state of a subscription from Stripe and writes it into the database. The result is the same for any
 * number of invocations, in any order.
 * @param sequence from `begin_checkout` or `begin_webhook_event`, taken before the reading
 */
export async function syncSubscription(id: string, sequence: number, connected: Services): Promise<Synced> {
  const reading = await readSubscription(id, connected.stripe).catch(unlessUnknown)
  return reading ? writeSubscription(reading, sequence, connected) : { outcome: 'gone', user: null }
}

/**
 * Writes a reading of a subscription into the database, and does what follows from it. If it is the first payment of several
 * attempts with one e-mail, it gets its account now, and the others end; if it is a later one, it is given back.
 * @throws CodedError `unknown_price` if the subscription is from our checkout and its price belongs to no plan: the environment
 *   names other prices; `account_due` if a first payment could not get its account
 */
export async function writeSubscription(
  reading: Reading,
  sequence: number,
  connected: Services,
): Promise<Synced> {
  const { subscription } = reading
  const plan = planOf(subscription, connected.env)
  if (!plan) {
    const price = subscription.items.data[0]?.price.id ?? 'none'
    if (subscription.metadata.checkout_id)
      throw new CodedError('unknown_price', { subscription: subscription.id, price })
    return { outcome: 'not_ours', user: null }
  }
  // 1. What the subscription and its invoices do not say: of its payment, only if it waits for one.
  const { status, ended_at, metadata } = subscription
  const [prices, payment, card] = await Promise.all([
    planPrices(reading, connected),
    status === 'incomplete' || status === 'past_due'
      ? latestPayment(subscription, connected.stripe)
      : undefined,
    readCard(subscription, connected.stripe),
  ])

  // 2. The database decides, under the lock of its e-mail, what the reading means, and writes it.
  const p = { sequence, plan, ...payloadOf(reading, prices, payment) }
  const write = () => runSql(connected.supabase, 'sync_subscription', { p }, written)
  let synced = await write()
  if (synced.outcome === 'account_due') {
    await makeAccount(subscription.id, synced.email ?? '', connected)
    synced = await write()
  }
  const { outcome, user } = synced
  if (outcome === 'account_due') throw new CodedError('account_due', { subscription: subscription.id })

  // 3. What follows is decided, and done.
  const quote = z.safeParse(z.uuid(), metadata.quote).data
  const facts = { status, ended_at, quote, invoices: reading.invoices, card }
  for (const step of stepsAfter(facts, synced)) await take(step, reading, connected)
  return { outcome, user }
}

/** Returns a reading as `sync_subscription` takes it. */
function payloadOf(
  { subscription, invoices }: Reading,
  prices: ReadonlyMap<string, PlanPrice>,
  payment: Stripe.PaymentIntent | undefined,
) {
  const { id, status, customer, metadata, latest_invoice: latest } = subscription
  const item = subscription.items.data[0]
  const price = prices.get(item?.price.id ?? '')
  const period = { start: item?.current_period_start ?? 0, end: item?.current_period_end ?? 0 }
  const failed = payment?.last_payment_error
  const isOwed = status === 'past_due' && latest && typeof latest === 'object'
  return {
    user_id: z.safeParse(z.uuid(), metadata.user_id).data ?? null,
    checkout_id: metadata.checkout_id ?? null,
    customer: idOf(customer),
    subscription: id,
    paid: wasPaid(subscription),
    stripe_status: status,
    billing_status: billingStatus(status, failed != null),
    price_cents: price?.unitAmount ?? null,
    next_minutes: price?.minutes ?? null,
    created: isoTime(subscription.created),
    period_start: isoTime(item?.current_period_start),
    period_end: isoTime(item?.current_period_end),
    cancel_at: isoTime(subscription.cancel_at),
    ended: isoTime(subscription.ended_at),
    next_attempt: isoTime(isOwed ? nextAttempt(latest, customer, failed) : null),
    invoices: invoices.map((one) => one.id),
    packages: invoices.flatMap(itemsOn),
    grants: planGrants(invoices, period, (one) => prices.get(one)).map(
      ({ unitAmount, planMinutes, periodStart, valid, ...grant }) => ({
        ...grant,
        unit_amount: unitAmount,
        plan_minutes: planMinutes,
        period_start: isoTime(periodStart),
        valid_from: isoTime(valid.start),
        valid_to: isoTime(valid.end),
      }),
    ),
  }
}

/**
 * Reads the customer's default card, or the one that has paid and is to become it. A card is attached to the customer only
 * if it has paid, or if credit has spared it the payment; the latest invoice may be a renewal that has failed without it.
 * Later the default is the customer's to choose, in the billing portal, and what is chosen there is charged.
 */
async function readCard(
  { customer, status }: Stripe.Subscription,
  stripe: Stripe,
): Promise<SubscriptionFacts['card']> {
  if (!isLive(status) || typeof customer === 'string' || customer.deleted) return undefined
  const preferred = customer.invoice_settings.default_payment_method
  if (preferred) return { id: idOf(preferred), isDefault: true }
  const { data } = await stripe.customers.listPaymentMethods(customer.id, { type: 'card', limit: 1 })
  return data[0] && { id: data[0].id, isDefault: false }
}

/** Takes a step that follows from a subscription. */
function take(step: SubscriptionStep, reading: Reading, connected: Services): Promise<unknown> {
  const { stripe, supabase } = connected
  const { subscription } = reading
  switch (step.do) {
    case 'set default card':
      return stripe.customers.update(idOf(subscription.customer), {
        invoice_settings: { default_payment_method: step.card },
      })
    case 'record card':
      return recordCard(subscription, step.card, connected)
    case 'compare with quote':
      // A difference is a finding for the admin.
      return runSql(supabase, 'compare_with_quote', { p_quote: step.quote, p: step.paid }, z.unknown())
    case 'give payment back':
      return giveBack(subscription, stripe)
    case 'end upgrades':
      return endUpgrades(reading, step.invoices, connected)
    case 'bill packages':
      return billWhatWaits(subscription, connected)
    case 'end attempt':
      return endUnpaid(step.subscription, stripe)
  }
}

/** Records which card has paid the running period: whoever owes minutes and has the same card gives them back. */
async function recordCard(
  { id }: Stripe.Subscription,
  paymentMethod: string,
  { stripe, supabase }: Services,
): Promise<void> {
  const { card } = await stripe.paymentMethods.retrieve(paymentMethod)
  const p = { p_subscription: id, p_card: card?.fingerprint ?? '' }
  await runSql(supabase, 'note_card', p, z.unknown())
}

/** Takes a sequence number for a reading that neither an event nor a checkout causes. */
export const nextSequence = (supabase: Supabase): Promise<number> =>
  runSql(supabase, 'next_sync_sequence', {}, z.number())

/** Tells whether the subscription has ever been paid, even if it has ended before it is read for the first time. */
function wasPaid({ status, latest_invoice: invoice }: Stripe.Subscription): boolean {
  if (isLive(status)) return true
  if (status === 'incomplete' || status === 'incomplete_expired') return false
  if (!invoice || typeof invoice === 'string') return false
  return invoice.status === 'paid' || invoice.billing_reason !== 'subscription_create'
}

import type Stripe from 'stripe'
import * as z from 'zod/mini'
import { planGrants } from '#billing/domain/minutes/minute-grants.ts'
import { termsOf } from '#billing/domain/plan-change/plan-change.ts'
import { billingStatus } from '#billing/domain/status.ts'
import { CodedError } from '#platform/server/coded-error.ts'
import { runSql, type Supabase } from '#platform/server/database.ts'
import { dueLink, type DueLink } from '#account/server/account-link.ts'
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
import { endUnpaid, giveBack, makeAccount } from './rivals.ts'

/**
 * The outcomes of the SQL function `sync_subscription`, `not_ours` for other products of the same Stripe account, and `gone`
 * for what Stripe does not know.
 */
export interface Synced {
  outcome: Exclude<z.infer<typeof written>['outcome'], 'account_due'> | 'not_ours' | 'gone'
  /** A paid account's link that the caller has claimed and is to mail. */
  link: DueLink | null
  /** The user who has the subscription. */
  user: string | null
}

/** The price of a subscription from our checkout belongs to no plan: the environment names other prices. */
export class UnknownPriceError extends CodedError {
  override readonly name = 'UnknownPriceError'

  constructor({ id, items }: Stripe.Subscription) {
    super('unknown_price', { subscription: id, price: items.data[0]?.price.id ?? 'none' })
  }
}

/** The account of a first payment could not be given to it; the event is delivered again. */
class AccountDueError extends CodedError {
  override readonly name = 'AccountDueError'

  constructor({ id }: Stripe.Subscription) {
    super('account_due', { subscription: id })
  }
}

const written = z.object({
  outcome: z.enum([
    'synced',
    'stale',
    'superseded',
    'unknown_customer',
    'account_missing',
    'account_due',
    'rival',
  ]),
  link: z.nullable(dueLink),
  /** The e-mail of the subscription's checkout. */
  email: z.nullable(z.string()),
  user: z.nullable(z.string()),
  /** The card that has paid the running period is not known yet. */
  card_due: z.boolean(),
  /** Subscriptions of other attempts with the e-mail, which may still be paid. */
  rivals: z.array(z.string()),
})

/**
 * Reads the present state of a subscription from Stripe and writes it into the database. The result is the same for any
 * number of invocations, in any order.
 * @param ticket from `begin_checkout` or `begin_webhook_event`, taken before the reading
 * @param options claimLink: the caller mails the account's link if it is due
 */
export async function syncSubscription(
  id: string,
  ticket: number,
  connected: Services,
  options?: { claimLink: boolean },
): Promise<Synced> {
  const reading = await readSubscription(id, connected.stripe).catch(unlessUnknown)
  return reading
    ? writeSubscription(reading, ticket, connected, options)
    : { outcome: 'gone', link: null, user: null }
}

/**
 * Writes a reading of a subscription into the database. If it is the first payment of several attempts with one e-mail, it
 * gets its account now, and the others end; if it is a later one, it is given back.
 * @throws UnknownPriceError if the subscription is from our checkout and its price belongs to no plan
 */
export async function writeSubscription(
  reading: Reading,
  ticket: number,
  connected: Services,
  { claimLink } = { claimLink: false },
): Promise<Synced> {
  const { stripe, supabase, env } = connected
  const { subscription, invoices } = reading
  const planId = planOf(subscription, env)
  if (!planId) {
    if (subscription.metadata.checkout_id) throw new UnknownPriceError(subscription)
    return { outcome: 'not_ours', link: null, user: null }
  }
  const item = subscription.items.data[0]
  const prices = await planPrices(reading, connected)
  const price = prices.get(item?.price.id ?? '')
  const period = { start: item?.current_period_start ?? 0, end: item?.current_period_end ?? 0 }
  const grants = planGrants(invoices, period, (id) => prices.get(id))
  const p = {
    ticket,
    claim_link: claimLink,
    user_id: z.safeParse(z.uuid(), subscription.metadata.user_id).data ?? null,
    checkout_id: subscription.metadata.checkout_id ?? null,
    customer: idOf(subscription.customer),
    subscription: subscription.id,
    paid: wasPaid(subscription),
    stripe_status: subscription.status,
    billing_status: billingStatus(subscription.status, await hasPaymentError(subscription, stripe)),
    plan: planId,
    price_cents: price?.unitAmount ?? null,
    next_minutes: price?.minutes ?? null,
    created: isoTime(subscription.created),
    period_start: isoTime(item?.current_period_start),
    period_end: isoTime(item?.current_period_end),
    cancel_at: isoTime(subscription.cancel_at),
    ended: isoTime(subscription.ended_at),
    next_attempt: isoTime(await nextRenewalAttempt(subscription, stripe)),
    invoices: invoices.map(({ id }) => id),
    packages: invoices.flatMap(itemsOn),
    grants: grants.map(({ unitAmount, planMinutes, periodStart, valid, ...grant }) => ({
      ...grant,
      unit_amount: unitAmount,
      plan_minutes: planMinutes,
      period_start: isoTime(periodStart),
      valid_from: isoTime(valid.start),
      valid_to: isoTime(valid.end),
    })),
  }
  let synced = await runSql(supabase, 'sync_subscription', { p }, written)
  if (synced.outcome === 'account_due') {
    await makeAccount(subscription.id, synced.email ?? '', connected)
    synced = await runSql(supabase, 'sync_subscription', { p }, written)
  }
  const { outcome, link, user, rivals } = synced
  if (outcome === 'account_due') throw new AccountDueError(subscription)
  if (outcome === 'synced') {
    const card = await keepFirstCard(subscription, stripe)
    if (synced.card_due && card) await noteCard(subscription, card, connected)
    await compareWithQuote(reading, connected)
  }
  if (outcome === 'rival') await giveBack(subscription, stripe)
  // Runs whoever has ended the subscription, and whether or not there still is an account.
  else if (subscription.status === 'canceled') {
    await endUpgrades(reading, connected)
    await billWhatWaits(subscription, connected)
  }
  for (const rival of rivals) await endUnpaid(rival, stripe)
  return { outcome, link, user }
}

/** Compares the last paid upgrade with its quote: a difference is a finding for the admin. */
async function compareWithQuote({ subscription, invoices }: Reading, { supabase }: Services): Promise<void> {
  const quote = z.safeParse(z.uuid(), subscription.metadata.quote).data
  const upgrade = invoices.find(
    ({ billing_reason: reason, status }) => reason === 'subscription_update' && status === 'paid',
  )
  if (!quote || !upgrade) return
  const p = { invoice: upgrade.id, ...termsOf(upgrade) }
  await runSql(supabase, 'compare_with_quote', { p_quote: quote, p }, z.unknown())
}

/**
 * Makes the card that has paid a subscription the customer's default if the customer has none. A card is attached to the
 * customer only if it has paid, or if credit has spared it the payment; the latest invoice may be a renewal that has failed
 * without it. Later the default is the customer's to choose, in the billing portal, and what is chosen there is charged.
 * @returns the default card
 */
async function keepFirstCard(
  { customer, status }: Stripe.Subscription,
  stripe: Stripe,
): Promise<string | undefined> {
  if (!isLive(status) || typeof customer === 'string' || customer.deleted) return undefined
  const preferred = customer.invoice_settings.default_payment_method
  if (preferred) return idOf(preferred)
  const { data } = await stripe.customers.listPaymentMethods(customer.id, { type: 'card', limit: 1 })
  const [card] = data
  if (!card) return undefined
  await stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: card.id } })
  return card.id
}

/** Records which card has paid the running period: whoever owes minutes and has the same card gives them back. */
async function noteCard(
  { id }: Stripe.Subscription,
  paymentMethod: string,
  { stripe, supabase }: Services,
): Promise<void> {
  const { card } = await stripe.paymentMethods.retrieve(paymentMethod)
  const p = { p_subscription: id, p_card: card?.fingerprint ?? '' }
  await runSql(supabase, 'note_card', p, z.unknown())
}

/** Takes a ticket for a reading that neither an event nor a checkout causes. */
export const nextTicket = (supabase: Supabase): Promise<number> =>
  runSql(supabase, 'next_sync_ticket', {}, z.number())

/** Tells whether the first payment was attempted and failed. Asks Stripe only if this decides the status. */
async function hasPaymentError(subscription: Stripe.Subscription, stripe: Stripe): Promise<boolean> {
  if (subscription.status !== 'incomplete') return false
  const payment = await latestPayment(subscription, stripe)
  return payment !== undefined && payment.last_payment_error !== null
}

/** Tells whether the subscription has ever been paid, even if it has ended before it is read for the first time. */
function wasPaid({ status, latest_invoice: invoice }: Stripe.Subscription): boolean {
  if (isLive(status)) return true
  if (status === 'incomplete' || status === 'incomplete_expired') return false
  if (!invoice || typeof invoice === 'string') return false
  return invoice.status === 'paid' || invoice.billing_reason !== 'subscription_create'
}

/** Returns when Stripe charges the card again for a renewal that is owed. Asks Stripe only if one is. */
async function nextRenewalAttempt(subscription: Stripe.Subscription, stripe: Stripe): Promise<number | null> {
  const { status, latest_invoice: invoice, customer } = subscription
  if (status !== 'past_due' || !invoice || typeof invoice === 'string') return null
  if (invoice.next_payment_attempt === null) return null
  const payment = await latestPayment(subscription, stripe)
  return nextAttempt(invoice, customer, payment?.last_payment_error)
}

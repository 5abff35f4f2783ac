import type Stripe from 'stripe'
import * as z from 'zod/mini'
import { isPayablePlanId, payablePlanIds, planById, type PayablePlanId } from '#plans/domain/plans.ts'
import { priceIdOf, type PlanPrice } from '#billing/domain/minutes/minute-grants.ts'
import type { ServerEnv } from '#platform/server/env.ts'
import type { Services } from '#platform/server/services.ts'

/** Returns the price of a plan. The client names a plan, never a price. */
export const priceOf = (plan: PayablePlanId, env: ServerEnv): string =>
  ({ starter: env.STRIPE_PRICE_STARTER, growth: env.STRIPE_PRICE_GROWTH, pro: env.STRIPE_PRICE_PRO })[plan]

/**
 * Returns the plan of a subscription: by its price or, if that price is no longer sold, by the price's metadata or by that
 * which checkout wrote.
 * @returns undefined if the subscription is not ours
 */
export function planOf(subscription: Stripe.Subscription, env: ServerEnv): PayablePlanId | undefined {
  const price = subscription.items.data[0]?.price
  const sold = payablePlanIds.find((plan) => priceOf(plan, env) === price?.id)
  if (sold) return sold
  const noted = [price?.metadata.plan, subscription.metadata.plan]
  return noted.find(isPayablePlanId)
}

/** An invoice, or the preview of one, with all its lines. */
export type WholeInvoice = Stripe.Invoice & { lines: { has_more: false } }

/** A subscription with its invoices, newest first. */
export interface Reading {
  subscription: Stripe.Subscription
  /** The latest hundred; grants of older ones stay as they were written. */
  invoices: WholeInvoice[]
}

/** Reads a subscription with its invoices. Its requests run in parallel, so they take the time of one. */
export async function readSubscription(id: string, stripe: Stripe): Promise<Reading> {
  const [subscription, invoices] = await Promise.all([
    stripe.subscriptions.retrieve(id, withPayment),
    readInvoices(id, stripe),
  ])
  return { subscription, invoices }
}

/** Reads the latest hundred invoices of a subscription. One request, and one more if an invoice has more than ten lines. */
export async function readInvoices(subscription: string, stripe: Stripe): Promise<WholeInvoice[]> {
  const { data } = await stripe.invoices.list({ subscription, limit: 100 })
  return Promise.all(data.map((one) => withAllLines(one, stripe)))
}

/** Reads the remaining lines of an invoice or a preview: Stripe sends the first ten with it. */
export async function withAllLines(invoice: Stripe.Invoice, stripe: Stripe): Promise<WholeInvoice> {
  const { id, lines } = invoice
  const data = lines.has_more
    ? await stripe.invoices.listLineItems(id, { limit: 100 }).autoPagingToArray({ limit: 1_000 })
    : lines.data
  return { ...invoice, lines: { ...lines, data, has_more: false } }
}

/** The plans of prices that are no longer sold; a price does not change at Stripe. */
const olderPrices = new Map<string, PlanPrice>()

/**
 * Returns the plan that each price in a reading sells. A price that is sold is the catalogue's; an older one says itself
 * what it sells (`stripe:sync` writes its metadata), and is read from Stripe once.
 */
export async function planPrices(
  { subscription, invoices }: Reading,
  { stripe, env }: Services,
): Promise<Map<string, PlanPrice>> {
  const prices = new Map<string, PlanPrice>()
  for (const plan of payablePlanIds) {
    const { priceCents, minutes } = planById(plan)
    prices.set(priceOf(plan, env), { plan, unitAmount: priceCents ?? 0, minutes })
  }
  const own = subscription.items.data[0]?.price
  if (own && !prices.has(own.id)) {
    const sells = planPriceOf(own, planOf(subscription, env))
    if (sells) prices.set(own.id, sells)
  }
  const billed = invoices.flatMap(({ lines }) => lines.data.map(priceIdOf))
  for (const id of new Set(billed)) {
    if (!id || prices.has(id)) continue
    const sells = olderPrices.get(id) ?? planPriceOf(await stripe.prices.retrieve(id))
    if (!sells) continue
    olderPrices.set(id, sells)
    prices.set(id, sells)
  }
  return prices
}

const wholeNumber = z.coerce.number().check(z.int(), z.positive())

/** @param fallback the plan of a price that does not name one */
function planPriceOf(
  { metadata, unit_amount }: Stripe.Price,
  fallback?: PayablePlanId,
): PlanPrice | undefined {
  const plan = isPayablePlanId(metadata.plan) ? metadata.plan : fallback
  if (!plan || !unit_amount) return undefined
  const minutes = z.safeParse(wholeNumber, metadata.minutes).data ?? planById(plan).minutes
  return { plan, unitAmount: unit_amount, minutes }
}

/** Tells whether the first payment of a subscription has succeeded and the subscription has not ended. */
export const isLive = (status: Stripe.Subscription.Status): boolean =>
  status === 'active' || status === 'trialing' || status === 'past_due' || status === 'unpaid'

/** Returns the client secret of the payment for a subscription's latest invoice, which must be expanded. */
export function clientSecretOf({ latest_invoice: invoice }: Stripe.Subscription): string | undefined {
  if (!invoice || typeof invoice === 'string') return undefined
  return invoice.confirmation_secret?.client_secret
}

/** Returns the id of a payment intent, with which its client secret begins. */
export const paymentIntentOf = (clientSecret: string): string =>
  clientSecret.split('_secret_')[0] ?? clientSecret

/** Reads the payment of a subscription's latest invoice, which must be expanded; undefined while that is a draft. */
export async function latestPayment(
  subscription: Stripe.Subscription,
  stripe: Stripe,
): Promise<Stripe.PaymentIntent | undefined> {
  const secret = clientSecretOf(subscription)
  return secret ? stripe.paymentIntents.retrieve(paymentIntentOf(secret)) : undefined
}

export const withPayment = { expand: ['latest_invoice.confirmation_secret', 'customer'] }

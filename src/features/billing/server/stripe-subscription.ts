import type Stripe from 'stripe'
import { isPayablePlanId, payablePlanIds, type PayablePlanId } from '#plans/domain/plans.ts'
import type { ServerEnv } from '#platform/server/env.ts'

/** The price that a plan is sold at. The client names a plan, never a price. */
export const priceOf = (plan: PayablePlanId, env: ServerEnv): string =>
  ({ starter: env.STRIPE_PRICE_STARTER, growth: env.STRIPE_PRICE_GROWTH, pro: env.STRIPE_PRICE_PRO })[plan]

/**
 * The plan of a subscription: by its price, or, where the price is one that is no longer sold, by what checkout noted
 * on it. Undefined for a subscription that is none of ours.
 */
export function planOf(subscription: Stripe.Subscription, env: ServerEnv): PayablePlanId | undefined {
  const price = subscription.items.data[0]?.price.id
  const sold = payablePlanIds.find((plan) => priceOf(plan, env) === price)
  if (sold) return sold
  const noted = subscription.metadata.plan
  return isPayablePlanId(noted) ? noted : undefined
}

/** Statuses of a subscription whose first payment has succeeded and which has not ended. */
export const isLive = (status: Stripe.Subscription.Status): boolean =>
  status === 'active' || status === 'trialing' || status === 'past_due' || status === 'unpaid'

/** The secret of the payment that a subscription's latest invoice waits for; needs that invoice expanded. */
export function clientSecretOf({ latest_invoice: invoice }: Stripe.Subscription): string | undefined {
  if (!invoice || typeof invoice === 'string') return undefined
  return invoice.confirmation_secret?.client_secret
}

/** A payment intent's client secret begins with its identifier. */
export const paymentIntentOf = (clientSecret: string): string =>
  clientSecret.split('_secret_')[0] ?? clientSecret

export const withPayment = { expand: ['latest_invoice.confirmation_secret'] }

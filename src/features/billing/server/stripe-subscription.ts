import type Stripe from 'stripe'
import { isPayablePlanId, payablePlanIds, type PayablePlanId } from '#plans/domain/plans.ts'
import type { ServerEnv } from '#platform/server/env.ts'

/** Returns the price of a plan. The client names a plan, never a price. */
export const priceOf = (plan: PayablePlanId, env: ServerEnv): string =>
  ({ starter: env.STRIPE_PRICE_STARTER, growth: env.STRIPE_PRICE_GROWTH, pro: env.STRIPE_PRICE_PRO })[plan]

/**
 * Returns the plan of a subscription: by its price or, if that price is no longer sold, by the metadata that checkout wrote.
 * @returns undefined if the subscription is not ours
 */
export function planOf(subscription: Stripe.Subscription, env: ServerEnv): PayablePlanId | undefined {
  const price = subscription.items.data[0]?.price.id
  const sold = payablePlanIds.find((plan) => priceOf(plan, env) === price)
  if (sold) return sold
  const noted = subscription.metadata.plan
  return isPayablePlanId(noted) ? noted : undefined
}

/** Whether the first payment of a subscription has succeeded and the subscription has not ended. */
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

export const withPayment = { expand: ['latest_invoice.confirmation_secret', 'customer'] }

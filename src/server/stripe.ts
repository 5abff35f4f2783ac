import Stripe from 'stripe'
import { payablePlanIds, isPayablePlanId, type PayablePlanId } from '#domain/plans.ts'
import type { ServerEnv } from './env.ts'

/** Stripe with short time-outs; what fails by network, 409 or 5xx is tried again under the same idempotency key. */
export function connectStripe(env: Pick<ServerEnv, 'STRIPE_SECRET_KEY' | 'STRIPE_API_URL'>): Stripe {
  const base = env.STRIPE_API_URL
  return new Stripe(env.STRIPE_SECRET_KEY, {
    timeout: 8_000,
    maxNetworkRetries: 2,
    telemetry: false,
    ...(base ? { httpClient: Stripe.createFetchHttpClient(fetchUnder(base)) } : {}),
  })
}

/** A `fetch` that finds Stripe's API under another address. */
function fetchUnder(base: string): typeof fetch {
  const root = base.replace(/\/$/, '')
  return (input, init) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input)
    return fetch(root + pathname + search, init)
  }
}

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

/** Turns Stripe's word that it does not know what was asked for, or not any more, into undefined. */
export function unlessUnknown(error: unknown): undefined {
  if (!(error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing'))
    throw error
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

/** Stripe's references are identifiers, or the objects themselves where they were expanded. */
export const idOf = (reference: string | { id: string }): string =>
  typeof reference === 'string' ? reference : reference.id

export const withPayment = { expand: ['latest_invoice.confirmation_secret'] }

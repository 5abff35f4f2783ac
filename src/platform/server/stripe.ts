import Stripe from 'stripe'
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

/** Turns Stripe's word that it does not know what was asked for, or not any more, into undefined. */
export function unlessUnknown(error: unknown): undefined {
  if (!(error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing'))
    throw error
}

/** Stripe's references are identifiers, or the objects themselves where they were expanded. */
export const idOf = (reference: string | { id: string }): string =>
  typeof reference === 'string' ? reference : reference.id

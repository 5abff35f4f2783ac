import Stripe from 'stripe'
import type { ServerEnv } from './env.ts'
import { logProviderResponse } from './log.ts'

/** Connects to Stripe with short timeouts. Requests that fail with a network error, 409 or 5xx are retried with the same idempotency key. */
export function connectStripe(env: Pick<ServerEnv, 'STRIPE_SECRET_KEY' | 'STRIPE_API_URL'>): Stripe {
  const base = env.STRIPE_API_URL
  return new Stripe(env.STRIPE_SECRET_KEY, {
    timeout: 8_000,
    maxNetworkRetries: 2,
    telemetry: false,
    ...(base ? { httpClient: Stripe.createFetchHttpClient(fetchUnder(base)) } : {}),
  })
}

/** Logs each response of Stripe with its own request id. */
export function logResponses(stripe: Stripe): Stripe {
  stripe.on('response', ({ method, path, status, elapsed, request_id }: Stripe.ResponseEvent) => {
    // The rest of the path has identifiers, and a query may name an e-mail.
    const resource = path.split(/[/?]/)[2]
    logProviderResponse('stripe', { method, resource, status, ms: elapsed, provider_request_id: request_id })
  })
  return stripe
}

/** Returns a `fetch` that sends requests for Stripe's API to another URL. */
function fetchUnder(base: string): typeof fetch {
  const root = base.replace(/\/$/, '')
  return (input, init) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input)
    return fetch(root + pathname + search, init)
  }
}

/** Turns Stripe's error for an unknown or deleted object into undefined, and throws every other error. */
export function unlessUnknown(error: unknown): undefined {
  if (!(error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing'))
    throw error
}

/** Returns the id of a reference: Stripe returns the id, or the object itself if it was expanded. */
export const idOf = (reference: string | { id: string }): string =>
  typeof reference === 'string' ? reference : reference.id

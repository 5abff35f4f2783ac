import * as z from 'zod/mini'
import { signedInUser } from '#account/server/signed-in-user.ts'
import type { Failure } from '#platform/domain/failures.ts'
import type { Result } from '#platform/domain/result.ts'
import { runSql } from '#platform/server/database.ts'
import type { Invocation } from '#platform/server/http.ts'
import { logFailure } from '#platform/server/log.ts'
import { providerFailure } from '#platform/server/outgoing/provider-failure.ts'
import { ipAddressOf, takeRateLimit, type RateLimitName } from '#platform/server/rate-limit.ts'
import type { Services } from '#platform/server/services.ts'
import type { ChangeFacts } from '#billing/domain/plan-change/upgrade.ts'
import { planPrices, readSubscription, type Reading } from '#billing/server/stripe-subscription.ts'
import { writeSubscription } from '#billing/server/sync.ts'

/** Longer than a change takes at Stripe, with the client's retries. */
const leaseSeconds = 60

const failures = {
  no_subscription: { code: 'no_subscription', message: 'There is no subscription to change.' },
  blocked: {
    code: 'forbidden',
    message: 'Your account is blocked. Contact us, and we will sort it out together.',
  },
  in_progress: {
    code: 'change_in_progress',
    message: 'Another change of your subscription is under way. Try again in a minute.',
  },
} as const satisfies Record<string, Failure>

export const refused = (failure: Failure): { ok: false; failure: Failure } => ({ ok: false, failure })
export const noSubscription = refused(failures.no_subscription)
export const blocked = refused(failures.blocked)
export const changeInProgress = refused(failures.in_progress)

const planQuote = z.object({
  id: z.uuid(),
  plan: z.string(),
  price: z.string(),
  proration_date: z.number(),
  amount_due: z.number(),
  starting_balance: z.number(),
  total: z.number(),
  tax: z.number(),
  currency: z.string(),
  lines: z.array(
    z.object({ amount: z.number(), price: z.nullable(z.string()), start: z.number(), end: z.number() }),
  ),
  used_at: z.nullable(z.string()),
  is_expired: z.boolean(),
})

const begun = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.enum(['no_subscription', 'blocked', 'in_progress']) }),
  z.object({
    outcome: z.literal('opened'),
    lease: z.uuid(),
    sequence: z.number(),
    subscription: z.string(),
    quote: z.nullable(planQuote),
  }),
])

/** The subscription that the holder of the lease may change. */
export interface OpenedChange extends Extract<z.infer<typeof begun>, { outcome: 'opened' }> {
  user: string
}

/** Returns the id of the signed-in customer, unless the customer has asked too often. */
export async function rateLimitedUser(
  name: RateLimitName,
  connected: Services,
  { request }: Pick<Invocation, 'request'>,
): Promise<Result<string>> {
  const user = await signedInUser(request, connected)
  if (!user.ok) return user
  const { id } = user.value
  const rateLimited = await takeRateLimit(name, { ipAddress: ipAddressOf(request), subject: id }, connected)
  return rateLimited ? refused(rateLimited) : { ok: true, value: id }
}

/** What decides about a change, as Stripe has it now. */
export type ReadFacts = Reading & Pick<ChangeFacts, 'prices'>

export async function readFacts(subscription: string, connected: Services): Promise<ReadFacts> {
  const reading = await readSubscription(subscription, connected.stripe)
  return { ...reading, prices: await planPrices(reading, connected) }
}

/** Runs a request to Stripe, and turns its failure into one that the page understands. */
export async function withStripeFailures<Value>(
  name: string,
  ask: () => Promise<Result<Value>>,
): Promise<Result<Value>> {
  try {
    return await ask()
  } catch (error) {
    const failure = providerFailure(error)
    if (!failure) throw error
    logFailure(name, error)
    return refused(failure)
  }
}

/**
 * Lets the signed-in customer change the own subscription, one request at a time.
 * @param change makes the change while the lease is held
 */
export async function changingSubscription<Value>(
  name: string,
  connected: Services,
  invocation: Pick<Invocation, 'request'>,
  change: (opened: OpenedChange) => Promise<Result<Value>>,
  quote: string | null = null,
): Promise<Result<Value>> {
  const { supabase } = connected
  const customer = await rateLimitedUser('plan_change', connected, invocation)
  if (!customer.ok) return customer
  const user = customer.value
  const opened = await runSql(
    supabase,
    'begin_subscription_change',
    { p_user_id: user, p_seconds: leaseSeconds, p_quote: quote },
    begun,
  )
  if (opened.outcome !== 'opened') return refused(failures[opened.outcome])
  try {
    return await withStripeFailures(name, () => change({ ...opened, user }))
  } finally {
    // The change at Stripe stands, even if the lease cannot be released: it expires by itself.
    await runSql(
      supabase,
      'end_subscription_change',
      { p_user_id: user, p_lease: opened.lease },
      z.unknown(),
    ).catch((error: unknown) => logFailure('end_subscription_change', error))
  }
}

/**
 * Writes what has just changed at Stripe into the database, so that the page shows it at once. If this fails, the event
 * brings it.
 */
export async function recordChange(reading: Reading, sequence: number, connected: Services): Promise<void> {
  try {
    await writeSubscription(reading, sequence, connected)
  } catch (error) {
    logFailure('show-change', error)
  }
}

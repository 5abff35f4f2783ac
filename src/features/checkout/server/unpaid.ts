import type Stripe from 'stripe'
import * as z from 'zod/mini'
import { runSql } from '#platform/server/database.ts'
import type { JobKind } from '#platform/server/jobs.ts'
import { logFailure } from '#platform/server/log.ts'
import type { Services } from '#platform/server/services.ts'
import { unlessUnknown } from '#platform/server/stripe.ts'
import { leaseSeconds } from './checkouts.ts'
import { customersOf } from './payment.ts'

/** The number of checkouts that one run removes; the next run continues. */
const perRun = 20
/** In seconds. */
const oneHour = 3600

const claimed = z.nullable(
  z.object({
    id: z.string(),
    lease: z.string(),
    email: z.string(),
    state: z.string(),
    stripe_customer_id: z.nullable(z.string()),
  }),
)
type UnpaidCheckout = NonNullable<z.infer<typeof claimed>>

/**
 * Removes what attempts leave that were never paid: the checkout with its e-mail, and the user. The jobs of the Stripe
 * customers are added in the same transaction.
 */
export const unpaidCheckouts: JobKind = {
  kind: 'unpaid checkouts',
  everyMinutes: 60,
  isLong: true,
  async run(_, connected) {
    for (let nth = 0; nth < perRun; nth++) {
      const lease = { p_lease_seconds: leaseSeconds }
      const checkout = await runSql(connected.supabase, 'claim_unpaid_checkout', lease, claimed)
      if (!checkout) break
      await remove(checkout, connected)
    }
  },
}

/** Deletes a customer at Stripe who has never paid. One with a subscription that can still be paid waits: it ends within a day. */
export const unpaidCustomers: JobKind = {
  kind: 'unpaid customers',
  lanes: 2,
  async run({ key: customer }, { stripe }) {
    const standing = await standingOf(customer, stripe).catch(unlessUnknown)
    if (standing === 'payable') return oneHour
    if (standing === 'unpaid') await stripe.customers.del(customer).catch(unlessUnknown)
    return undefined
  },
}

/** Removes a checkout if nothing of it is paid or can still be paid. Otherwise its time begins anew. */
async function remove(checkout: UnpaidCheckout, { supabase, stripe }: Services): Promise<void> {
  const { id, lease, state } = checkout
  const held = { p_id: id, p_lease: lease }
  try {
    const customers = await customersOf(checkout, stripe)
    const standings = await Promise.all(customers.map((customer) => standingOf(customer, stripe)))
    if (standings.every((standing) => standing === 'unpaid')) {
      const args = { ...held, p_customers: customers }
      if (await runSql(supabase, 'remove_unpaid_checkout', args, z.boolean())) return
    }
  } catch (error) {
    logFailure('unpaid checkouts', error)
  }
  await runSql(supabase, 'end_checkout', { ...held, p_changes: { state } }, z.boolean())
}

/**
 * Says whether a customer has ever paid, or has a subscription that can still be paid. A deleted one counts as unpaid.
 * @throws StripeInvalidRequestError if Stripe does not know the customer
 */
async function standingOf(customer: string, stripe: Stripe): Promise<'paid' | 'payable' | 'unpaid'> {
  if ((await stripe.customers.retrieve(customer)).deleted) return 'unpaid'
  for await (const { paid } of stripe.charges.list({ customer, limit: 100 })) if (paid) return 'paid'
  for await (const { status } of stripe.subscriptions.list({ customer, status: 'all', limit: 100 })) {
    if (status !== 'incomplete_expired' && status !== 'canceled') return 'payable'
  }
  return 'unpaid'
}

import type Stripe from 'stripe'
import * as z from 'zod/mini'
import { runSql } from '#platform/server/database.ts'
import { logFailure } from '#platform/server/log.ts'
import type { Services } from '#platform/server/services.ts'
import { unlessUnknown } from '#platform/server/stripe.ts'
import { leaseSeconds } from './checkouts.ts'
import { customersOf } from './payment.ts'

/** The number of checkouts, and of Stripe customers, that one run removes; the next run continues. */
const perRun = 20

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
 * Removes what attempts leave that were never paid: the checkout with its e-mail, the user and the Stripe customer. The
 * customer is noted in the database before it is deleted at Stripe, so that a run that was cut off is continued.
 * @returns the removed checkouts
 */
export async function removeUnpaidCheckouts(connected: Services): Promise<string[]> {
  const { supabase, stripe } = connected
  const removed: string[] = []
  for (let nth = 0; nth < perRun; nth++) {
    const lease = { p_lease_seconds: leaseSeconds }
    const checkout = await runSql(supabase, 'claim_unpaid_checkout', lease, claimed)
    if (!checkout) break
    if (await remove(checkout, connected)) removed.push(checkout.id)
  }
  const customers = await runSql(supabase, 'unpaid_customers', { p_limit: perRun }, z.array(z.string()))
  for (const id of customers) {
    const standing = await standingOf(id, stripe).catch(unlessUnknown)
    // The subscription ends within a day; a later run looks again.
    if (standing === 'payable') continue
    if (standing === 'unpaid') await stripe.customers.del(id).catch(unlessUnknown)
    await runSql(supabase, 'forget_customer', { p_customer: id }, z.unknown())
  }
  return removed
}

/** Removes a checkout if nothing of it is paid or can still be paid. Otherwise its time begins anew. */
async function remove(checkout: UnpaidCheckout, { supabase, stripe }: Services): Promise<boolean> {
  const { id, lease, state } = checkout
  const held = { p_id: id, p_lease: lease }
  try {
    const customers = await customersOf(checkout, stripe)
    const standings = await Promise.all(customers.map((customer) => standingOf(customer, stripe)))
    if (standings.every((standing) => standing === 'unpaid')) {
      const args = { ...held, p_customers: customers }
      if (await runSql(supabase, 'remove_unpaid_checkout', args, z.boolean())) return true
    }
  } catch (error) {
    logFailure('remove-unpaid-checkouts', error)
  }
  await runSql(supabase, 'end_checkout', { ...held, p_changes: { state } }, z.boolean())
  return false
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

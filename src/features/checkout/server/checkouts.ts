import * as z from 'zod/mini'
import type { PayablePlanId } from '#plans/domain/plans.ts'
import { runSql, type Supabase } from '#platform/server/database.ts'

/**
 * How long an attempt holds the lease on its e-mail, in seconds. After a crash the e-mail stays locked until the lease
 * expires. An attempt that takes longer than its lease is stopped by `recordCheckout`, before it charges.
 */
export const leaseSeconds = 30

const checkout = z.object({
  id: z.string(),
  email: z.string(),
  /** Whether it is an attempt parallel to another: it has no user until it is paid. */
  is_parallel: z.boolean(),
  lease: z.string(),
  plan: z.string(),
  state: z.string(),
  user_id: z.nullable(z.string()),
  stripe_customer_id: z.nullable(z.string()),
  stripe_subscription_id: z.nullable(z.string()),
  provider_failures: z.number(),
})
export type Checkout = z.infer<typeof checkout>

const begun = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('account_exists') }),
  z.object({ outcome: z.literal('in_progress') }),
  z.object({
    outcome: z.literal('opened'),
    /** Taken before any request to Stripe (see `sync_subscription`). */
    sequence: z.number(),
    seconds_since_first_attempt: z.number(),
    /** The signed-in account that buys; null if the payer has no account yet. */
    account: z.nullable(z.string()),
    /** Whether the e-mail's user was confirmed with the link of an attempt that was not seen as paid. */
    is_confirmed: z.boolean(),
    /** Whether the e-mail has an account. Its attempts take the place of each other. */
    has_account: z.boolean(),
    /** The subscriptions of attempts parallel to this one that may have been paid. */
    other_attempts: z.array(z.string()),
    checkout,
  }),
])
export type OpenedCheckout = Extract<z.infer<typeof begun>, { outcome: 'opened' }>

export interface CheckoutChanges {
  plan?: PayablePlanId
  user_id?: string
  stripe_customer_id?: string
  stripe_subscription_id?: string
  /** `refused`: the provider failed, and may repeat this failure for the same idempotency key. */
  state?: 'open' | 'requires_action' | 'declined' | 'refused' | 'paid'
}

/**
 * Opens the checkout of an e-mail, or of a signed-in account, for this attempt only (SQL: `begin_checkout`).
 * @param userId the signed-in user
 */
export const beginCheckout = (
  supabase: Supabase,
  { email, planId }: { email: string; planId: PayablePlanId },
  userId: string | null,
) =>
  runSql(
    supabase,
    'begin_checkout',
    { p_email: email, p_plan: planId, p_lease_seconds: leaseSeconds, p_user_id: userId },
    begun,
  )

const openedParallel = z.nullable(z.object({ seconds_since_first_attempt: z.number(), checkout }))

/**
 * Goes on beside an attempt that may be somebody else's (SQL: `open_parallel`).
 * @param card the card's fingerprint
 * @returns null if another attempt has taken over the lease
 */
export async function openParallel(
  supabase: Supabase,
  { checkout: { id, lease }, ...begun }: OpenedCheckout,
  card: string,
): Promise<OpenedCheckout | null> {
  const opened = await runSql(
    supabase,
    'open_parallel',
    { p_id: id, p_lease: lease, p_card: card },
    openedParallel,
  )
  return opened && { ...begun, ...opened, is_confirmed: false }
}

/**
 * Writes the changes of an attempt.
 * @returns false if another attempt has taken over the lease
 */
export const recordCheckout = (supabase: Supabase, { id, lease }: Checkout, changes: CheckoutChanges) =>
  runSql(supabase, 'record_checkout', { p_id: id, p_lease: lease, p_changes: changes }, z.boolean())

/** Writes the changes of an attempt and releases its lease, so that the next attempt can begin. */
export const endCheckout = (supabase: Supabase, { id, lease }: Checkout, changes: CheckoutChanges) =>
  runSql(supabase, 'end_checkout', { p_id: id, p_lease: lease, p_changes: changes }, z.boolean())

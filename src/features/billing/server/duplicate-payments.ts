import { randomBytes } from 'node:crypto'
import Stripe from 'stripe'
import * as z from 'zod/mini'
import { runSql } from '#platform/server/database.ts'
import type { Services } from '#platform/server/services.ts'
import { idOf, unlessUnknown } from '#platform/server/stripe.ts'
import { clientSecretOf, paymentIntentOf, withPayment } from './stripe-subscription.ts'

/**
 * Makes the account of a payment that was attempted beside another attempt, with a password that nobody knows. The payer
 * sets one with the token of checkout or by the mailed link.
 * @throws AuthError
 */
export async function makeAccount(
  subscription: string,
  email: string,
  { supabase }: Services,
): Promise<void> {
  const password = randomBytes(32).toString('base64url')
  const { error } = await supabase.auth.admin.createUser({ email, password })
  const isGiven = await runSql(supabase, 'give_account', { p_subscription: subscription }, z.boolean())
  // If there is a user, another caller has made it, or it was there.
  if (error && !isGiven) throw error
}

/**
 * Ends an unpaid subscription by voiding its invoice. Cancelling would also end a subscription that was paid a moment ago; a
 * paid invoice cannot be voided.
 * @returns false if it is too late
 */
export async function voidInvoice(
  { latest_invoice }: Pick<Stripe.Subscription, 'latest_invoice'>,
  stripe: Stripe,
): Promise<boolean> {
  if (!latest_invoice) return false
  try {
    await stripe.invoices.voidInvoice(idOf(latest_invoice))
    return true
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError) return false
    throw error
  }
}

/** Ends another attempt's subscription unless it is paid: then its own event gives the payment back. */
export async function endUnpaid(id: string, stripe: Stripe): Promise<void> {
  const subscription = await stripe.subscriptions.retrieve(id).catch(unlessUnknown)
  if (subscription?.status === 'incomplete') await voidInvoice(subscription, stripe)
}

/**
 * Ends a subscription that was paid after another payment of the same e-mail, and gives its money back. It does so once,
 * however often it is called: Stripe refunds a charge in full once.
 */
export async function giveBack({ id, status }: Stripe.Subscription, stripe: Stripe): Promise<void> {
  const before = await stripe.subscriptions.retrieve(id, withPayment)
  const secret = clientSecretOf(before)
  if (secret) await refundOnce(paymentIntentOf(secret), 'duplicate', stripe)
  if (status !== 'canceled') await stripe.subscriptions.cancel(id).catch(unlessUnknown)
}

/**
 * Refunds a payment. The payer already has what the bank has taken back; if we win the dispute, its event comes here
 * again.
 */
export async function refundOnce(
  payment: string,
  reason: Stripe.RefundCreateParams.Reason,
  stripe: Stripe,
): Promise<void> {
  try {
    await stripe.refunds.create({ payment_intent: payment, reason })
  } catch (error) {
    const isDone =
      error instanceof Stripe.errors.StripeInvalidRequestError &&
      ['charge_already_refunded', 'charge_disputed'].includes(error.code ?? '')
    if (!isDone) throw error
  }
}

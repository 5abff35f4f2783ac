import type Stripe from 'stripe'
import { isTriedAgain } from '#billing/domain/hard-decline.ts'
import { idOf } from '#platform/server/stripe.ts'

type Customer = Stripe.Invoice['customer']

/**
 * Returns when Stripe charges the card for an invoice again, in its seconds; null if it does not. Stripe names a time even
 * if the card was declined for good, and lets it pass.
 * @param customer expanded
 * @param failed the last charge that failed
 */
export function nextAttempt(
  { status, next_payment_attempt: next }: Pick<Stripe.Invoice, 'status' | 'next_payment_attempt'>,
  customer: Customer,
  failed: Stripe.PaymentIntent.LastPaymentError | null | undefined,
): number | null {
  if (status !== 'open' || !customer || typeof customer === 'string' || customer.deleted) return null
  const card = customer.invoice_settings.default_payment_method
  return isTriedAgain(failed, card && idOf(card)) ? next : null
}

/** Converts Stripe's seconds since 1970. */
export const isoTime = (seconds: number | null | undefined): string | null =>
  seconds == null ? null : new Date(seconds * 1000).toISOString()

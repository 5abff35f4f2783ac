/**
 * The tone in which a subscription's status is shown. `active`, `blocked` and `payment_failed` are our own; any other
 * status is the provider's (specification, section 4).
 */
type Tone = 'ok' | 'bad' | 'warn'

/** Returns `ok` for active, `bad` for blocked and payment_failed, `warn` for any other status. */
export function statusTone(status: string): Tone {
  if (status === 'active') return 'ok'
  return status === 'blocked' || status === 'payment_failed' ? 'bad' : 'warn'
}

/** Returns a status as customers read it: "Payment failed" for payment_failed. */
export function statusLabel(status: string): string {
  const words = status.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Returns whether the provider goes on charging; with any other status there is no next period. */
export const renews = (status: string): boolean =>
  status === 'active' || status === 'trialing' || status === 'payment_failed'

/** Returns whether nothing of a subscription runs any more, so that its account can buy again (SQL: `begin_checkout`). */
export const isOver = (status: string): boolean =>
  status === 'canceled' || status === 'incomplete' || status === 'incomplete_expired'

/**
 * Returns the status that we store for a Stripe subscription's status.
 * @param paymentError whether its payment intent has a last error
 */
export function billingStatus(stripeStatus: string, paymentError: boolean): string {
  if (stripeStatus === 'past_due' || stripeStatus === 'unpaid') return 'payment_failed'
  if (stripeStatus === 'incomplete') return paymentError ? 'payment_failed' : 'incomplete'
  return stripeStatus
}

/**
 * Subscription status. `active`, `blocked` and `payment_failed` have names of their own; any other word is the
 * provider's (specification, section 4).
 */
export type Tone = 'ok' | 'bad' | 'warn'

/** Red for blocked and payment_failed, yellow for whatever is not named, else in order. */
export function statusTone(status: string): Tone {
  if (status === 'active') return 'ok'
  return status === 'blocked' || status === 'payment_failed' ? 'bad' : 'warn'
}

/** Whether the provider goes on charging: a subscription of any other status has no next period. */
export const renews = (status: string): boolean =>
  status === 'active' || status === 'trialing' || status === 'payment_failed'

/** The word we keep for a Stripe subscription's status. `paymentError`: its payment intent has a last error. */
export function billingStatus(stripeStatus: string, paymentError: boolean): string {
  if (stripeStatus === 'past_due' || stripeStatus === 'unpaid') return 'payment_failed'
  if (stripeStatus === 'incomplete') return paymentError ? 'payment_failed' : 'incomplete'
  return stripeStatus
}

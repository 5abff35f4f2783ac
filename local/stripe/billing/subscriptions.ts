import type { Stripe } from 'stripe'
import { change, type Account } from '../account.ts'

/** Changes a stored subscription, and tells of it. */
export function updateSubscription(
  account: Account,
  before: Stripe.Subscription,
  fields: Partial<Stripe.Subscription>,
): Stripe.Subscription {
  const after = change(account, 'subscriptions', before, fields)
  account.emit('customer.subscription.updated', after, before)
  return after
}

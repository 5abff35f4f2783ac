import type { Stripe } from 'stripe'
import { change, type Account } from '../account.ts'
import { voidInvoice, subscriptionIdOf } from './invoices.ts'
import { updateSubscription } from './settlement.ts'

/** Ends a subscription at once. If it was never paid, it expires, as at Stripe. */
export function cancelSubscription(
  account: Account,
  subscription: Stripe.Subscription,
  reason: 'cancellation_requested' | 'payment_failed' = 'cancellation_requested',
): Stripe.Subscription {
  if (subscription.status === 'incomplete') return expireSubscription(account, subscription)
  const now = account.now()
  for (const invoice of openInvoices(account, subscription)) {
    change(account, 'invoices', invoice, { auto_advance: false, next_payment_attempt: null })
  }
  const canceled = change(account, 'subscriptions', subscription, {
    status: 'canceled',
    canceled_at: subscription.canceled_at ?? now,
    ended_at: now,
    cancel_at_period_end: false,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason },
  })
  account.emit('customer.subscription.deleted', canceled)
  return canceled
}

/** Expires a subscription whose first payment did not come within 23 hours, or can no longer come. */
export function expireSubscription(account: Account, subscription: Stripe.Subscription): Stripe.Subscription {
  for (const invoice of openInvoices(account, subscription)) voidInvoice(account, invoice)
  return updateSubscription(account, subscription, {
    status: 'incomplete_expired',
    ended_at: account.now(),
  })
}

const openInvoices = (account: Account, subscription: Stripe.Subscription): Stripe.Invoice[] =>
  account.store
    .all('invoices')
    .filter((one) => one.status === 'open' && subscriptionIdOf(one) === subscription.id)

import type { Stripe } from 'stripe'
import { change, idOf, mergedMetadata, type Account } from '../account.ts'
import { embedded } from '../lists.ts'
import { voidInvoice } from './invoices.ts'
import { periodOf } from './items.ts'
import { updateSubscription } from './subscriptions.ts'

/** The time limit for the payment of an update, in seconds. */
const pendingFor = 23 * 3600

/** What an update changes once it is paid. */
interface PendingFields {
  items: Stripe.SubscriptionItem[]
  metadata: Stripe.Metadata | null
  cancelAtPeriodEnd: boolean | null
}

/** Notes an update that waits for the payment of the subscription's latest invoice. */
export function holdUpdate(
  account: Account,
  subscription: Stripe.Subscription,
  invoice: string,
  { items, metadata, cancelAtPeriodEnd }: PendingFields,
): Stripe.Subscription {
  return change(account, 'subscriptions', subscription, {
    latest_invoice: invoice,
    pending_update: {
      billing_cycle_anchor: null,
      cancel_at_period_end: cancelAtPeriodEnd,
      discount: null,
      discounts: null,
      expires_at: Math.min(account.now() + pendingFor, periodOf(subscription).end),
      metadata,
      subscription_items: items,
      trial_end: null,
      trial_from_plan: null,
    },
  })
}

/** Returns the fields of a subscription to which an update that was held is applied. */
export function appliedUpdate(subscription: Stripe.Subscription): Partial<Stripe.Subscription> {
  const { pending_update: update, items } = subscription
  if (!update) return {}
  return {
    pending_update: null,
    ...(update.subscription_items ? { items: embedded(update.subscription_items, items.url) } : {}),
    ...(update.metadata ? { metadata: mergedMetadata(subscription.metadata, update.metadata) } : {}),
    ...(update.cancel_at_period_end === null ? {} : scheduledEnd(subscription, update.cancel_at_period_end)),
  }
}

/** Returns the fields of a subscription that ends, or does not end, with its period. */
export const scheduledEnd = (
  subscription: Stripe.Subscription,
  ends: boolean,
): Pick<Stripe.Subscription, 'cancel_at_period_end' | 'cancel_at'> => ({
  cancel_at_period_end: ends,
  cancel_at: ends ? periodOf(subscription).end : null,
})

/** Whether an invoice is for an update that is held until it is paid. */
export const isHeld = (subscription: Stripe.Subscription | undefined, invoice: string): boolean =>
  Boolean(subscription?.pending_update) && idOf(subscription?.latest_invoice) === invoice

/**
 * Ends an update that is held: its invoice is voided, and nothing of it is applied.
 * @param isExpired whether no other update replaces it
 */
export function endUpdate(
  account: Account,
  subscription: Stripe.Subscription,
  isExpired: boolean,
): Stripe.Subscription {
  const invoice = account.store.get('invoices', idOf(subscription.latest_invoice) ?? '')
  const ended = updateSubscription(account, subscription, { pending_update: null })
  if (invoice?.status === 'open') voidInvoice(account, invoice)
  if (isExpired) account.emit('customer.subscription.pending_update_expired', ended, subscription)
  return ended
}

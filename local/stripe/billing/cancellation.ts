import type { Stripe } from 'stripe'
import { change, idOf, type Account } from '../account.ts'
import { openDraft, subscriptionIdOf, voidInvoice } from './invoices.ts'
import { periodOf } from './items.ts'
import { addedCharge } from './lines.ts'
import { pendingItems } from './pending.ts'
import { updateSubscription } from './subscriptions.ts'

type Reason = 'cancellation_requested' | 'payment_failed'

/** The seconds for which an invoice stays a draft before Stripe finalizes and charges it. */
export const draftFor = 3600

/** Ends a subscription at once. If it was never paid, it expires, as at Stripe. Its invoices are not charged any more. */
export function cancelSubscription(
  account: Account,
  subscription: Stripe.Subscription,
  details: Partial<Stripe.Subscription.CancellationDetails> & { reason?: Reason } = {},
): Stripe.Subscription {
  if (subscription.status === 'incomplete') return expireSubscription(account, subscription)
  for (const invoice of unsettled(account, subscription)) {
    change(account, 'invoices', invoice, {
      auto_advance: false,
      automatically_finalizes_at: null,
      next_payment_attempt: null,
    })
  }
  return end(account, subscription, details)
}

/** Ends a subscription with its period: items that wait for an invoice are billed. */
export function endWithPeriod(account: Account, subscription: Stripe.Subscription): Stripe.Subscription {
  const final = billWaiting(account, subscription)
  const latest = final ? { ...subscription, latest_invoice: final.id } : subscription
  return end(account, latest, { ...subscription.cancellation_details })
}

/** Drafts the last invoice of a subscription if items wait for it. It is finalized and charged like a renewal. */
function billWaiting(account: Account, subscription: Stripe.Subscription): Stripe.Invoice | undefined {
  const waiting = pendingItems(account, subscription)
  if (waiting.length === 0) return undefined
  return openDraft(
    account,
    {
      customer: idOf(subscription.customer) ?? '',
      subscription,
      reason: 'subscription_cycle',
      charges: waiting.map((item) => addedCharge(account, item)),
      period: periodOf(subscription),
    },
    { auto_advance: true, automatically_finalizes_at: account.now() + draftFor },
  )
}

function end(
  account: Account,
  subscription: Stripe.Subscription,
  details: Partial<Stripe.Subscription.CancellationDetails>,
): Stripe.Subscription {
  const now = account.now()
  const canceled = change(account, 'subscriptions', subscription, {
    latest_invoice: subscription.latest_invoice,
    status: 'canceled',
    canceled_at: subscription.canceled_at ?? now,
    ended_at: now,
    cancel_at_period_end: false,
    pending_update: null,
    cancellation_details: {
      comment: null,
      feedback: null,
      feedback_option: null,
      ...details,
      reason: details.reason ?? 'cancellation_requested',
    },
  })
  account.emit('customer.subscription.deleted', canceled)
  return canceled
}

/** Expires a subscription whose first payment did not come within 23 hours, or can no longer come. */
export function expireSubscription(account: Account, subscription: Stripe.Subscription): Stripe.Subscription {
  for (const invoice of unsettled(account, subscription)) voidInvoice(account, invoice)
  return updateSubscription(account, subscription, {
    status: 'incomplete_expired',
    ended_at: account.now(),
  })
}

const unsettled = (account: Account, subscription: Stripe.Subscription): Stripe.Invoice[] =>
  account.store
    .all('invoices')
    .filter(
      (one) => (one.status === 'open' || one.status === 'draft') && subscriptionIdOf(one) === subscription.id,
    )

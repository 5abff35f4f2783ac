import type { Stripe } from 'stripe'
import { idOf, known, mergedMetadata, type Account } from '../account.ts'
import { changedItems, periodOf, type ItemChange } from '../billing/items.ts'
import { defaultMethod, issue, paymentOf } from '../billing/invoices.ts'
import { addedCharge } from '../billing/lines.ts'
import { attemptPayment } from '../billing/payment.ts'
import { pendingItems, prorationItem } from '../billing/pending.ts'
import { updateSubscription } from '../billing/settlement.ts'
import { authenticationRequired } from '../cards.ts'
import { declined, invalid } from '../errors.ts'
import { ownMethod } from './subscriptions.ts'

/** Changes a subscription. The parameters decide how a change of price within a period is prorated. */
export function changeSubscription(
  account: Account,
  before: Stripe.Subscription,
  params: Stripe.SubscriptionUpdateParams,
): Stripe.Subscription {
  if (before.ended_at) {
    throw invalid(
      `A canceled subscription can only update its cancellation_details and metadata (${before.id}).`,
    )
  }
  const change = params.items
    ? changedItems(account, before, params.items, params.proration_date ?? account.now())
    : undefined
  const after = updateSubscription(account, before, {
    metadata: mergedMetadata(before.metadata, params.metadata),
    ...(change ? { items: change.items } : {}),
    ...cancellation(account, before, params),
    ...(params.default_payment_method === undefined
      ? {}
      : {
          default_payment_method: ownMethod(
            account,
            idOf(before.customer) ?? '',
            params.default_payment_method,
          ),
        }),
    ...(params.description === undefined ? {} : { description: params.description || null }),
    ...(params.payment_settings && before.payment_settings
      ? {
          payment_settings: {
            ...before.payment_settings,
            ...(params.payment_settings.save_default_payment_method
              ? { save_default_payment_method: params.payment_settings.save_default_payment_method }
              : {}),
          },
        }
      : {}),
  })
  return change && prorates(before, params) ? bill(account, after, change, params) : after
}

const prorates = (before: Stripe.Subscription, params: Stripe.SubscriptionUpdateParams): boolean =>
  params.proration_behavior !== 'none' && before.status !== 'incomplete'

function cancellation(
  account: Account,
  before: Stripe.Subscription,
  params: Stripe.SubscriptionUpdateParams,
): Partial<Stripe.Subscription> {
  if (params.cancel_at_period_end === undefined) return {}
  if (!params.cancel_at_period_end) {
    return { cancel_at_period_end: false, cancel_at: null, canceled_at: null }
  }
  return {
    cancel_at_period_end: true,
    cancel_at: periodOf(before).end,
    canceled_at: before.canceled_at ?? account.now(),
    cancellation_details: {
      comment: params.cancellation_details?.comment || null,
      feedback: params.cancellation_details?.feedback || null,
      feedback_option: null,
      reason: 'cancellation_requested',
    },
  }
}

/** Adds the difference to the next invoice, or charges it at once with `always_invoice`. */
function bill(
  account: Account,
  subscription: Stripe.Subscription,
  change: ItemChange,
  params: Stripe.SubscriptionUpdateParams,
): Stripe.Subscription {
  for (const proration of change.prorations) {
    const item = prorationItem(account, subscription, proration)
    account.store.put('invoiceItems', item.id, item)
    account.emit('invoiceitem.created', item)
  }
  if (params.proration_behavior !== 'always_invoice') return subscription

  const customer = idOf(subscription.customer) ?? ''
  const invoice = issue(account, {
    customer,
    subscription,
    reason: 'subscription_update',
    charges: pendingItems(account, subscription).map((item) => addedCharge(account, item)),
    period: periodOf(subscription),
  })
  const billed = updateSubscription(account, subscription, { latest_invoice: invoice.id })
  const intentId = idOf(paymentOf(account, invoice.id)?.payment.payment_intent)
  const method = defaultMethod(account, customer, billed)
  if (invoice.status === 'open' && intentId && method && params.payment_behavior !== 'default_incomplete') {
    const intent = known(account, 'paymentIntents', intentId)
    const outcome = attemptPayment(account, intent, { method, onSession: params.off_session !== true })
    if (params.payment_behavior === 'error_if_incomplete' && outcome.kind !== 'paid') {
      // The change is rolled back: the subscription stays unchanged.
      throw declined(outcome.kind === 'declined' ? outcome.decline : authenticationRequired)
    }
  }
  return known(account, 'subscriptions', subscription.id)
}

import type { Stripe } from 'stripe'
import { change, idOf, requireObject, mergedMetadata, type Account } from '../account.ts'
import { changedItems, periodOf } from '../billing/items.ts'
import { defaultMethod, issue, paymentOf } from '../billing/invoices.ts'
import { addedCharge } from '../billing/lines.ts'
import { attemptPayment } from '../billing/payment.ts'
import { appliedUpdate, endUpdate, holdUpdate, scheduledEnd } from '../billing/pending-updates.ts'
import { pendingItems, prorationItem } from '../billing/pending.ts'
import { prorationDate, prorationsOf } from '../billing/prorations.ts'
import { updateSubscription } from '../billing/subscriptions.ts'
import { invalid, malformed, unmodelled } from '../errors.ts'
import { requireInvoiceRate } from '../limits.ts'
import { requireModelled } from '../parameters.ts'
import { ownMethod } from './payment-methods.ts'

type Params = Stripe.SubscriptionUpdateParams

/** Changes a subscription. The parameters decide how a change of price within a period is prorated and paid. */
export function changeSubscription(
  account: Account,
  given: Stripe.Subscription,
  params: Params,
): Stripe.Subscription {
  requireChangeable(given, params)
  const { payment_behavior: behaviour } = params
  requireModelled('payment_behavior', behaviour, 'allow_incomplete', 'pending_if_incomplete')
  const pends = behaviour === 'pending_if_incomplete'
  if (pends) requirePendable(params)
  const at = prorationDate(account, given, params)
  const replaces = given.pending_update !== null && (params.items !== undefined || ends(given, params))
  const before = replaces ? endUpdate(account, given, params.items === undefined) : given
  const changed = params.items ? changedItems(account, before, params.items) : undefined

  if (changed && changed.changes.length > 0 && params.proration_behavior !== 'none') {
    const prorations = prorationsOf(account, before, changed.changes, at).map((one) =>
      prorationItem(account, before, one),
    )
    if (params.proration_behavior === 'always_invoice') requireInvoiceRate(account, before)
    for (const item of prorations) {
      account.store.put('invoiceItems', item.id, item)
      account.emit('invoiceitem.created', item)
    }
    if (params.proration_behavior === 'always_invoice') {
      return pends
        ? payFirst(account, before, changed.items.data, params)
        : billAtOnce(account, apply(account, before, params, changed.items))
    }
  }
  return apply(account, before, params, changed?.items)
}

const ends = (before: Stripe.Subscription, { cancel_at_period_end: ends }: Params): boolean =>
  ends !== undefined && ends !== before.cancel_at_period_end

/** @throws StripeFailure 400 if the subscription's status does not allow the change */
function requireChangeable(before: Stripe.Subscription, params: Params): void {
  const others = (...allowed: string[]): boolean =>
    Object.getOwnPropertyNames(params).some((name) => ![...allowed, 'expand'].includes(name))
  if (before.ended_at && others('metadata', 'cancellation_details')) {
    throw invalid(
      `A canceled subscription can only update its cancellation_details and metadata (${before.id}).`,
    )
  }
  if (before.status === 'incomplete' && others('metadata')) {
    throw invalid(
      `Subscription ${before.id} is incomplete: until its first invoice is paid, only its metadata and default_source can be updated.`,
    )
  }
}

/** The parameters that an update may have if it is applied once it is paid. */
const pendable: readonly string[] = [
  'items',
  'proration_behavior',
  'proration_date',
  'payment_behavior',
  'billing_cycle_anchor',
  'trial_end',
  'trial_from_plan',
  'add_invoice_items',
  'metadata',
  'cancel_at_period_end',
  'expand',
]

function requirePendable(params: Params): void {
  const names = [
    ...Object.getOwnPropertyNames(params).filter((name) => !pendable.includes(name)),
    ...(params.items ?? []).flatMap((item) =>
      Object.getOwnPropertyNames(item).filter(
        (name) => !['id', 'price', 'quantity', 'deleted'].includes(name),
      ),
    ),
  ]
  if (names.length > 0) {
    throw invalid(
      `When \`payment_behavior\` is set to \`pending_if_incomplete\`, you can only pass parameters that pending updates support. You passed: ${names.join(', ')}.`,
      { param: names[0] ?? '' },
    )
  }
}

function apply(
  account: Account,
  before: Stripe.Subscription,
  params: Params,
  items: Stripe.ApiList<Stripe.SubscriptionItem> | undefined,
): Stripe.Subscription {
  const { default_payment_method: method } = params
  requireModelled('automatic_tax[enabled]', params.automatic_tax?.enabled, false)
  requireModelled('billing_cycle_anchor[type]', params.billing_cycle_anchor?.type, 'unchanged')
  return updateSubscription(account, before, {
    metadata: mergedMetadata(before.metadata, params.metadata),
    ...(items ? { items } : {}),
    ...cancellation(account, before, params),
    ...(method === undefined
      ? {}
      : { default_payment_method: ownMethod(account, idOf(before.customer) ?? '', method) }),
  })
}

function cancellation(
  account: Account,
  before: Stripe.Subscription,
  params: Params,
): Partial<Stripe.Subscription> {
  const { cancel_at_period_end: atEnd, cancel_at: at, cancellation_details: details } = params
  if (atEnd !== undefined && at !== undefined) {
    throw malformed('You may only specify one of these parameters: cancel_at, cancel_at_period_end.')
  }
  const comment = details?.comment
  const given = comment !== undefined && {
    cancellation_details: {
      feedback: null,
      feedback_option: null,
      reason: null,
      ...before.cancellation_details,
      comment: comment || null,
    },
  }
  if (atEnd === undefined && at === undefined) return given || {}
  const end = at === undefined ? (atEnd ? periodOf(before).end : null) : scheduledMoment(account, before, at)
  const { cancellation_details: kept } = given || before
  return {
    ...(at === undefined
      ? scheduledEnd(before, atEnd === true)
      : { cancel_at: end, cancel_at_period_end: false }),
    canceled_at: end === null ? null : (before.canceled_at ?? account.now()),
    cancellation_details: {
      comment: end === null ? null : (kept?.comment ?? null),
      feedback: null,
      feedback_option: null,
      reason: end === null ? null : 'cancellation_requested',
    },
  }
}

function scheduledMoment(
  account: Account,
  subscription: Stripe.Subscription,
  at: Params['cancel_at'],
): number | null {
  const { end } = periodOf(subscription)
  if (!at) return null
  if (at === 'max_billed_until') throw unmodelled('`cancel_at=max_billed_until`')
  if (typeof at === 'number') {
    if (at <= account.now()) {
      throw invalid('You cannot set `cancel_at` to a timestamp in the past.', { param: 'cancel_at' })
    }
    if (at !== end) {
      throw unmodelled('`cancel_at` at another moment than the end of the period, which would be prorated')
    }
  }
  return end
}

/** Charges an update that is applied already. */
function billAtOnce(account: Account, subscription: Stripe.Subscription): Stripe.Subscription {
  const invoice = updateInvoice(account, subscription)
  const billed = updateSubscription(account, subscription, {
    latest_invoice: invoice.id,
    ...(invoice.status === 'open' ? { status: 'past_due' } : {}),
  })
  charge(account, billed, invoice)
  return requireObject(account, 'subscriptions', subscription.id)
}

/** Charges an update that is applied only once it is paid. */
function payFirst(
  account: Account,
  before: Stripe.Subscription,
  items: Stripe.SubscriptionItem[],
  params: Params,
): Stripe.Subscription {
  const invoice = updateInvoice(account, before)
  const held = holdUpdate(account, before, invoice.id, {
    items,
    metadata: params.metadata ? mergedMetadata({}, params.metadata) : null,
    cancelAtPeriodEnd: params.cancel_at_period_end ?? null,
  })
  if (invoice.status === 'paid') {
    const applied = change(account, 'subscriptions', held, appliedUpdate(held))
    account.emit('customer.subscription.updated', applied, before)
    return applied
  }
  charge(account, held, invoice)
  const after = requireObject(account, 'subscriptions', before.id)
  if (after.pending_update) account.emit('customer.subscription.updated', after, before)
  return after
}

const updateInvoice = (account: Account, subscription: Stripe.Subscription): Stripe.Invoice =>
  issue(account, {
    customer: idOf(subscription.customer) ?? '',
    subscription,
    reason: 'subscription_update',
    charges: pendingItems(account, subscription).map((item) => addedCharge(account, item)),
    period: periodOf(subscription),
  })

/** Charges an invoice to the card on file, if there is one. */
function charge(account: Account, subscription: Stripe.Subscription, invoice: Stripe.Invoice): void {
  const intent = idOf(paymentOf(account, invoice.id)?.payment.payment_intent)
  const method = defaultMethod(account, idOf(subscription.customer), subscription)
  if (invoice.status !== 'open' || !intent || !method) return
  attemptPayment(account, requireObject(account, 'paymentIntents', intent), { method, onSession: true })
}

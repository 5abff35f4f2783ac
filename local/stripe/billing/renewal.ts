import type { Stripe } from 'stripe'
import { change, idOf, type Account } from '../account.ts'
import { genericDecline } from '../cards.ts'
import { embedded } from '../lists.ts'
import { cancelSubscription, expireSubscription } from './cancellation.ts'
import { defaultMethod, issue, paymentOf } from './invoices.ts'
import { periodOf } from './items.ts'
import { addedCharge, itemCharge } from './lines.ts'
import { attemptPayment } from './payment.ts'
import { pendingItems } from './pending.ts'
import { nextPeriodEnd } from './period.ts'
import { acceptFailure, retryDays, updateSubscription } from './settlement.ts'

/** The time limit for a first payment, in seconds. */
const incompleteFor = 23 * 3600

interface DueWork {
  /** In seconds since 1970. */
  at: number
  run: () => void
}

/** Returns the next work that falls due as time passes, if any. */
export function nextDueWork(account: Account): DueWork | undefined {
  let next: DueWork | undefined
  for (const subscription of account.store.all('subscriptions')) {
    for (const work of dueWork(account, subscription)) if (!next || work.at < next.at) next = work
  }
  return next
}

function dueWork(account: Account, subscription: Stripe.Subscription): DueWork[] {
  const { status, cancel_at } = subscription
  if (status === 'incomplete') {
    return [
      { at: subscription.created + incompleteFor, run: () => expireSubscription(account, subscription) },
    ]
  }
  if (status !== 'active' && status !== 'past_due') return []
  const work: DueWork[] = []
  const { end } = periodOf(subscription)
  const cancelAt = subscription.cancel_at_period_end ? end : cancel_at
  if (cancelAt !== null && cancelAt <= end) {
    work.push({ at: cancelAt, run: () => cancelSubscription(account, subscription) })
  } else work.push({ at: end, run: () => renew(account, subscription) })

  const retried = account.store.get('invoices', idOf(subscription.latest_invoice) ?? '')
  if (status === 'past_due' && retried?.status === 'open' && retried.next_payment_attempt) {
    work.push({ at: retried.next_payment_attempt, run: () => retry(account, subscription, retried) })
  }
  return work
}

function renew(account: Account, before: Stripe.Subscription): void {
  const past = periodOf(before)
  const recurring = before.items.data[0]?.price.recurring
  const start = past.end
  const end = nextPeriodEnd(
    before.billing_cycle_anchor,
    recurring?.interval ?? 'month',
    recurring?.interval_count ?? 1,
    start,
  )
  const items = before.items.data.map((item) => ({
    ...item,
    current_period_start: start,
    current_period_end: end,
  }))
  const customer = idOf(before.customer) ?? ''
  const invoice = issue(account, {
    customer,
    subscription: before,
    reason: 'subscription_cycle',
    charges: [
      ...pendingItems(account, before).map((item) => addedCharge(account, item)),
      ...items.map((item) => itemCharge(account, item, { start, end })),
    ],
    period: past,
  })
  const renewed = updateSubscription(account, before, {
    items: embedded(items, before.items.url),
    latest_invoice: invoice.id,
  })
  collect(account, renewed, invoice)
}

/** Charges an open invoice to the card on file, without the customer. */
export function collect(account: Account, subscription: Stripe.Subscription, invoice: Stripe.Invoice): void {
  const customer = idOf(subscription.customer)
  const intentId = paymentOf(account, invoice.id)?.payment.payment_intent
  const intent = account.store.get('paymentIntents', idOf(intentId) ?? '')
  if (!intent || invoice.status !== 'open') return
  const method = defaultMethod(account, customer, subscription)
  if (!method || !account.store.get('paymentMethods', method)?.customer) acceptFailure(account, intent)
  else {
    const refuse = takeForcedFailure(account, [subscription.id, customer ?? ''])
    attemptPayment(account, intent, {
      method,
      onSession: false,
      ...(refuse ? { refuse: genericDecline } : {}),
    })
  }
}

function retry(account: Account, subscription: Stripe.Subscription, invoice: Stripe.Invoice): void {
  const last = invoice.attempt_count >= retryDays.length
  collect(account, subscription, change(account, 'invoices', invoice, { next_payment_attempt: null }))
  const after = account.store.get('subscriptions', subscription.id)
  if (last && after?.status === 'past_due') cancelSubscription(account, after, 'payment_failed')
}

/** Whether a test control wants the next renewal of one of these to fail. The request is removed. */
function takeForcedFailure(account: Account, ids: readonly string[]): boolean {
  const waiting = account.store.get('settings', 'fail-renewal')?.ids ?? []
  const taken = waiting.find((id) => ids.includes(id))
  if (!taken) return false
  account.store.put('settings', 'fail-renewal', { ids: waiting.filter((id) => id !== taken) })
  return true
}

import type { Stripe } from 'stripe'
import { change, idOf, type Account } from '../account.ts'
import { isHard, refused } from '../cards.ts'
import { embedded } from '../lists.ts'
import { cancelSubscription, draftFor, endWithPeriod, expireSubscription } from './cancellation.ts'
import { defaultMethod, finalize, openDraft, paymentOf, subscriptionIdOf } from './invoices.ts'
import { periodOf } from './items.ts'
import { addedCharge, itemCharge } from './lines.ts'
import { attemptPayment } from './payment.ts'
import { pendingItems } from './pending.ts'
import { endUpdate } from './pending-updates.ts'
import { nextPeriodEnd } from './period.ts'
import { acceptFailure, nextAttempt } from './settlement.ts'
import { updateSubscription } from './subscriptions.ts'

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
  const consider = (work: DueWork[]): void => {
    for (const one of work) if (!next || one.at < next.at) next = one
  }
  for (const invoice of account.store.all('invoices')) consider(invoiceWork(account, invoice))
  for (const subscription of account.store.all('subscriptions')) consider(dueWork(account, subscription))
  return next
}

function invoiceWork(account: Account, invoice: Stripe.Invoice): DueWork[] {
  const { status, automatically_finalizes_at: finalizes, next_payment_attempt: retries } = invoice
  if (status === 'draft' && finalizes) {
    return [{ at: finalizes, run: () => collect(account, finalize(account, invoice)) }]
  }
  return status === 'open' && retries ? [{ at: retries, run: () => retry(account, invoice) }] : []
}

function dueWork(account: Account, subscription: Stripe.Subscription): DueWork[] {
  const { status, cancel_at, pending_update } = subscription
  if (status === 'incomplete') {
    return [
      { at: subscription.created + incompleteFor, run: () => expireSubscription(account, subscription) },
    ]
  }
  if (status !== 'active' && status !== 'past_due') return []
  const work: DueWork[] = []
  if (pending_update) {
    work.push({ at: pending_update.expires_at, run: () => endUpdate(account, subscription, true) })
  }
  const { end } = periodOf(subscription)
  work.push(
    cancel_at !== null && cancel_at <= end
      ? { at: cancel_at, run: () => endWithPeriod(account, subscription) }
      : { at: end, run: () => renew(account, subscription) },
  )
  return work
}

/** Begins the next period. Its invoice is a draft for an hour, then it is charged. */
function renew(account: Account, before: Stripe.Subscription): void {
  const past = periodOf(before)
  const start = past.end
  const end = nextPeriodEnd(
    before.billing_cycle_anchor,
    before.items.data[0]?.price.recurring?.interval ?? 'month',
    start,
  )
  const items = before.items.data.map((item) => ({
    ...item,
    current_period_start: start,
    current_period_end: end,
  }))
  const invoice = openDraft(
    account,
    {
      customer: idOf(before.customer) ?? '',
      subscription: before,
      reason: 'subscription_cycle',
      charges: [
        ...pendingItems(account, before).map((item) => addedCharge(account, item)),
        ...items.map((item) => itemCharge(account, item, { start, end })),
      ],
      period: past,
    },
    { automatically_finalizes_at: account.now() + draftFor },
  )
  updateSubscription(account, before, {
    items: embedded(items, before.items.url),
    latest_invoice: invoice.id,
  })
}

/** Charges an open invoice to the card on file, without the customer. */
export function collect(account: Account, invoice: Stripe.Invoice): void {
  const intent = intentOf(account, invoice)
  if (!intent || invoice.status !== 'open') return
  const method = chargeable(account, invoice)
  if (!method) acceptFailure(account, intent, true)
  else {
    const refuse = takeForcedFailure(account, subscriptionIdOf(invoice) ?? '')
    attemptPayment(account, intent, {
      method,
      onSession: false,
      automatic: true,
      ...(refuse ? { refuse: refused(refuse) } : {}),
    })
  }
}

const intentOf = (account: Account, invoice: Stripe.Invoice): Stripe.PaymentIntent | undefined =>
  account.store.get('paymentIntents', idOf(paymentOf(account, invoice.id)?.payment.payment_intent) ?? '')

/** Returns the card on file for an invoice, if there is one. */
function chargeable(account: Account, invoice: Stripe.Invoice): string | undefined {
  const subscription = account.store.get('subscriptions', subscriptionIdOf(invoice) ?? '') ?? null
  const method = defaultMethod(account, idOf(invoice.customer), subscription)
  return method && account.store.get('paymentMethods', method)?.customer ? method : undefined
}

/** Charges an invoice again, unless its card was declined for good or there is none. The last time ends the subscription. */
function retry(account: Account, before: Stripe.Invoice): void {
  const next = nextAttempt(before, account.now())
  const invoice = change(account, 'invoices', before, { next_payment_attempt: next })
  const error = intentOf(account, invoice)?.last_payment_error
  const method = chargeable(account, invoice)
  if (method && !(isHard(error) && error?.payment_method?.id === method)) collect(account, invoice)
  const subscription = account.store.get('subscriptions', subscriptionIdOf(invoice) ?? '')
  if (next === null && subscription?.status === 'past_due') {
    cancelSubscription(account, subscription, { reason: 'payment_failed' })
  }
}

/** Returns the decline that a test control wants for the next renewal of a subscription, if any. It is removed. */
function takeForcedFailure({ store }: Account, subscription: string): string | undefined {
  const { [subscription]: decline, ...others } = store.get('settings', 'fail-renewal')?.declines ?? {}
  if (decline !== undefined) store.put('settings', 'fail-renewal', { declines: others })
  return decline
}

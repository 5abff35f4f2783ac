import type { Stripe } from 'stripe'
import { change, idOf, type Account } from '../account.ts'
import { invoiceOf, paymentOf, subscriptionIdOf } from './invoices.ts'
import { appliedUpdate, isHeld } from './pending-updates.ts'
import { updateSubscription } from './subscriptions.ts'

/**
 * The days after its finalization on which a renewal is charged again; if the last of them fails too, the subscription is
 * canceled.
 */
const retryDays = [3, 5, 7] as const

/** Returns when an invoice is charged again, in seconds since 1970, or null after the last time. */
export function nextAttempt(invoice: Stripe.Invoice, now: number): number | null {
  if (invoice.billing_reason !== 'subscription_cycle' || !invoice.auto_advance) return null
  const first = invoice.status_transitions.finalized_at ?? invoice.created
  return retryDays.map((days) => first + days * 86_400).find((time) => time > now) ?? null
}

/** Counts any first attempt, and after it the automatic ones alone. */
const attempts = (invoice: Stripe.Invoice, isAutomatic: boolean): number =>
  isAutomatic ? invoice.attempt_count + 1 : Math.max(1, invoice.attempt_count)

/** Records a successful payment: its invoice is paid, and its subscription active. */
export function acceptPayment(account: Account, intent: Stripe.PaymentIntent, isAutomatic: boolean): void {
  keepMethod(account, intent)
  const before = invoiceOf(account, intent.id)
  if (!before) return
  const now = account.now()
  const payment = paymentOf(account, before.id)
  if (payment) {
    const paid = change(account, 'invoicePayments', payment, {
      status: 'paid',
      amount_paid: intent.amount,
      status_transitions: { ...payment.status_transitions, paid_at: now },
    })
    account.emit('invoice_payment.paid', paid)
  }
  const invoice = change(account, 'invoices', before, {
    status: 'paid',
    amount_paid: before.amount_due,
    amount_remaining: 0,
    attempt_count: attempts(before, isAutomatic),
    attempted: true,
    auto_advance: false,
    next_payment_attempt: null,
    status_transitions: { ...before.status_transitions, paid_at: now },
  })
  account.emit('invoice.updated', invoice, before)
  account.emit('invoice.paid', invoice)
  account.emit('invoice.payment_succeeded', invoice)

  const subscription = account.store.get('subscriptions', subscriptionIdOf(invoice) ?? '')
  if (!subscription || subscription.ended_at) return
  const saves = subscription.payment_settings?.save_default_payment_method === 'on_subscription'
  const wasHeld = isHeld(subscription, invoice.id)
  const after = updateSubscription(account, subscription, {
    ...(wasHeld ? appliedUpdate(subscription) : {}),
    status: statusByInvoices(account, subscription),
    ...(saves ? { default_payment_method: idOf(intent.payment_method) } : {}),
  })
  if (wasHeld) account.emit('customer.subscription.pending_update_applied', after, subscription)
}

/** Attaches a card to the customer if it has paid and may be charged again. */
function keepMethod(account: Account, intent: Stripe.PaymentIntent): void {
  const method = account.store.get('paymentMethods', idOf(intent.payment_method) ?? '')
  if (!method || method.customer || !intent.customer || !intent.setup_future_usage) return
  account.emit(
    'payment_method.attached',
    change(account, 'paymentMethods', method, { customer: idOf(intent.customer) }),
  )
}

/** Records a failed payment: its invoice stays open, and an active subscription becomes past due. */
export function acceptFailure(account: Account, intent: Stripe.PaymentIntent, isAutomatic: boolean): void {
  const before = invoiceOf(account, intent.id)
  if (!before) return
  const invoice = change(account, 'invoices', before, {
    attempted: true,
    attempt_count: attempts(before, isAutomatic),
    next_payment_attempt: nextAttempt(before, account.now()),
  })
  account.emit('invoice.updated', invoice, before)
  account.emit('invoice.payment_failed', invoice)
  const subscription = account.store.get('subscriptions', subscriptionIdOf(invoice) ?? '')
  if (subscription?.status !== 'active') return
  const status = statusByInvoices(account, subscription)
  if (status !== subscription.status) updateSubscription(account, subscription, { status })
}

/** Records that a payment needs authentication by the customer. */
export function acceptRequest(account: Account, intent: Stripe.PaymentIntent): void {
  const invoice = invoiceOf(account, intent.id)
  if (!invoice) return
  const attempted = change(account, 'invoices', invoice, { attempted: true })
  account.emit('invoice.payment_action_required', attempted)
}

/**
 * Returns the status of a subscription that has not ended, by its latest invoice that was finalized and not voided. The
 * invoice of an update that is held does not count.
 */
export function statusByInvoices(
  account: Account,
  subscription: Stripe.Subscription,
): Stripe.Subscription.Status {
  const latest = account.store
    .all('invoices')
    .findLast(
      (one) =>
        subscriptionIdOf(one) === subscription.id &&
        one.status !== 'draft' &&
        one.status !== 'void' &&
        !isHeld(subscription, one.id),
    )
  if (!latest || latest.status === 'paid') return 'active'
  return subscription.status === 'incomplete' ? 'incomplete' : 'past_due'
}

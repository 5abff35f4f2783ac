import type { Stripe } from 'stripe'
import { change, idOf, type Account } from '../account.ts'
import { invoiceOf, paymentOf, subscriptionIdOf } from './invoices.ts'

/** The days after the first failure on which a renewal is retried; after the last one, the subscription is canceled. */
export const retryDays = [3, 8, 15] as const

/** Records a successful payment: its invoice is paid and its subscription active. */
export function acceptPayment(account: Account, intent: Stripe.PaymentIntent): void {
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
    attempt_count: before.attempt_count + 1,
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
  const latest = subscription.latest_invoice === invoice.id
  updateSubscription(account, subscription, {
    ...(latest ? { status: 'active' } : {}),
    ...(saves ? { default_payment_method: idOf(intent.payment_method) } : {}),
  })
}

/** Attaches a card to the customer if it has paid and may be charged again. */
function keepMethod(account: Account, intent: Stripe.PaymentIntent): void {
  const method = account.store.get('paymentMethods', idOf(intent.payment_method) ?? '')
  if (!method || method.customer || !intent.customer) return
  account.emit(
    'payment_method.attached',
    change(account, 'paymentMethods', method, { customer: idOf(intent.customer) }),
  )
}

/** Records a failed payment: its invoice stays open, and an active subscription becomes past due. */
export function acceptFailure(account: Account, intent: Stripe.PaymentIntent): void {
  const before = invoiceOf(account, intent.id)
  if (!before) return
  const renewal = before.billing_reason === 'subscription_cycle'
  const days = renewal ? retryDays[before.attempt_count] : undefined
  const invoice = change(account, 'invoices', before, {
    attempted: true,
    attempt_count: before.attempt_count + 1,
    next_payment_attempt: days === undefined ? null : before.created + days * 86_400,
  })
  account.emit('invoice.updated', invoice, before)
  account.emit('invoice.payment_failed', invoice)
  const subscription = account.store.get('subscriptions', subscriptionIdOf(invoice) ?? '')
  if (subscription?.status === 'active') updateSubscription(account, subscription, { status: 'past_due' })
}

/** Records that a payment needs authentication by the customer. */
export function acceptRequest(account: Account, intent: Stripe.PaymentIntent): void {
  const invoice = invoiceOf(account, intent.id)
  if (!invoice) return
  const attempted = change(account, 'invoices', invoice, { attempted: true })
  account.emit('invoice.payment_action_required', attempted)
}

export function updateSubscription(
  account: Account,
  before: Stripe.Subscription,
  fields: Partial<Stripe.Subscription>,
): Stripe.Subscription {
  const after = change(account, 'subscriptions', before, fields)
  account.emit('customer.subscription.updated', after, before)
  return after
}

import type { Stripe } from 'stripe'
import { change, idOf, newId, type Account } from '../account.ts'
import { embedded } from '../lists.ts'
import { lineOf, type Charge, type Period } from './lines.ts'
import { newIntent } from './intents.ts'

interface InvoiceFields {
  customer: string
  subscription: Stripe.Subscription | null
  reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update' | 'upcoming' | 'manual'
  charges: readonly Charge[]
  period: Period
}

/** Returns a draft of an invoice, without storing it. The customer's credit reduces the amount due. */
export function draft(account: Account, fields: InvoiceFields): Stripe.Invoice {
  const { customer: customerId, subscription, reason, charges, period } = fields
  const customer = account.store.get('customers', customerId)
  const id = newId(reason === 'upcoming' ? 'upcoming_in' : 'in')
  const total = charges.reduce((sum, charge) => sum + charge.amount, 0)
  const credit = customer?.balance ?? 0
  const due = Math.max(0, total + credit)
  return {
    id,
    object: 'invoice',
    account_country: 'US',
    account_name: null,
    account_tax_ids: null,
    amount_due: due,
    amount_overpaid: 0,
    amount_paid: 0,
    amount_remaining: due,
    amount_shipping: 0,
    application: null,
    attempt_count: 0,
    attempted: false,
    auto_advance: reason !== 'manual',
    automatic_tax: {
      disabled_reason: null,
      enabled: false,
      liability: null,
      provider: null,
      status: null,
    },
    automatically_finalizes_at: null,
    billing_reason: reason,
    collection_method: 'charge_automatically',
    created: account.now(),
    currency: 'usd',
    custom_fields: null,
    customer: customerId,
    customer_account: null,
    customer_address: null,
    customer_email: customer?.email ?? null,
    customer_name: customer?.name ?? null,
    customer_phone: null,
    customer_shipping: null,
    customer_tax_exempt: 'none',
    customer_tax_ids: [],
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    due_date: null,
    effective_at: null,
    ending_balance: Math.min(0, total + credit),
    footer: null,
    from_invoice: null,
    hosted_invoice_url: null,
    invoice_pdf: null,
    issuer: { type: 'self' },
    last_finalization_error: null,
    latest_revision: null,
    lines: embedded(
      charges.map((charge) => lineOf(charge, id)),
      `/v1/invoices/${id}/lines`,
    ),
    livemode: false,
    metadata: {},
    next_payment_attempt: null,
    number: null,
    on_behalf_of: null,
    parent: subscription
      ? {
          type: 'subscription_details',
          quote_details: null,
          subscription_details: {
            metadata: subscription.metadata,
            subscription: subscription.id,
          },
        }
      : null,
    payment_settings: {
      default_mandate: null,
      payment_method_options: null,
      payment_method_types: ['card'],
    },
    period_end: period.end,
    period_start: period.start,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    receipt_number: null,
    rendering: null,
    shipping_cost: null,
    shipping_details: null,
    starting_balance: credit,
    statement_descriptor: null,
    status: 'draft',
    status_transitions: {
      finalized_at: null,
      marked_uncollectible_at: null,
      paid_at: null,
      voided_at: null,
    },
    subtotal: total,
    subtotal_excluding_tax: total,
    test_clock: null,
    total,
    total_discount_amounts: [],
    total_excluding_tax: total,
    total_pretax_credit_amounts: [],
    total_taxes: [],
    webhooks_delivered_at: null,
  }
}

/**
 * Creates and finalizes an invoice. If nothing is due, it is paid at once; otherwise it is open, with an unconfirmed
 * payment intent.
 */
export function issue(account: Account, fields: InvoiceFields): Stripe.Invoice {
  const made = draft(account, fields)
  const customer = account.store.get('customers', fields.customer)
  const now = account.now()
  const sequence = customer?.next_invoice_sequence ?? 1
  const free = made.amount_due === 0
  const invoice: Stripe.Invoice = {
    ...made,
    number: `${customer?.invoice_prefix ?? 'LOCAL'}-${String(sequence).padStart(4, '0')}`,
    effective_at: now,
    status: free ? 'paid' : 'open',
    status_transitions: { ...made.status_transitions, finalized_at: now, paid_at: free ? now : null },
    ...(free ? { attempted: true, auto_advance: false } : {}),
  }
  account.store.put('invoices', invoice.id, invoice)
  if (customer) {
    change(account, 'customers', customer, {
      balance: invoice.ending_balance ?? 0,
      next_invoice_sequence: sequence + 1,
    })
  }
  for (const { invoiceItem } of fields.charges) {
    const item = account.store.get('invoiceItems', invoiceItem ?? '')
    if (item) change(account, 'invoiceItems', item, { invoice: invoice.id })
  }
  account.emit('invoice.created', invoice)
  account.emit('invoice.finalized', invoice)
  if (free) account.emit('invoice.paid', invoice)
  else requestPayment(account, invoice, fields.subscription)
  return invoice
}

function requestPayment(
  account: Account,
  invoice: Stripe.Invoice,
  subscription: Stripe.Subscription | null,
): void {
  const intent = newIntent(account, {
    amount: invoice.amount_due,
    customer: idOf(invoice.customer),
    description: invoice.billing_reason === 'subscription_create' ? 'Subscription creation' : 'Invoice',
    paymentMethod: defaultMethod(account, idOf(invoice.customer), subscription),
  })
  const payment: Stripe.InvoicePayment = {
    id: newId('inpay'),
    object: 'invoice_payment',
    amount_paid: null,
    amount_requested: invoice.amount_due,
    created: account.now(),
    currency: 'usd',
    invoice: invoice.id,
    is_default: true,
    livemode: false,
    payment: { type: 'payment_intent', payment_intent: intent.id },
    status: 'open',
    status_transitions: { canceled_at: null, paid_at: null },
  }
  account.store.put('invoicePayments', payment.id, payment)
}

/** Returns the payment method for renewals: the subscription's own, else the customer's. */
export function defaultMethod(
  account: Account,
  customerId: string | null,
  subscription: Stripe.Subscription | null,
): string | null {
  const customer = account.store.get('customers', customerId ?? '')
  return idOf(subscription?.default_payment_method) ?? idOf(customer?.invoice_settings.default_payment_method)
}

export const subscriptionIdOf = (invoice: Stripe.Invoice): string | null =>
  idOf(invoice.parent?.subscription_details?.subscription)

/** Returns the payment of an invoice, pending or succeeded. */
export function paymentOf(account: Account, invoiceId: string): Stripe.InvoicePayment | undefined {
  return account.store.all('invoicePayments').findLast((one) => one.invoice === invoiceId)
}

/** Returns the invoice that a payment intent pays, if any. */
export function invoiceOf(account: Account, intentId: string): Stripe.Invoice | undefined {
  const payment = account.store.all('invoicePayments').find((one) => one.payment.payment_intent === intentId)
  return account.store.get('invoices', idOf(payment?.invoice) ?? '')
}

/** Voids an open invoice, which can then no longer be paid. */
export function voidInvoice(account: Account, before: Stripe.Invoice): Stripe.Invoice {
  const now = account.now()
  const payment = paymentOf(account, before.id)
  const intent = account.store.get('paymentIntents', String(payment?.payment.payment_intent))
  if (payment) {
    change(account, 'invoicePayments', payment, {
      status: 'canceled',
      status_transitions: { ...payment.status_transitions, canceled_at: now },
    })
  }
  if (intent) {
    const canceled = change(account, 'paymentIntents', intent, {
      status: 'canceled',
      canceled_at: now,
      cancellation_reason: 'void_invoice',
      next_action: null,
    })
    account.emit('payment_intent.canceled', canceled)
  }
  const invoice = change(account, 'invoices', before, {
    status: 'void',
    auto_advance: false,
    next_payment_attempt: null,
    status_transitions: { ...before.status_transitions, voided_at: now },
  })
  account.emit('invoice.voided', invoice)
  return invoice
}

import type { Stripe } from 'stripe'
import { currency } from '#plans/domain/plans.ts'
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

/** Stripe's least charge in US dollars and in euros: a smaller amount is added to the customer's balance. */
const leastCharge = 50

/** Returns what is due of a total, and the customer's balance after it. A negative balance is a credit. */
function settled(total: number, balance: number): { due: number; balance: number } {
  const open = total + balance
  return open < leastCharge ? { due: 0, balance: open } : { due: open, balance: 0 }
}

/** Returns the currency that a customer is billed in: that of the first subscription or item, or undefined. */
export const billedIn = (account: Account, customer: string): string | undefined =>
  [...account.store.all('subscriptions'), ...account.store.all('invoiceItems')].find(
    (one) => one.customer === customer,
  )?.currency

/** Returns a draft of an invoice, without storing it. The customer's balance changes the amount due. */
export function draft(account: Account, fields: InvoiceFields): Stripe.Invoice {
  const { customer: customerId, subscription, reason, charges, period } = fields
  const customer = account.store.get('customers', customerId)
  const id = newId(reason === 'upcoming' ? 'upcoming_in' : 'in')
  const total = charges.reduce((sum, charge) => sum + charge.amount, 0)
  const { due, balance } = settled(total, customer?.balance ?? 0)
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
    auto_advance: reason !== 'manual' && reason !== 'subscription_update',
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
    currency: charges[0]?.currency ?? billedIn(account, customerId) ?? currency.toLowerCase(),
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
    ending_balance: balance,
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
    starting_balance: customer?.balance ?? 0,
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

/** Stores a draft, to which waiting items then belong. */
export function openDraft(
  account: Account,
  fields: InvoiceFields,
  more: Partial<Stripe.Invoice> = {},
): Stripe.Invoice {
  const invoice: Stripe.Invoice = { ...draft(account, fields), ending_balance: null, ...more }
  account.store.put('invoices', invoice.id, invoice)
  for (const { invoiceItem } of fields.charges) {
    const item = account.store.get('invoiceItems', invoiceItem ?? '')
    if (item) change(account, 'invoiceItems', item, { invoice: invoice.id })
  }
  account.emit('invoice.created', invoice)
  return invoice
}

/**
 * Finalizes a draft. If nothing is due, it is paid at once; otherwise it is open, with an unconfirmed payment intent.
 */
export function finalize(account: Account, before: Stripe.Invoice): Stripe.Invoice {
  const customer = account.store.get('customers', idOf(before.customer) ?? '')
  const now = account.now()
  const sequence = customer?.next_invoice_sequence ?? 1
  const { due, balance } = settled(before.total, customer?.balance ?? 0)
  const invoice = change(account, 'invoices', before, {
    amount_due: due,
    amount_remaining: due,
    starting_balance: customer?.balance ?? 0,
    ending_balance: balance,
    automatically_finalizes_at: null,
    number: `${customer?.invoice_prefix ?? 'LOCAL'}-${String(sequence).padStart(4, '0')}`,
    effective_at: now,
    invoice_pdf: `${account.publicUrl}/invoices/${before.id}/pdf`,
    status: due === 0 ? 'paid' : 'open',
    status_transitions: {
      ...before.status_transitions,
      finalized_at: now,
      paid_at: due === 0 ? now : null,
    },
    ...(due === 0 ? { attempted: true, auto_advance: false } : {}),
  })
  if (customer) {
    change(account, 'customers', customer, { balance, next_invoice_sequence: sequence + 1 })
  }
  account.emit('invoice.finalized', invoice)
  if (due === 0) {
    account.emit('invoice.paid', invoice)
    account.emit('invoice.payment_succeeded', invoice)
  } else requestPayment(account, invoice)
  return invoice
}

/** Creates and finalizes an invoice. */
export const issue = (account: Account, fields: InvoiceFields): Stripe.Invoice =>
  finalize(account, openDraft(account, fields))

function requestPayment(account: Account, invoice: Stripe.Invoice): void {
  const subscription = account.store.get('subscriptions', subscriptionIdOf(invoice) ?? '') ?? null
  const intent = newIntent(account, {
    amount: invoice.amount_due,
    currency: invoice.currency,
    customer: idOf(invoice.customer),
    description: invoice.billing_reason === 'subscription_create' ? 'Subscription creation' : 'Invoice',
    paymentMethod: defaultMethod(account, idOf(invoice.customer), subscription),
    savesMethod: subscription?.payment_settings?.save_default_payment_method === 'on_subscription',
  })
  const payment: Stripe.InvoicePayment = {
    id: newId('inpay'),
    object: 'invoice_payment',
    amount_paid: null,
    amount_requested: invoice.amount_due,
    created: account.now(),
    currency: invoice.currency,
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

/** Voids an open invoice, which can then no longer be paid, and gives back what it took of the customer's balance. */
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
  const customer = account.store.get('customers', idOf(before.customer) ?? '')
  const applied = (before.ending_balance ?? 0) - before.starting_balance
  if (customer && applied !== 0) {
    const balance = customer.balance - applied
    account.emit('customer.updated', change(account, 'customers', customer, { balance }), customer)
  }
  account.emit('invoice.voided', invoice)
  return invoice
}

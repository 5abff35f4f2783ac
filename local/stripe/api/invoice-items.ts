import type { Stripe } from 'stripe'
import { change, decimal, idOf, requireObject, mergedMetadata, type Account } from '../account.ts'
import { billedIn, withLines } from '../billing/invoices.ts'
import { addedCharge, lineOf, productName } from '../billing/lines.ts'
import { newInvoiceItem } from '../billing/pending.ts'
import { invalid, malformed, missingParameter } from '../errors.ts'
import type { Handlers } from '../handlers.ts'
import { page, rangeFilter } from '../lists.ts'

type Endpoints =
  'POST /v1/invoiceitems' | 'POST /v1/invoiceitems/:id' | 'GET /v1/invoiceitems' | 'GET /v1/invoiceitems/:id'

export const invoiceItems: Pick<Handlers, Endpoints> = {
  'POST /v1/invoiceitems'(account, params) {
    if (!params.customer) {
      throw missingParameter('customer')
    }
    const customer = requireObject(account, 'customers', params.customer, 'customer')
    const subscription = params.subscription
      ? requireObject(account, 'subscriptions', params.subscription, 'subscription')
      : null
    if (subscription && idOf(subscription.customer) !== customer.id) {
      throw invalid('The subscription does not belong to the customer.', { param: 'subscription' })
    }
    const { amount, currency: given, description, metadata } = params
    const invoice = params.invoice ? editable(account, params.invoice, customer.id) : null
    const price = params.pricing?.price ? oneTimePrice(account, params.pricing.price, customer) : null
    const cents = amount ?? price?.unit_amount
    if (typeof cents !== 'number') {
      throw malformed('One of `amount`, `pricing`, or `price_data` is required.', {
        code: 'parameter_missing',
        param: 'amount',
      })
    }
    const currency = (given ?? price?.currency)?.toLowerCase()
    if (!currency) {
      throw missingParameter('currency')
    }
    requireCurrency(account, customer, currency)
    const now = account.now()
    const item: Stripe.InvoiceItem = {
      ...newInvoiceItem(account, {
        customer: customer.id,
        subscription: subscription?.id ?? null,
        subscriptionItem: null,
        amount: cents,
        currency,
        quantity: 1,
        description: description ?? (price ? productName(account, price) : null),
        discountable: params.discountable ?? (amount ?? 0) >= 0,
        period: { start: now, end: now },
        metadata: mergedMetadata({}, metadata),
        price,
        proration: false,
      }),
      invoice: invoice?.id ?? null,
    }
    account.store.put('invoiceItems', item.id, item)
    account.emit('invoiceitem.created', item)
    if (invoice) addLine(account, invoice, item)
    return item
  },

  'POST /v1/invoiceitems/:id'(account, params, id) {
    const before = requireObject(account, 'invoiceItems', id)
    const invoice = before.invoice
      ? editable(account, idOf(before.invoice) ?? '', idOf(before.customer) ?? '')
      : null
    if (before.proration && params.quantity !== undefined) {
      throw invalid('The amount and the quantity of a proration cannot be changed.')
    }
    const quantity = params.quantity ?? before.quantity
    const amount = Math.round((before.amount / (before.quantity || 1)) * quantity)
    const item = change(account, 'invoiceItems', before, {
      amount,
      net_amount: amount,
      quantity,
      quantity_decimal: decimal(quantity),
    })
    if (invoice) addLine(account, invoice, item)
    return item
  },

  'GET /v1/invoiceitems'(account, params) {
    const { customer, pending } = params
    const isIn = rangeFilter(params.created)
    const found = account.store
      .all('invoiceItems')
      .filter((one) => !customer || one.customer === customer)
      .filter((one) => pending === undefined || (one.invoice === null) === pending)
      .filter((one) => isIn(one.date))
    return page(found, params, '/v1/invoiceitems')
  },

  'GET /v1/invoiceitems/:id': (account, _params, id) => requireObject(account, 'invoiceItems', id),
}

/** @throws StripeFailure 400 if the invoice is no draft, or not the customer's */
function editable(account: Account, id: string, customer: string): Stripe.Invoice {
  const invoice = requireObject(account, 'invoices', id, 'invoice')
  if (idOf(invoice.customer) !== customer) {
    throw invalid('The invoice does not belong to the customer.', { param: 'invoice' })
  }
  if (invoice.status === 'draft') return invoice
  throw invalid('This invoice is no longer editable', { code: 'invoice_not_editable', param: 'invoice' })
}

/** @throws StripeFailure 400 unless the price is active and charged once */
function oneTimePrice(account: Account, id: string, customer: Stripe.Customer): Stripe.Price {
  const price = requireObject(account, 'prices', id, 'pricing[price]')
  if (!price.active) {
    throw invalid('The price specified is inactive. This field only accepts active prices.', {
      param: 'pricing[price]',
    })
  }
  if (price.type === 'recurring') {
    throw invalid(
      'The price specified is set to `type=recurring` but this field only accepts prices with `type=one_time`.',
      { param: 'pricing[price]' },
    )
  }
  requireCurrency(account, customer, price.currency)
  return price
}

/** @throws StripeFailure 400 if the customer is billed in another currency */
function requireCurrency(account: Account, customer: Stripe.Customer, currency: string): void {
  const billed = billedIn(account, customer.id) ?? currency
  if (currency === billed) return
  throw invalid(
    `You cannot combine currencies on a single customer. This customer has had a subscription, coupon, or invoice item with currency ${billed}.`,
    { param: 'currency' },
  )
}

/** Adds an item to a draft, before the lines that it has, or replaces the item's line. */
function addLine(account: Account, invoice: Stripe.Invoice, item: Stripe.InvoiceItem): void {
  const line = lineOf(addedCharge(account, item), invoice.id)
  const { data } = invoice.lines
  const isThere = data.some((one) => invoiceItemOf(one) === item.id)
  const lines = isThere ? data.map((one) => (invoiceItemOf(one) === item.id ? line : one)) : [line, ...data]
  const changed = withLines(invoice, lines)
  account.store.put('invoices', invoice.id, changed)
  account.emit('invoice.updated', changed, invoice)
}

const invoiceItemOf = ({ parent }: Stripe.InvoiceLineItem): string | null =>
  parent?.invoice_item_details?.invoice_item ?? parent?.subscription_item_details?.invoice_item ?? null

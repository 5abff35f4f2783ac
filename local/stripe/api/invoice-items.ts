import type { Stripe } from 'stripe'
import { change, decimal, idOf, known, mergedMetadata, type Account } from '../account.ts'
import { billedIn, withLines } from '../billing/invoices.ts'
import { addedCharge, lineOf, productName } from '../billing/lines.ts'
import { newInvoiceItem } from '../billing/pending.ts'
import { invalid, malformed } from '../errors.ts'
import type { Handlers } from '../handlers.ts'
import { page, within } from '../lists.ts'

type Endpoints =
  | 'POST /v1/invoiceitems'
  | 'POST /v1/invoiceitems/:id'
  | 'GET /v1/invoiceitems'
  | 'GET /v1/invoiceitems/:id'
  | 'DELETE /v1/invoiceitems/:id'

export const invoiceItems: Pick<Handlers, Endpoints> = {
  'POST /v1/invoiceitems'(account, params) {
    if (!params.customer) {
      throw malformed('Missing required param: customer.', { code: 'parameter_missing', param: 'customer' })
    }
    const customer = known(account, 'customers', params.customer, 'customer')
    const subscription = params.subscription
      ? known(account, 'subscriptions', params.subscription, 'subscription')
      : null
    if (subscription && idOf(subscription.customer) !== customer.id) {
      throw invalid('The subscription does not belong to the customer.', { param: 'subscription' })
    }
    const invoice = params.invoice ? editable(account, params.invoice, customer.id) : null
    const price = params.pricing?.price ? oneTimePrice(account, params.pricing.price, customer) : null
    const quantity = params.quantity ?? 1
    const each = params.price_data?.unit_amount ?? price?.unit_amount
    if (params.amount === undefined && typeof each !== 'number') {
      throw malformed('One of `amount`, `pricing`, or `price_data` is required.', {
        code: 'parameter_missing',
        param: 'amount',
      })
    }
    if (params.amount !== undefined && !params.currency) {
      throw malformed('Missing required param: currency.', { code: 'parameter_missing', param: 'currency' })
    }
    const currency = (params.currency ?? price?.currency ?? params.price_data?.currency ?? '').toLowerCase()
    requireCurrency(account, customer, currency)
    const now = account.now()
    const item: Stripe.InvoiceItem = {
      ...newInvoiceItem(account, {
        customer: customer.id,
        subscription: subscription?.id ?? null,
        subscriptionItem: null,
        amount: params.amount ?? (each ?? 0) * quantity,
        currency,
        quantity,
        description: params.description ?? (price ? productName(account, price) : null),
        discountable: params.discountable ?? (params.amount ?? 0) >= 0,
        period: params.period ?? { start: now, end: now },
        metadata: mergedMetadata({}, params.metadata),
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
    const before = known(account, 'invoiceItems', id)
    const invoice = before.invoice
      ? editable(account, idOf(before.invoice) ?? '', idOf(before.customer) ?? '')
      : null
    if (before.proration && (params.amount !== undefined || params.quantity !== undefined)) {
      throw invalid('The amount and the quantity of a proration cannot be changed.')
    }
    const quantity = params.quantity ?? before.quantity
    const each = before.amount / (before.quantity || 1)
    const amount = params.amount ?? Math.round(each * quantity)
    const item = change(account, 'invoiceItems', before, {
      amount,
      net_amount: amount,
      quantity,
      quantity_decimal: decimal(quantity),
      metadata: mergedMetadata(before.metadata, params.metadata),
      ...(params.description === undefined ? {} : { description: params.description || null }),
      ...(params.discountable === undefined ? {} : { discountable: params.discountable }),
    })
    if (invoice) addLine(account, invoice, item)
    return item
  },

  'GET /v1/invoiceitems'(account, params) {
    const found = account.store
      .all('invoiceItems')
      .filter((one) => !params.customer || one.customer === params.customer)
      .filter((one) => !params.invoice || one.invoice === params.invoice)
      .filter((one) => params.pending === undefined || (one.invoice === null) === params.pending)
      .filter((one) => within(params.created, one.date))
    return page(found, params, '/v1/invoiceitems')
  },

  'GET /v1/invoiceitems/:id': (account, _params, id) => known(account, 'invoiceItems', id),

  'DELETE /v1/invoiceitems/:id'(account, _params, id) {
    const item = known(account, 'invoiceItems', id)
    if (item.invoice) {
      const invoice = editable(account, idOf(item.invoice) ?? '', idOf(item.customer) ?? '')
      const lines = invoice.lines.data.filter((line) => invoiceItemOf(line) !== id)
      account.store.put('invoices', invoice.id, withLines(invoice, lines))
    }
    account.store.remove('invoiceItems', id)
    account.emit('invoiceitem.deleted', item)
    return { id, object: 'invoiceitem', deleted: true }
  },
}

/** @throws StripeFailure 400 if the invoice is no draft, or not the customer's */
function editable(account: Account, id: string, customer: string): Stripe.Invoice {
  const invoice = known(account, 'invoices', id, 'invoice')
  if (idOf(invoice.customer) !== customer) {
    throw invalid('The invoice does not belong to the customer.', { param: 'invoice' })
  }
  if (invoice.status === 'draft') return invoice
  throw invalid('This invoice is no longer editable', { code: 'invoice_not_editable', param: 'invoice' })
}

/** @throws StripeFailure 400 unless the price is active and charged once */
function oneTimePrice(account: Account, id: string, customer: Stripe.Customer): Stripe.Price {
  const price = known(account, 'prices', id, 'pricing[price]')
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

import type { Stripe } from 'stripe'
import { idOf, requireObject, mergedMetadata, type Account } from '../account.ts'
import { billedIn } from '../billing/invoices.ts'
import { newInvoiceItem } from '../billing/pending.ts'
import { invalid, malformed, missingParameter } from '../errors.ts'
import type { Handlers } from '../handlers.ts'
import { page, rangeFilter } from '../lists.ts'

type Endpoints = 'POST /v1/invoiceitems' | 'GET /v1/invoiceitems' | 'GET /v1/invoiceitems/:id'

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
    const { amount, description, metadata } = params
    if (amount === undefined) {
      throw malformed('One of `amount`, `pricing`, or `price_data` is required.', {
        code: 'parameter_missing',
        param: 'amount',
      })
    }
    const currency = params.currency?.toLowerCase()
    if (!currency) {
      throw missingParameter('currency')
    }
    requireCurrency(account, customer, currency)
    const now = account.now()
    const item = newInvoiceItem(account, {
      customer: customer.id,
      subscription: subscription?.id ?? null,
      subscriptionItem: null,
      amount,
      currency,
      quantity: 1,
      description: description ?? null,
      discountable: params.discountable ?? amount >= 0,
      period: { start: now, end: now },
      metadata: mergedMetadata({}, metadata),
      price: null,
      proration: false,
    })
    account.store.put('invoiceItems', item.id, item)
    account.emit('invoiceitem.created', item)
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

/** @throws StripeFailure 400 if the customer is billed in another currency */
function requireCurrency(account: Account, customer: Stripe.Customer, currency: string): void {
  const billed = billedIn(account, customer.id) ?? currency
  if (currency === billed) return
  throw invalid(
    `You cannot combine currencies on a single customer. This customer has had a subscription, coupon, or invoice item with currency ${billed}.`,
    { param: 'currency' },
  )
}

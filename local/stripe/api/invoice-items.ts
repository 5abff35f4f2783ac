import { idOf, known, mergedMetadata } from '../account.ts'
import { newInvoiceItem } from '../billing/pending.ts'
import { invalid, malformed } from '../errors.ts'
import type { Handlers } from '../handlers.ts'
import { page, within } from '../lists.ts'

type Endpoints =
  | 'POST /v1/invoiceitems'
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
    const price = params.pricing?.price
      ? known(account, 'prices', params.pricing.price, 'pricing[price]')
      : null
    const quantity = params.quantity ?? 1
    const each = params.price_data?.unit_amount ?? price?.unit_amount
    if (params.amount === undefined && typeof each !== 'number') {
      throw malformed('One of `amount`, `pricing`, or `price_data` is required.', {
        code: 'parameter_missing',
        param: 'amount',
      })
    }
    const now = account.now()
    const item = newInvoiceItem(account, {
      customer: customer.id,
      subscription: subscription?.id ?? null,
      subscriptionItem: null,
      amount: params.amount ?? (each ?? 0) * quantity,
      quantity,
      description: params.description ?? null,
      period: params.period ?? { start: now, end: now },
      metadata: mergedMetadata({}, params.metadata),
      price,
      proration: false,
    })
    account.store.put('invoiceItems', item.id, item)
    account.emit('invoiceitem.created', item)
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
    if (item.invoice) throw invalid('This invoice item belongs to an invoice that can no longer be changed.')
    account.store.remove('invoiceItems', id)
    account.emit('invoiceitem.deleted', item)
    return { id, object: 'invoiceitem', deleted: true }
  },
}

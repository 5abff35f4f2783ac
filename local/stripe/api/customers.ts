import type { Stripe } from 'stripe'
import { change, mergedMetadata, newId, known } from '../account.ts'
import { cancelSubscription } from '../billing/cancellation.ts'
import { malformed } from '../errors.ts'
import type { Handlers } from '../handlers.ts'
import { page, within } from '../lists.ts'
import { ownMethod } from './payment-methods.ts'

type Endpoints =
  | 'POST /v1/customers'
  | 'GET /v1/customers'
  | 'GET /v1/customers/:id'
  | 'POST /v1/customers/:id'
  | 'DELETE /v1/customers/:id'

const isEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+$/.test(text)

function requireEmail(email: string | null | undefined): void {
  if (!email || isEmail(email)) return
  throw malformed(`Invalid email address: ${email}`, { code: 'email_invalid', param: 'email' })
}

export const customers: Pick<Handlers, Endpoints> = {
  'POST /v1/customers'(account, params) {
    requireEmail(params.email)
    const id = newId('cus', 14)
    const customer = {
      id,
      object: 'customer',
      address: null,
      balance: params.balance ?? 0,
      created: account.now(),
      currency: null,
      default_source: null,
      delinquent: false,
      description: params.description ?? null,
      discount: null,
      email: params.email || null,
      invoice_prefix: id.slice(4, 12).toUpperCase(),
      invoice_settings: {
        custom_fields: null,
        default_payment_method: null,
        footer: null,
        rendering_options: null,
      },
      livemode: false,
      metadata: mergedMetadata({}, params.metadata),
      name: params.name || null,
      next_invoice_sequence: 1,
      phone: params.phone || null,
      preferred_locales: [],
      shipping: null,
      tax_exempt: 'none',
      test_clock: null,
    } satisfies Stripe.Customer
    account.store.put('customers', id, customer)
    account.emit('customer.created', customer)
    return customer
  },

  'GET /v1/customers'(account, params) {
    const found = account.store
      .all('customers')
      .filter((one) => params.email === undefined || one.email === params.email)
      .filter((one) => within(params.created, one.created))
    return page(found, params, '/v1/customers')
  },

  'GET /v1/customers/:id': (account, _params, id) =>
    account.store.get('deletedCustomers', id) ?? known(account, 'customers', id),

  'POST /v1/customers/:id'(account, params, id) {
    const before = known(account, 'customers', id)
    requireEmail(params.email)
    const preferred = params.invoice_settings?.default_payment_method
    if (preferred) ownMethod(account, id, preferred, 'invoice_settings[default_payment_method]')
    const customer = change(account, 'customers', before, {
      metadata: mergedMetadata(before.metadata, params.metadata),
      ...(params.email === undefined ? {} : { email: params.email || null }),
      ...(params.balance === undefined ? {} : { balance: params.balance }),
      ...(params.name === undefined ? {} : { name: params.name || null }),
      ...(params.phone === undefined ? {} : { phone: params.phone || null }),
      ...(params.description === undefined ? {} : { description: params.description || null }),
      ...(preferred === undefined
        ? {}
        : { invoice_settings: { ...before.invoice_settings, default_payment_method: preferred || null } }),
    })
    account.emit('customer.updated', customer, before)
    return customer
  },

  'DELETE /v1/customers/:id'(account, _params, id) {
    const customer = known(account, 'customers', id)
    for (const subscription of account.store.all('subscriptions')) {
      if (subscription.customer === id && !subscription.ended_at) cancelSubscription(account, subscription)
    }
    for (const method of account.store.all('paymentMethods')) {
      if (method.customer === id) change(account, 'paymentMethods', method, { customer: null })
    }
    const deleted = { id, object: 'customer', deleted: true } satisfies Stripe.DeletedCustomer
    account.store.remove('customers', id)
    account.store.put('deletedCustomers', id, deleted)
    account.emit('customer.deleted', customer)
    return deleted
  },
}

import type { Stripe } from 'stripe'
import { change, mergedMetadata, newId, requireObject } from '../account.ts'
import { cancelSubscription } from '../billing/cancellation.ts'
import { malformed } from '../errors.ts'
import type { Handlers } from '../handlers.ts'
import { page } from '../lists.ts'
import { ownMethod } from './payment-methods.ts'

type Endpoints =
  | 'POST /v1/customers'
  | 'GET /v1/customers'
  | 'GET /v1/customers/:id'
  | 'POST /v1/customers/:id'
  | 'DELETE /v1/customers/:id'

const isEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+$/.test(text)

export const customers: Pick<Handlers, Endpoints> = {
  'POST /v1/customers'(account, { email, balance = 0, metadata }) {
    if (email && !isEmail(email)) {
      throw malformed(`Invalid email address: ${email}`, { code: 'email_invalid', param: 'email' })
    }
    const id = newId('cus', 14)
    const customer = {
      id,
      object: 'customer',
      address: null,
      balance,
      created: account.now(),
      currency: null,
      default_source: null,
      delinquent: false,
      description: null,
      discount: null,
      email: email || null,
      invoice_prefix: id.slice(4, 12).toUpperCase(),
      invoice_settings: {
        custom_fields: null,
        default_payment_method: null,
        footer: null,
        rendering_options: null,
      },
      livemode: false,
      metadata: mergedMetadata({}, metadata),
      name: null,
      next_invoice_sequence: 1,
      phone: null,
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
    const { email } = params
    const found = account.store.all('customers').filter((one) => email === undefined || one.email === email)
    return page(found, params, '/v1/customers')
  },

  'GET /v1/customers/:id': (account, _params, id) =>
    account.store.get('deletedCustomers', id) ?? requireObject(account, 'customers', id),

  'POST /v1/customers/:id'(account, { balance, invoice_settings: settings, metadata }, id) {
    const before = requireObject(account, 'customers', id)
    const preferred = settings?.default_payment_method
    if (preferred) ownMethod(account, id, preferred, 'invoice_settings[default_payment_method]')
    const customer = change(account, 'customers', before, {
      metadata: mergedMetadata(before.metadata, metadata),
      ...(balance === undefined ? {} : { balance }),
      ...(preferred === undefined
        ? {}
        : { invoice_settings: { ...before.invoice_settings, default_payment_method: preferred || null } }),
    })
    account.emit('customer.updated', customer, before)
    return customer
  },

  'DELETE /v1/customers/:id'(account, _params, id) {
    const customer = requireObject(account, 'customers', id)
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

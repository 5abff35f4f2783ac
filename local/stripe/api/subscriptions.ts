import type { Stripe } from 'stripe'
import { currency } from '#plans/domain/plans.ts'
import { requireObject, mergedMetadata, newId, type Account } from '../account.ts'
import { cancelSubscription } from '../billing/cancellation.ts'
import { issue } from '../billing/invoices.ts'
import { newItem, requireDistinctPrices } from '../billing/items.ts'
import { addedCharge, itemCharge } from '../billing/lines.ts'
import { pendingItems } from '../billing/pending.ts'
import { nextPeriodEnd } from '../billing/period.ts'
import { collect } from '../billing/renewal.ts'
import { missing, missingParameter } from '../errors.ts'
import type { Handlers } from '../handlers.ts'
import { embedded, page } from '../lists.ts'
import { requireModelled } from '../parameters.ts'
import { changeSubscription } from './subscription-update.ts'

type Endpoints =
  | 'POST /v1/subscriptions'
  | 'GET /v1/subscriptions'
  | 'GET /v1/subscriptions/:id'
  | 'POST /v1/subscriptions/:id'
  | 'DELETE /v1/subscriptions/:id'

export const subscriptions: Pick<Handlers, Endpoints> = {
  'POST /v1/subscriptions': (account, params) => create(account, params),

  'GET /v1/subscriptions'(account, params) {
    const { customer, status } = params
    const found = account.store
      .all('subscriptions')
      .filter((one) => !customer || one.customer === customer)
      .filter((one) => {
        if (status === 'all') return true
        if (status === 'ended') return one.status === 'canceled' || one.status === 'incomplete_expired'
        return status ? one.status === status : one.status !== 'canceled'
      })
    return page(found, params, '/v1/subscriptions')
  },

  'GET /v1/subscriptions/:id': (account, _params, id) => requireObject(account, 'subscriptions', id),

  'POST /v1/subscriptions/:id': (account, params, id) =>
    changeSubscription(account, requireObject(account, 'subscriptions', id), params),

  'DELETE /v1/subscriptions/:id'(account, params, id) {
    const subscription = requireObject(account, 'subscriptions', id)
    // Stripe does not find subscriptions that have ended either.
    if (subscription.ended_at) throw missing('subscription', id)
    requireModelled('prorate', params.prorate, false)
    return cancelSubscription(account, subscription)
  },
}

function create(account: Account, params: Stripe.SubscriptionCreateParams): Stripe.Subscription {
  if (!params.customer) {
    throw missingParameter('customer')
  }
  if (!params.items?.length) {
    throw missingParameter('items')
  }
  requireModelled('payment_behavior', params.payment_behavior, 'allow_incomplete', 'default_incomplete')
  const customer = requireObject(account, 'customers', params.customer, 'customer')
  const id = newId('sub')
  const now = account.now()
  const first = requireObject(account, 'prices', params.items[0]?.price ?? '', 'items[0][price]').recurring
  const period = { start: now, end: nextPeriodEnd(now, first?.interval ?? 'month', now) }
  const items = params.items.map((item, index) => newItem(account, id, item, index, period))
  requireDistinctPrices(items)
  const draft = newSubscription(account, id, customer.id, params, items)
  account.store.put('subscriptions', id, draft)
  const invoice = issue(account, {
    customer: customer.id,
    subscription: draft,
    reason: 'subscription_create',
    charges: [
      ...pendingItems(account, draft).map((item) => addedCharge(account, item)),
      ...items.map((item) => itemCharge(account, item, period)),
    ],
    period: { start: now, end: now },
  })
  const subscription: Stripe.Subscription = {
    ...draft,
    latest_invoice: invoice.id,
    status: invoice.status === 'paid' ? 'active' : 'incomplete',
  }
  account.store.put('subscriptions', id, subscription)
  account.emit('customer.subscription.created', subscription)
  if (params.payment_behavior === 'default_incomplete') return subscription
  collect(account, invoice)
  return requireObject(account, 'subscriptions', id)
}

function newSubscription(
  account: Account,
  id: string,
  customer: string,
  params: Stripe.SubscriptionCreateParams,
  items: Stripe.SubscriptionItem[],
): Stripe.Subscription {
  const now = account.now()
  const settings = params.payment_settings
  const types = settings?.payment_method_types || null
  for (const type of types ?? []) requireModelled('payment_settings[payment_method_types]', type, 'card')
  requireModelled('automatic_tax[enabled]', params.automatic_tax?.enabled, false)
  requireModelled('billing_mode[type]', params.billing_mode?.type, 'flexible')
  return {
    id,
    object: 'subscription',
    application: null,
    application_fee_percent: null,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_cycle_anchor: now,
    billing_cycle_anchor_config: null,
    billing_mode: { type: 'flexible', flexible: { proration_discounts: 'included' } },
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    collection_method: 'charge_automatically',
    created: now,
    currency: items[0]?.price.currency ?? currency.toLowerCase(),
    customer,
    customer_account: null,
    days_until_due: null,
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    ended_at: null,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: 'self' },
    },
    items: embedded(items, `/v1/subscription_items?subscription=${id}`),
    latest_invoice: null,
    livemode: false,
    managed_payments: null,
    metadata: mergedMetadata({}, params.metadata),
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: {
      payment_method_options: null,
      payment_method_types: types,
      save_default_payment_method: settings?.save_default_payment_method ?? 'off',
    },
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: now,
    status: 'incomplete',
    test_clock: null,
    transfer_data: null,
    trial_end: null,
    trial_settings: {
      end_behavior: { billing_cycle_anchor: null, missing_payment_method: 'create_invoice' },
    },
    trial_start: null,
  }
}

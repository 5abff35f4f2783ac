import { currency } from '#plans/domain/plans.ts'
import { unmodelled } from './errors.ts'
import type { Form } from './form.ts'
import type { Endpoint } from './parameter-types.ts'

const list = ['limit', 'starting_after', 'ending_before']
const created = ['created', 'created.gt', 'created.gte', 'created.lt', 'created.lte']
const metadata = ['metadata', 'metadata.*']
const product = ['name', 'active', 'description', ...metadata]
const configuration = [
  'business_profile.headline',
  'default_return_url',
  'features.customer_update.enabled',
  'features.customer_update.allowed_updates',
  'features.invoice_history.enabled',
  'features.payment_method_update.enabled',
  'features.subscription_cancel.enabled',
  'features.subscription_cancel.mode=at_period_end',
  'features.subscription_cancel.proration_behavior=none',
  'features.subscription_cancel.cancellation_reason.enabled',
  'features.subscription_cancel.cancellation_reason.options',
  'features.subscription_update.enabled=false',
  ...metadata,
]

/**
 * The parameters that the stand-in acts upon, by endpoint. `name=value` is a parameter of which it knows one value alone,
 * `name.*` a record with any names. Every endpoint takes `expand`.
 */
const modelled: Record<Endpoint, readonly string[]> = {
  'POST /v1/customers': ['email', 'name', 'phone', 'description', 'balance', ...metadata],
  'GET /v1/customers': [...list, ...created, 'email'],
  'GET /v1/customers/:id': [],
  'POST /v1/customers/:id': [
    'email',
    'name',
    'phone',
    'description',
    'balance',
    'invoice_settings.default_payment_method',
    ...metadata,
  ],
  'DELETE /v1/customers/:id': [],
  'GET /v1/customers/:id/payment_methods': [...list, 'type=card'],
  'POST /v1/payment_methods': [
    'type',
    'card.number',
    'card.exp_month',
    'card.exp_year',
    'card.cvc',
    'billing_details.email',
    'billing_details.name',
    'billing_details.phone',
    ...metadata,
  ],
  'GET /v1/payment_methods': [...list, 'customer', 'type=card'],
  'GET /v1/payment_methods/:id': [],
  'POST /v1/payment_methods/:id/attach': ['customer'],
  'POST /v1/payment_methods/:id/detach': [],
  'POST /v1/subscriptions': [
    'customer',
    'items.price',
    'items.quantity',
    'items.metadata',
    'items.metadata.*',
    'automatic_tax.enabled=false',
    'billing_mode.type=flexible',
    'collection_method=charge_automatically',
    'default_payment_method',
    'description',
    'payment_behavior',
    'payment_settings.payment_method_types=card',
    'payment_settings.save_default_payment_method',
    ...metadata,
  ],
  'GET /v1/subscriptions': [...list, ...created, 'customer', 'price', 'status'],
  'GET /v1/subscriptions/:id': [],
  'POST /v1/subscriptions/:id': [
    'items.id',
    'items.price',
    'items.quantity',
    'items.deleted',
    'items.metadata',
    'items.metadata.*',
    'automatic_tax.enabled=false',
    'billing_cycle_anchor.type=unchanged',
    'cancel_at',
    'cancel_at_period_end',
    'cancellation_details.comment',
    'cancellation_details.feedback',
    'collection_method=charge_automatically',
    'default_payment_method',
    'description',
    'off_session',
    'payment_behavior',
    'payment_settings.save_default_payment_method',
    'proration_behavior',
    'proration_date',
    ...metadata,
  ],
  'DELETE /v1/subscriptions/:id': [
    'cancellation_details.comment',
    'cancellation_details.feedback',
    'invoice_now',
    'prorate',
  ],
  'POST /v1/invoices': [
    'customer',
    'subscription',
    'auto_advance',
    'automatic_tax.enabled=false',
    'collection_method=charge_automatically',
    'description',
    'pending_invoice_items_behavior',
    ...metadata,
  ],
  'GET /v1/invoices': [...list, ...created, 'customer', 'subscription', 'status'],
  'GET /v1/invoices/:id': [],
  'POST /v1/invoices/:id': ['auto_advance', 'description', ...metadata],
  'DELETE /v1/invoices/:id': [],
  'GET /v1/invoices/:id/lines': [...list],
  'POST /v1/invoices/create_preview': [
    'customer',
    'subscription',
    'automatic_tax.enabled=false',
    'invoice_items.amount',
    `invoice_items.currency=${currency.toLowerCase()}`,
    'invoice_items.description',
    'invoice_items.discountable',
    'invoice_items.period.start',
    'invoice_items.period.end',
    'invoice_items.price',
    'invoice_items.quantity',
    'preview_mode=next',
    'subscription_details.billing_cycle_anchor.type=unchanged',
    'subscription_details.cancel_at_period_end',
    'subscription_details.items.id',
    'subscription_details.items.price',
    'subscription_details.items.quantity',
    'subscription_details.items.deleted',
    'subscription_details.proration_behavior',
    'subscription_details.proration_date',
  ],
  'POST /v1/invoices/:id/finalize': ['auto_advance'],
  'POST /v1/invoices/:id/mark_uncollectible': [],
  'POST /v1/invoices/:id/pay': ['off_session', 'payment_method'],
  'POST /v1/invoices/:id/void': [],
  'GET /v1/invoice_payments': [
    ...list,
    ...created,
    'invoice',
    'status',
    'payment.type=payment_intent',
    'payment.payment_intent',
  ],
  'GET /v1/invoice_payments/:id': [],
  'POST /v1/invoiceitems': [
    'customer',
    'subscription',
    'invoice',
    'amount',
    'currency',
    'description',
    'discountable',
    'period.start',
    'period.end',
    'pricing.price',
    'price_data.currency',
    'price_data.product',
    'price_data.unit_amount',
    'quantity',
    ...metadata,
  ],
  'GET /v1/invoiceitems': [...list, ...created, 'customer', 'invoice', 'pending'],
  'POST /v1/invoiceitems/:id': ['amount', 'description', 'discountable', 'quantity', ...metadata],
  'GET /v1/invoiceitems/:id': [],
  'DELETE /v1/invoiceitems/:id': [],
  'GET /v1/payment_intents': [...list, ...created, 'customer'],
  'GET /v1/payment_intents/:id': ['client_secret'],
  // The customer comes back to the page by themselves: the stand-in's 3-D Secure is a dialog in it.
  'POST /v1/payment_intents/:id/confirm': [
    'payment_method',
    'off_session',
    'return_url',
    'setup_future_usage',
    'use_stripe_sdk',
  ],
  'GET /v1/charges': [...list, ...created, 'customer', 'payment_intent'],
  'GET /v1/charges/:id': [],
  'POST /v1/refunds': ['charge', 'payment_intent', 'amount', 'reason', ...metadata],
  'GET /v1/refunds/:id': [],
  'GET /v1/disputes': [...list, ...created, 'charge', 'payment_intent'],
  'GET /v1/disputes/:id': [],
  'GET /v1/radar/early_fraud_warnings/:id': [],
  'POST /v1/products': ['id', ...product],
  'GET /v1/products': [...list, ...created, 'active', 'ids'],
  'GET /v1/products/:id': [],
  'POST /v1/products/:id': ['default_price', ...product],
  'POST /v1/prices': [
    'active',
    'currency',
    'lookup_key',
    'nickname',
    'product',
    'product_data.id',
    'product_data.name',
    'product_data.metadata',
    'product_data.metadata.*',
    'recurring.interval',
    'recurring.interval_count',
    'transfer_lookup_key',
    'unit_amount',
    ...metadata,
  ],
  'GET /v1/prices': [...list, ...created, 'active', 'currency', 'lookup_keys', 'product', 'type'],
  'GET /v1/prices/:id': [],
  'POST /v1/prices/:id': ['active', 'lookup_key', 'nickname', 'transfer_lookup_key', ...metadata],
  'POST /v1/billing_portal/sessions': [
    'customer',
    'configuration',
    'return_url',
    'flow_data.type=payment_method_update',
    'flow_data.after_completion.type=redirect',
    'flow_data.after_completion.type=portal_homepage',
    'flow_data.after_completion.redirect.return_url',
  ],
  'POST /v1/billing_portal/configurations': configuration,
  'GET /v1/billing_portal/configurations': [...list, 'active', 'is_default'],
  'GET /v1/billing_portal/configurations/:id': [],
  'POST /v1/billing_portal/configurations/:id': ['active', ...configuration],
  'GET /v1/events': [...list, ...created, 'type', 'types'],
  'GET /v1/events/:id': [],
}

/**
 * Refuses a request that Stripe would act upon and the stand-in would not.
 * @throws StripeFailure 501 that names the parameter
 */
export function requireModelled(endpoint: Endpoint, form: Form): void {
  for (const [name, value] of flattened(form)) {
    const isKnown = ['expand', ...modelled[endpoint]].some(
      (known) =>
        known === name ||
        known === `${name}=${value}` ||
        (known.endsWith('.*') && name.startsWith(known.slice(0, -1))),
    )
    if (!isKnown) throw unmodelled(`\`${name}=${value.slice(0, 80)}\` of ${endpoint}`)
  }
}

/** Lists the parameters with the names of their records, `items.price`; elements of lists have no names of their own. */
function flattened(form: Form, before = ''): [name: string, value: string][] {
  return Object.entries(form).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).flatMap((one): [string, string][] =>
      typeof one === 'string' ? [[before + name, one]] : flattened(one as Form, `${before}${name}.`),
    ),
  )
}

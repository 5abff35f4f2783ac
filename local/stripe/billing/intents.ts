import { randomBytes } from 'node:crypto'
import type { Stripe } from 'stripe'
import { newId, type Account } from '../account.ts'

interface IntentFields {
  amount: number
  currency: string
  customer: string | null
  description: string
  paymentMethod: string | null
  /** Whether the card that pays may be charged again later. */
  savesMethod: boolean
}

/** Returns the unconfirmed payment of an invoice. */
export function newIntent(account: Account, fields: IntentFields): Stripe.PaymentIntent {
  const id = newId('pi')
  const intent = {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount: fields.amount,
    amount_capturable: 0,
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic',
    client_secret: `${id}_secret_${randomBytes(12).toString('hex')}`,
    confirmation_method: 'automatic',
    created: account.now(),
    currency: fields.currency,
    customer: fields.customer,
    customer_account: null,
    description: fields.description,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: {},
    next_action: null,
    on_behalf_of: null,
    payment_method: fields.paymentMethod,
    payment_method_configuration_details: null,
    payment_method_options: null,
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: fields.savesMethod ? 'off_session' : null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: fields.paymentMethod ? 'requires_confirmation' : 'requires_payment_method',
    transfer_group: null,
  } satisfies Stripe.PaymentIntent
  account.store.put('paymentIntents', id, intent)
  account.emit('payment_intent.created', intent)
  return intent
}

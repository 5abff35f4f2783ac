import type { Stripe } from 'stripe'
import { change, idOf, requireObject, type Account } from '../account.ts'
import { refund } from '../billing/disputes.ts'
import { attemptPayment } from '../billing/payment.ts'
import { declined, invalid, malformed } from '../errors.ts'
import type { Handlers } from '../handlers.ts'
import { page, rangeFilter } from '../lists.ts'
import { methodOf } from './payment-methods.ts'
import type { RequestParameters } from '../parameter-types.ts'
import { requireModelled } from '../parameters.ts'

type Endpoints =
  | 'GET /v1/payment_intents/:id'
  | 'POST /v1/payment_intents/:id/confirm'
  | 'GET /v1/invoice_payments'
  | 'GET /v1/charges'
  | 'GET /v1/charges/:id'
  | 'POST /v1/refunds'
  | 'GET /v1/disputes'
  | 'GET /v1/disputes/:id'
  | 'GET /v1/radar/early_fraud_warnings/:id'

export const payments: Pick<Handlers, Endpoints> = {
  'GET /v1/payment_intents/:id': (account, _params, id) => requireObject(account, 'paymentIntents', id),

  'POST /v1/payment_intents/:id/confirm': (account, params, id) =>
    confirm(account, requireObject(account, 'paymentIntents', id), params),

  'GET /v1/invoice_payments'(account, params) {
    const { invoice, payment } = params
    const intent = payment?.payment_intent
    requireModelled('payment[type]', payment?.type, 'payment_intent')
    const found = account.store
      .all('invoicePayments')
      .filter((one) => !invoice || one.invoice === invoice)
      .filter((one) => !intent || one.payment.payment_intent === intent)
    return page(found, params, '/v1/invoice_payments')
  },

  'GET /v1/charges'(account, params) {
    const { customer } = params
    const isIn = rangeFilter(params.created)
    const found = account.store
      .all('charges')
      .filter((one) => !customer || one.customer === customer)
      .filter((one) => isIn(one.created))
    return page(found, params, '/v1/charges')
  },

  'GET /v1/charges/:id': (account, _params, id) => requireObject(account, 'charges', id),

  'POST /v1/refunds'(account, { amount, charge: named, payment_intent: of, reason }) {
    const intent = of ? requireObject(account, 'paymentIntents', of, 'payment_intent') : undefined
    const charge = requireObject(account, 'charges', named ?? idOf(intent?.latest_charge) ?? '', 'charge')
    if (charge.refunded) {
      throw invalid(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' })
    }
    const left = charge.amount - charge.amount_refunded
    if (!charge.paid || (amount ?? left) > left) {
      throw invalid(`Refund amount is greater than unrefunded amount on charge (${left})`, {
        param: 'amount',
      })
    }
    return refund(account, charge, amount, reason)
  },

  'GET /v1/disputes'(account, params) {
    const { charge } = params
    const found = account.store.all('disputes').filter((one) => !charge || one.charge === charge)
    return page(found, params, '/v1/disputes')
  },

  'GET /v1/disputes/:id': (account, _params, id) => requireObject(account, 'disputes', id),
  'GET /v1/radar/early_fraud_warnings/:id': (account, _params, id) =>
    requireObject(account, 'earlyFraudWarnings', id),
}

const confirmable = ['requires_payment_method', 'requires_confirmation', 'requires_action']

function confirm(
  account: Account,
  before: Stripe.PaymentIntent,
  params: RequestParameters['POST /v1/payment_intents/:id/confirm'],
): Stripe.PaymentIntent {
  const { return_url: back, setup_future_usage: usage } = params
  requireModelled('use_stripe_sdk', params.use_stripe_sdk, true)
  // The customer comes back to the page by themselves: the stand-in's 3-D Secure is a dialog in it.
  if (back && !URL.canParse(back))
    throw malformed('Not a valid URL', { code: 'url_invalid', param: 'return_url' })
  if (!confirmable.includes(before.status)) {
    throw invalid(
      before.status === 'succeeded'
        ? 'You cannot confirm this PaymentIntent because it has already succeeded after being previously confirmed.'
        : `You cannot confirm this PaymentIntent because it has a status of ${before.status}. Only a PaymentIntent with one of the following statuses may be confirmed: ${confirmable.join(', ')}.`,
      { code: 'payment_intent_unexpected_state', payment_intent: before },
    )
  }
  const given = params.payment_method ?? idOf(before.payment_method)
  if (!given) {
    throw malformed(
      `You cannot confirm this PaymentIntent because it's missing a payment method. You can either update the PaymentIntent with a payment method and then confirm it again, or confirm it again directly with a payment method or ConfirmationToken.`,
      { code: 'payment_intent_unexpected_state' },
    )
  }
  const method = methodOf(account, given, 'payment_method')
  const { id: methodId } = method
  if (method.customer && method.customer !== before.customer) {
    throw invalid(
      `The PaymentMethod supplied (${methodId}) belongs to a different Customer. Please include the Customer in the \`customer\` parameter on the PaymentIntent.`,
    )
  }
  const intent = change(account, 'paymentIntents', before, {
    payment_method: methodId,
    next_action: null,
    ...(usage ? { setup_future_usage: usage } : {}),
  })
  const outcome = attemptPayment(account, intent, { method: methodId, onSession: true })
  if (outcome.kind === 'declined') {
    throw declined(outcome.decline, { payment_intent: outcome.intent, payment_method: method })
  }
  return outcome.intent
}

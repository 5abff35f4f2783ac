import type { Stripe } from 'stripe'
import { change, idOf, known, type Account } from '../account.ts'
import { refund } from '../billing/disputes.ts'
import { attemptPayment } from '../billing/payment.ts'
import { declined, invalid, malformed } from '../errors.ts'
import type { Handlers } from '../handlers.ts'
import { page, within } from '../lists.ts'
import { methodOf } from './payment-methods.ts'
import type { RequestParameters } from '../parameter-types.ts'

type Endpoints =
  | 'GET /v1/payment_intents'
  | 'GET /v1/payment_intents/:id'
  | 'POST /v1/payment_intents/:id/confirm'
  | 'GET /v1/invoice_payments'
  | 'GET /v1/invoice_payments/:id'
  | 'GET /v1/charges'
  | 'GET /v1/charges/:id'
  | 'POST /v1/refunds'
  | 'GET /v1/refunds/:id'
  | 'GET /v1/disputes'
  | 'GET /v1/disputes/:id'
  | 'GET /v1/radar/early_fraud_warnings/:id'

export const payments: Pick<Handlers, Endpoints> = {
  'GET /v1/payment_intents'(account, params) {
    const found = account.store
      .all('paymentIntents')
      .filter((one) => !params.customer || one.customer === params.customer)
      .filter((one) => within(params.created, one.created))
    return page(found, params, '/v1/payment_intents')
  },

  'GET /v1/payment_intents/:id': (account, _params, id) => known(account, 'paymentIntents', id),

  'POST /v1/payment_intents/:id/confirm': (account, params, id) =>
    confirm(account, known(account, 'paymentIntents', id), params),

  'GET /v1/invoice_payments'(account, params) {
    const intent = params.payment?.payment_intent
    const found = account.store
      .all('invoicePayments')
      .filter((one) => !params.invoice || one.invoice === params.invoice)
      .filter((one) => !params.status || one.status === params.status)
      .filter((one) => !intent || one.payment.payment_intent === intent)
      .filter((one) => within(params.created, one.created))
    return page(found, params, '/v1/invoice_payments')
  },

  'GET /v1/invoice_payments/:id': (account, _params, id) => known(account, 'invoicePayments', id),

  'GET /v1/charges'(account, params) {
    const found = account.store
      .all('charges')
      .filter((one) => !params.customer || one.customer === params.customer)
      .filter((one) => !params.payment_intent || one.payment_intent === params.payment_intent)
      .filter((one) => within(params.created, one.created))
    return page(found, params, '/v1/charges')
  },

  'GET /v1/charges/:id': (account, _params, id) => known(account, 'charges', id),

  'POST /v1/refunds'(account, params) {
    const intent = params.payment_intent
      ? known(account, 'paymentIntents', params.payment_intent, 'payment_intent')
      : undefined
    const charge = known(account, 'charges', params.charge ?? idOf(intent?.latest_charge) ?? '', 'charge')
    if (charge.refunded) {
      throw invalid(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' })
    }
    const left = charge.amount - charge.amount_refunded
    if (!charge.paid || (params.amount ?? left) > left) {
      throw invalid(`Refund amount is greater than unrefunded amount on charge (${left})`, {
        param: 'amount',
      })
    }
    return refund(account, charge, params.amount)
  },

  'GET /v1/refunds/:id': (account, _params, id) => known(account, 'refunds', id),

  'GET /v1/disputes'(account, params) {
    const found = account.store
      .all('disputes')
      .filter((one) => !params.charge || one.charge === params.charge)
      .filter((one) => !params.payment_intent || one.payment_intent === params.payment_intent)
      .filter((one) => within(params.created, one.created))
    return page(found, params, '/v1/disputes')
  },

  'GET /v1/disputes/:id': (account, _params, id) => known(account, 'disputes', id),
  'GET /v1/radar/early_fraud_warnings/:id': (account, _params, id) =>
    known(account, 'earlyFraudWarnings', id),
}

const confirmable = ['requires_payment_method', 'requires_confirmation', 'requires_action']

function confirm(
  account: Account,
  before: Stripe.PaymentIntent,
  params: RequestParameters['POST /v1/payment_intents/:id/confirm'],
): Stripe.PaymentIntent {
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
    ...(params.setup_future_usage ? { setup_future_usage: params.setup_future_usage } : {}),
  })
  const outcome = attemptPayment(account, intent, {
    method: methodId,
    onSession: params.off_session !== true,
  })
  if (outcome.kind === 'declined') {
    throw declined(outcome.decline, { payment_intent: outcome.intent, payment_method: method })
  }
  return outcome.intent
}

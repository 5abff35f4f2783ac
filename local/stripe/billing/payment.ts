import type { Stripe } from 'stripe'
import { change, requireObject, type Account } from '../account.ts'
import { authenticationRequired, type Decline } from '../cards.ts'
import { newCharge } from './charges.ts'
import { dispute } from './disputes.ts'
import { acceptFailure, acceptPayment, acceptRequest } from './settlement.ts'

type Outcome =
  | { kind: 'paid'; intent: Stripe.PaymentIntent }
  | { kind: 'action'; intent: Stripe.PaymentIntent }
  | { kind: 'declined'; intent: Stripe.PaymentIntent; decline: Decline }

interface Attempt {
  method: string
  /** Whether the customer is present and can authenticate; false for renewals. */
  onSession: boolean
  /** Whether the customer has just authenticated this payment. */
  authenticated?: boolean
  /** Whether the bank declines, whatever the card. */
  refuse?: Decline
  /** Whether Stripe tries by itself, by its retry schedule. */
  automatic?: boolean
}

/** Confirms a payment intent with a card, and updates its invoice and subscription with the result. */
export function attemptPayment(account: Account, intent: Stripe.PaymentIntent, attempt: Attempt): Outcome {
  const method = requireObject(account, 'paymentMethods', attempt.method, 'payment_method')
  const card = requireObject(account, 'cards', attempt.method, 'payment_method')
  const { automatic = false } = attempt
  if (attempt.refuse) return decline(account, intent, method, attempt.refuse, automatic)

  const asks = card.authentication === 'always' || (card.authentication === 'until_set_up' && !card.setUp)
  if (asks && !attempt.authenticated) return askForAuthentication(account, intent, method, attempt)
  if (card.charge) return decline(account, intent, method, card.charge, automatic)

  const charge = newCharge(account, intent, method, undefined)
  const paid = change(account, 'paymentIntents', intent, {
    status: 'succeeded',
    amount_received: intent.amount,
    last_payment_error: null,
    latest_charge: charge.id,
    next_action: null,
    payment_method: method.id,
  })
  if (attempt.authenticated && paid.setup_future_usage)
    account.store.put('cards', method.id, { ...card, setUp: true })
  account.emit('payment_intent.succeeded', paid)
  acceptPayment(account, paid, automatic)
  if (card.disputed) dispute(account, charge)
  return { kind: 'paid', intent: paid }
}

/** Fails the attempt, too, because an absent customer cannot authenticate until they return. */
function askForAuthentication(
  account: Account,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  { onSession, automatic = false }: Attempt,
): Outcome {
  const waiting = change(account, 'paymentIntents', intent, {
    status: 'requires_action',
    payment_method: method.id,
    last_payment_error: onSession ? null : paymentError(authenticationRequired, method),
    next_action: {
      type: 'use_stripe_sdk',
      use_stripe_sdk: {
        type: 'stripe_3ds2_fingerprint',
        three_d_secure_2_source: `src_${intent.id.slice(3)}`,
      } as Stripe.PaymentIntent.NextAction.UseStripeSdk,
    },
  })
  account.emit('payment_intent.requires_action', waiting)
  acceptRequest(account, waiting)
  if (!onSession) acceptFailure(account, waiting, automatic)
  return { kind: 'action', intent: waiting }
}

function decline(
  account: Account,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  reason: Decline,
  isAutomatic: boolean,
): Outcome {
  const charge = newCharge(account, intent, method, reason)
  const failed = change(account, 'paymentIntents', intent, {
    status: 'requires_payment_method',
    last_payment_error: { ...paymentError(reason, method), charge: charge.id },
    latest_charge: charge.id,
    next_action: null,
    payment_method: null,
  })
  account.emit('payment_intent.payment_failed', failed)
  acceptFailure(account, failed, isAutomatic)
  return { kind: 'declined', intent: failed, decline: reason }
}

/** The customer's message if 3-D Secure fails or is abandoned. */
const authenticationFailure: Decline = {
  code: 'payment_intent_authentication_failure',
  message:
    'The provided PaymentMethod has failed authentication. You can provide payment_method_data or a new PaymentMethod to attempt to fulfill this PaymentIntent again.',
}

/** Ends a 3-D Secure dialog: the payment continues, or needs another card. */
export function finishAuthentication(
  account: Account,
  intent: Stripe.PaymentIntent,
  passed: boolean,
): Stripe.PaymentIntent {
  const method = requireObject(account, 'paymentMethods', String(intent.payment_method), 'payment_method')
  if (passed) {
    return attemptPayment(account, intent, { method: method.id, onSession: true, authenticated: true }).intent
  }
  const failed = change(account, 'paymentIntents', intent, {
    status: 'requires_payment_method',
    last_payment_error: { ...paymentError(authenticationFailure, method), type: 'invalid_request_error' },
    next_action: null,
    payment_method: null,
  })
  account.emit('payment_intent.payment_failed', failed)
  acceptFailure(account, failed, false)
  return failed
}

const paymentError = (
  reason: Decline,
  method: Stripe.PaymentMethod,
): Stripe.PaymentIntent.LastPaymentError => ({
  type: 'card_error',
  ...reason,
  doc_url: `https://docs.stripe.com/error-codes#${reason.code.replaceAll('_', '-')}`,
  payment_method: method,
})

import { AuthError } from '@supabase/supabase-js'
import Stripe from 'stripe'
import type { Failure } from '#platform/domain/failures.ts'

export const accountExists: Failure = {
  code: 'account_exists',
  message: 'An account with this email already exists.',
}
export const checkoutInProgress: Failure = {
  code: 'checkout_in_progress',
  message: 'A payment for this email is already under way. Finish it there, or try again in a few minutes.',
}
export const unusablePaymentMethod: Failure = {
  code: 'invalid_request',
  message: 'This card could not be used. Please enter it again.',
}
export const providerUnavailable: Failure = {
  code: 'provider_unavailable',
  message: 'Our payment provider did not respond. You can try again: you will not be charged twice.',
}
/** Returns the failure of a declined card, with a default message if the provider gave none. */
export const cardDeclined = (message: string | undefined): Failure => ({
  code: 'card_declined',
  message: message || 'Your card was declined.',
})

/** Stripe's code of a payment that the bank wanted confirmed and the customer did not confirm. */
export const unconfirmed = 'payment_intent_authentication_failure'

/** Returns the failure of a payment that was not made. Only Stripe's messages about cards are written for cardholders. */
export const paymentDeclined = (error: Stripe.PaymentIntent.LastPaymentError | null): Failure =>
  cardDeclined(
    error?.code === unconfirmed
      ? 'Your bank did not confirm the payment. Please try again, or use another card.'
      : error?.message,
  )

/** Returns the failure that a provider's error means, or undefined if the error is a bug of ours. */
export function providerFailure(error: unknown): Failure | undefined {
  if (error instanceof Stripe.errors.StripeCardError) return cardDeclined(error.message)
  if (error instanceof AuthError && error.code === 'email_exists') return accountExists
  return error instanceof Stripe.errors.StripeError || error instanceof AuthError
    ? providerUnavailable
    : undefined
}

/** Whether the failure is Stripe's own response, which Stripe may repeat for the request's idempotency key. */
export const isDefinite = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeError &&
  !(error instanceof Stripe.errors.StripeCardError) &&
  (error.statusCode ?? 0) >= 400

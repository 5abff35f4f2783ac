import { createHash } from 'node:crypto'
import Stripe from 'stripe'
import type { PayablePlanId } from '#plans/domain/plans.ts'
import { leaseSeconds, type Checkout, type OpenedCheckout } from './checkouts.ts'
import type { Services } from '#platform/server/services.ts'
import { idOf } from '#platform/server/stripe.ts'
import { priceOf, withPayment } from '#billing/server/stripe-subscription.ts'

/**
 * Idempotency keys. A customer and a subscription are the checkout's and not the card's, so that an attempt that was
 * cut off and comes back with another card finds them; a confirmation is the attempt's, so that a card that was
 * declined can be tried again. What ended (a subscription) or failed for good at Stripe gives the next key.
 */
const key = (kind: string, ...parts: readonly unknown[]): { idempotencyKey: string } => ({
  idempotencyKey: `${kind}:${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 40)}`,
})

/**
 * The checkout's customer, made when it is first needed. One that an attempt made and died before it was written down is
 * looked for: Stripe forgets idempotency keys after a day (https://docs.stripe.com/api/idempotent_requests).
 */
export async function ensureCustomer(
  { checkout, seconds_in_state }: OpenedCheckout,
  email: string,
  stripe: Stripe,
): Promise<string> {
  if (checkout.stripe_customer_id) return checkout.stripe_customer_id
  if (seconds_in_state >= leaseSeconds) {
    const { data } = await stripe.customers.list({ email, limit: 100 })
    const made = data.find(({ metadata }) => metadata.checkout_id === checkout.id)
    if (made) return made.id
  }
  const customer = await stripe.customers.create(
    { email, metadata: { checkout_id: checkout.id } },
    key('cus', checkout.id, checkout.provider_failures),
  )
  return customer.id
}

/**
 * Attaches the payment method to the customer.
 * @returns false when it cannot be: it is unknown, or somebody else's
 * @throws StripeCardError for a card that is refused already here
 */
export async function attach(paymentMethod: string, customer: string, checkout: Checkout, stripe: Stripe) {
  if (checkout.stripe_payment_method_id === paymentMethod) return true
  try {
    await stripe.paymentMethods.attach(paymentMethod, { customer }, key('pm', checkout.lease, paymentMethod))
    return true
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError) return false
    throw error
  }
}

/** Makes the subscription without charging: its first invoice waits for a confirmed payment. */
export const createSubscription = (
  order: { checkout: Checkout; customer: string; planId: PayablePlanId; userId: string },
  { stripe, env }: Services,
): Promise<Stripe.Subscription> => {
  const { checkout, customer, planId, userId } = order
  return stripe.subscriptions.create(
    {
      customer,
      items: [{ price: priceOf(planId, env) }],
      payment_behavior: 'default_incomplete',
      payment_settings: { save_default_payment_method: 'on_subscription', payment_method_types: ['card'] },
      metadata: { checkout_id: checkout.id, user_id: userId, plan: planId },
      ...withPayment,
    },
    key('sub', checkout.id, checkout.provider_failures, planId, checkout.stripe_subscription_id),
  )
}

/**
 * Ends a subscription that was never paid, by voiding its invoice. Canceling would end one that has been paid in this
 * very moment as well; an invoice that is paid cannot be voided.
 * @returns false when it is too late
 */
export async function giveUp({ latest_invoice }: Stripe.Subscription, stripe: Stripe): Promise<boolean> {
  if (!latest_invoice) return false
  try {
    await stripe.invoices.voidInvoice(idOf(latest_invoice))
    return true
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError) return false
    throw error
  }
}

/**
 * Charges. A payment that has succeeded, or is under way, is never made again: Stripe refuses it, and its state is the
 * answer.
 * @throws StripeCardError when the card is declined
 */
export async function confirm(
  paymentIntent: string,
  paymentMethod: string,
  checkout: Checkout,
  stripe: Stripe,
): Promise<Stripe.PaymentIntent> {
  try {
    return await stripe.paymentIntents.confirm(
      paymentIntent,
      { payment_method: paymentMethod, use_stripe_sdk: true },
      key('confirm', checkout.lease, paymentMethod),
    )
  } catch (error) {
    const refused =
      error instanceof Stripe.errors.StripeInvalidRequestError ? error.payment_intent : undefined
    if (refused?.status === 'succeeded' || refused?.status === 'processing') return refused
    throw error
  }
}

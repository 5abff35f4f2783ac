import { createHash } from 'node:crypto'
import Stripe from 'stripe'
import type { PayablePlanId } from '#plans/domain/plans.ts'
import { leaseSeconds, type Checkout, type OpenedCheckout } from './checkouts.ts'
import type { Services } from '#platform/server/services.ts'
import { priceOf, withPayment } from '#billing/server/stripe-subscription.ts'

/**
 * Returns an idempotency key. The keys of a customer and of a subscription depend on the checkout, not on the card, so that
 * an attempt that was interrupted and is repeated with another card finds them. The key of a confirmation depends on the
 * attempt, so that a declined card can be tried again. A subscription that has ended, or a request that Stripe has finally
 * refused, changes the next key.
 */
const key = (kind: string, ...parts: readonly unknown[]): { idempotencyKey: string } => ({
  idempotencyKey: `${kind}:${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 40)}`,
})

/**
 * Returns the checkout's customer, and creates it if necessary. If an earlier attempt died after it had created the customer
 * and before it had recorded it, the customer is searched for, because Stripe forgets idempotency keys after a day
 * (https://docs.stripe.com/api/idempotent_requests).
 */
export async function ensureCustomer(
  { checkout, seconds_since_first_attempt }: OpenedCheckout,
  stripe: Stripe,
): Promise<string> {
  if (checkout.stripe_customer_id) return checkout.stripe_customer_id
  if (seconds_since_first_attempt >= leaseSeconds) {
    const [existing] = await customersOf(checkout, stripe)
    if (existing) return existing
  }
  const customer = await stripe.customers.create(
    { email: checkout.email, metadata: { checkout_id: checkout.id } },
    key('cus', checkout.id, checkout.provider_failures),
  )
  return customer.id
}

/** Returns the customer of a checkout, or searches for the one that an attempt created and did not record. */
export async function customersOf(
  { id, email, stripe_customer_id: recorded }: Pick<Checkout, 'id' | 'email' | 'stripe_customer_id'>,
  stripe: Stripe,
): Promise<string[]> {
  if (recorded) return [recorded]
  const { data } = await stripe.customers.list({ email, limit: 100 })
  return data.filter(({ metadata }) => metadata.checkout_id === id).map((customer) => customer.id)
}

/**
 * Detaches all cards of a customer. To be called only if nothing of the customer's can be paid any more: the cards are
 * then those of earlier payers.
 */
export async function detachCards(customer: string, stripe: Stripe): Promise<void> {
  for await (const { id } of stripe.customers.listPaymentMethods(customer, { limit: 100 })) {
    await stripe.paymentMethods.detach(id)
  }
}

/**
 * Stripe's least charge in US dollars, in cents; less is added to the balance
 * (https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts).
 */
const leastCharge = 50

/** Whether the credit on a customer's balance pays so many cents without a charge. */
export async function isCovered(customer: string, cents: number, stripe: Stripe): Promise<boolean> {
  const found = await stripe.customers.retrieve(customer)
  return !found.deleted && cents + found.balance < leastCharge
}

/**
 * Attaches the card to the customer where no payment does so: with the next reading it becomes the default, which renewals
 * charge.
 * @returns false if the payment method is unknown or belongs to somebody else
 * @throws StripeCardError if the card is declined
 */
export async function attachCard(customer: string, paymentMethod: string, stripe: Stripe): Promise<boolean> {
  try {
    await stripe.paymentMethods.attach(paymentMethod, { customer })
    return true
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError) return false
    throw error
  }
}

/** Creates the subscription without a charge: its first invoice waits for a confirmed payment. */
export const createSubscription = (
  order: { checkout: Checkout; customer: string; planId: PayablePlanId; userId: string | null },
  { stripe, env }: Services,
): Promise<Stripe.Subscription> => {
  const { checkout, customer, planId, userId } = order
  return stripe.subscriptions.create(
    {
      customer,
      items: [{ price: priceOf(planId, env) }],
      payment_behavior: 'default_incomplete',
      // Both are what a change of plan relies on; an account may have other defaults.
      billing_mode: { type: 'flexible' },
      automatic_tax: { enabled: false },
      // No subscription has a card of its own: the customer's default is the one card that is charged.
      payment_settings: { save_default_payment_method: 'off', payment_method_types: ['card'] },
      metadata: { checkout_id: checkout.id, plan: planId, ...(userId && { user_id: userId }) },
      ...withPayment,
    },
    key('sub', checkout.id, checkout.provider_failures, planId, checkout.stripe_subscription_id),
  )
}

/**
 * Charges the card. Stripe attaches it to the customer if it pays, and only then: no card that was declined, or whose
 * 3-D Secure was abandoned, is left on a customer. Stripe refuses to confirm a payment that has succeeded or is being
 * processed; its present state is returned then.
 * @returns undefined if the payment method is unknown or belongs to somebody else
 * @throws StripeCardError if the card is declined
 */
export async function confirm(
  paymentIntent: string,
  paymentMethod: string,
  checkout: Checkout,
  stripe: Stripe,
): Promise<Stripe.PaymentIntent | undefined> {
  try {
    return await stripe.paymentIntents.confirm(
      paymentIntent,
      { payment_method: paymentMethod, setup_future_usage: 'off_session', use_stripe_sdk: true },
      key('confirm', checkout.lease, paymentMethod),
    )
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
    const { payment_intent: refused, code } = error
    if (refused?.status === 'succeeded' || refused?.status === 'processing') return refused
    if (code === 'payment_intent_unexpected_state') throw error
    return undefined
  }
}

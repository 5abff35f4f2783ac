import type Stripe from 'stripe'
import type { PayablePlanId } from '#plans/domain/plans.ts'
import type { OpenedCheckout } from './checkouts.ts'
import {
  clientSecretOf,
  isLive,
  paymentIntentOf,
  planOf,
  withPayment,
} from '#billing/server/stripe-subscription.ts'
import { idOf, unlessUnknown } from '#platform/server/stripe.ts'
import type { Services } from '#platform/server/services.ts'

/** How long a payer may take over 3-D Secure before somebody else may try with the same e-mail. */
const authenticationSeconds = 600

/** What an earlier attempt with the same e-mail means for this one. */
export type Earlier =
  /** There is nothing to build on: a new subscription is made. */
  | { kind: 'none' }
  /** It was paid once and is over: it is brought in before a new one takes its place. */
  | { kind: 'over'; subscription: Stripe.Subscription }
  /** Unpaid and of the same plan: it is paid now. */
  | { kind: 'unpaid'; subscription: Stripe.Subscription }
  /** Unpaid and of another plan: its invoice is voided, which ends it, then a new one is made. */
  | { kind: 'other_plan'; subscription: Stripe.Subscription }
  /** Paid by the same payer for the same plan: the answer was lost, and is given again. */
  | { kind: 'paid'; subscription: Stripe.Subscription }
  /** Paid, and this attempt shows nothing that would make it the payer's. */
  | { kind: 'paid_by_another' }
  /** Somebody is authenticating that payment right now, or the bank is at it. */
  | { kind: 'under_way' }

/** Looks at Stripe, where the recorded subscription of the e-mail stands. One call in the usual case. */
export async function findEarlier(
  { checkout, seconds_in_state }: OpenedCheckout,
  attempt: { planId: PayablePlanId; paymentMethodId: string },
  { stripe, env }: Services,
): Promise<Earlier> {
  if (!checkout.stripe_subscription_id) return { kind: 'none' }
  const subscription = await stripe.subscriptions.retrieve(checkout.stripe_subscription_id, withPayment)
  const samePlan = planOf(subscription, env) === attempt.planId

  if (isLive(subscription.status)) {
    const same =
      samePlan && (await samePayer(subscription.default_payment_method, attempt.paymentMethodId, stripe))
    return same ? { kind: 'paid', subscription } : { kind: 'paid_by_another' }
  }
  if (subscription.status === 'incomplete_expired') return { kind: 'none' }
  if (subscription.status !== 'incomplete') return { kind: 'over', subscription }

  const mayBeAuthenticating = checkout.state === 'requires_action' && seconds_in_state < authenticationSeconds
  if (mayBeAuthenticating || !samePlan) {
    const payment = await paymentOf(subscription, stripe)
    if (payment?.status === 'processing') return { kind: 'under_way' }
    if (mayBeAuthenticating && payment?.status === 'requires_action') {
      const same = samePlan && (await samePayer(payment.payment_method, attempt.paymentMethodId, stripe))
      if (!same) return { kind: 'under_way' }
    }
  }
  return { kind: samePlan ? 'unpaid' : 'other_plan', subscription }
}

const paymentOf = async (subscription: Stripe.Subscription, stripe: Stripe) => {
  const secret = clientSecretOf(subscription)
  return secret ? stripe.paymentIntents.retrieve(paymentIntentOf(secret)) : undefined
}

/**
 * Whether two payment methods are the same card. An anonymous caller is given what belongs to a paid e-mail only when
 * it holds the card that paid; a browser makes a new payment method of the same card at every attempt. What paid is
 * Stripe's word, not our record of who tried last.
 */
async function samePayer(
  paying: string | { id: string } | null,
  offered: string,
  stripe: Stripe,
): Promise<boolean> {
  if (paying === null) return false
  if (idOf(paying) === offered) return true
  const [one, other] = await Promise.all([
    stripe.paymentMethods.retrieve(idOf(paying)),
    // One that Stripe does not know is nobody's.
    stripe.paymentMethods.retrieve(offered).catch(unlessUnknown),
  ])
  const fingerprint = one.card?.fingerprint
  return Boolean(fingerprint) && fingerprint === other?.card?.fingerprint
}

/** Whether a payment was made with this payment method. */
export const paidWith = (payment: Stripe.PaymentIntent, paymentMethodId: string): boolean =>
  payment.payment_method !== null && idOf(payment.payment_method) === paymentMethodId

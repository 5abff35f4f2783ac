import type Stripe from 'stripe'
import type { PayablePlanId } from '#plans/domain/plans.ts'
import type { OpenedCheckout } from './checkouts.ts'
import {
  isLive,
  latestPayment,
  planOf,
  readSubscription,
  withPayment,
  type Reading,
} from '#billing/server/stripe-subscription.ts'
import { idOf, unlessUnknown } from '#platform/server/stripe.ts'
import type { Services } from '#platform/server/services.ts'

/** What an earlier attempt with the same e-mail means for this attempt. */
export type Earlier =
  /** There is no subscription to continue: a new one is created. */
  | { kind: 'none' }
  /** It was paid once and has ended: it is written into the database before a new one replaces it. */
  | { kind: 'over'; reading: Reading }
  /** Unpaid and of the same plan: this attempt pays it. */
  | { kind: 'unpaid'; subscription: Stripe.Subscription }
  /** Unpaid and of another plan: its invoice is voided, which ends it, then a new one is created. */
  | { kind: 'other_plan'; subscription: Stripe.Subscription }
  /** Paid by the same payer for the same plan: the response was lost, and is sent again. */
  | { kind: 'paid'; reading: Reading }
  /** Paid, and nothing shows that this attempt is the same payer's. */
  | { kind: 'paid_by_another' }
  /** The bank is processing the payment. */
  | { kind: 'under_way' }
  /** The 3-D Secure of another card is open: this attempt goes on beside it. */
  | { kind: 'open_elsewhere'; card: string }
  /** Stripe does not know the offered payment method, or it is no card. */
  | { kind: 'unusable' }

/** Reads the state of the e-mail's recorded subscription from Stripe. Its requests usually run in parallel. */
export async function findEarlier(
  { checkout, has_account: hasAccount, replaces_user }: OpenedCheckout,
  attempt: { planId: PayablePlanId; paymentMethodId: string },
  { stripe, env }: Services,
): Promise<Earlier> {
  if (!checkout.stripe_subscription_id) return { kind: 'none' }
  const reading = await readSubscription(checkout.stripe_subscription_id, stripe)
  const { subscription } = reading
  const samePlan = planOf(subscription, env) === attempt.planId

  if (isLive(subscription.status)) {
    const same =
      samePlan && (await samePayer(await payingCard(subscription, stripe), attempt.paymentMethodId, stripe))
    return same ? { kind: 'paid', reading } : { kind: 'paid_by_another' }
  }
  if (subscription.status === 'incomplete_expired') return { kind: 'none' }
  if (subscription.status !== 'incomplete') return { kind: 'over', reading }

  const willEnd = !samePlan || replaces_user
  const wasOpened = checkout.state === 'open' || checkout.state === 'requires_action'
  const payment = willEnd || wasOpened ? await latestPayment(subscription, stripe) : undefined
  if (payment && !hasAccount && !checkout.beside) {
    if (payment.status === 'requires_action') {
      const [paying, card] = await Promise.all([
        payment.payment_method && fingerprintOf(idOf(payment.payment_method), stripe),
        fingerprintOf(attempt.paymentMethodId, stripe),
      ])
      if (!card) return { kind: 'unusable' }
      if (card !== paying) return { kind: 'open_elsewhere', card }
    }
  }
  if (willEnd && payment?.status === 'processing') return { kind: 'under_way' }
  return { kind: samePlan ? 'unpaid' : 'other_plan', subscription }
}

/** Returns the customer's default card, which pays, or the one that has paid if it is not yet the default. */
async function payingCard(subscription: Stripe.Subscription, stripe: Stripe): Promise<string | null> {
  const { customer } = subscription
  const preferred =
    typeof customer === 'string' || customer.deleted ? null : customer.invoice_settings.default_payment_method
  const card = preferred ?? (await latestPayment(subscription, stripe))?.payment_method
  return card ? idOf(card) : null
}

/**
 * Whether two payment methods are the same card. An anonymous client that names a paid e-mail gets its subscription only
 * with the card that paid. A browser creates a new payment method of the same card at every attempt.
 */
async function samePayer(paying: string | null, offered: string, stripe: Stripe): Promise<boolean> {
  if (paying === null) return false
  if (paying === offered) return true
  const [one, other] = await Promise.all([fingerprintOf(paying, stripe), fingerprintOf(offered, stripe)])
  return one !== undefined && one === other
}

/** Returns the fingerprint of a card, which all payment methods of the card share; undefined if Stripe does not know it. */
async function fingerprintOf(paymentMethod: string, stripe: Stripe): Promise<string | undefined> {
  const found = await stripe.paymentMethods.retrieve(paymentMethod).catch(unlessUnknown)
  return found?.card?.fingerprint ?? undefined
}

/**
 * Finds, among the attempts beside this one, a payment that no event has told of yet.
 * @returns its reading, and whether it was made with the offered card
 */
export async function findPaidRival(
  rivals: string[],
  offered: string,
  stripe: Stripe,
): Promise<{ reading: Reading; isSamePayer: boolean } | undefined> {
  const found = await Promise.all(rivals.map((id) => stripe.subscriptions.retrieve(id, withPayment)))
  const paid = found.find(({ status }) => isLive(status))
  if (!paid) return undefined
  const [reading, isSamePayer] = await Promise.all([
    readSubscription(paid.id, stripe),
    samePayer(await payingCard(paid, stripe), offered, stripe),
  ])
  return { reading, isSamePayer }
}

/** Whether a payment was made with this payment method. */
export const paidWith = (payment: Stripe.PaymentIntent, paymentMethodId: string): boolean =>
  payment.payment_method !== null && idOf(payment.payment_method) === paymentMethodId

import type Stripe from 'stripe'
import type { PayablePlanId } from '#plans/domain/plans.ts'
import type { Failure } from '#platform/domain/failures.ts'
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
import {
  accountExists,
  checkoutInProgress,
  unusablePaymentMethod,
} from '#platform/server/outgoing/provider-failure.ts'
import type { Services } from '#platform/server/services.ts'

/** What an earlier attempt with the same e-mail means for this attempt. */
export type Earlier =
  /** There is no subscription to continue: a new one is made. */
  | { kind: 'none' }
  /** It was paid once and has ended: it is written into the database before a new one replaces it. */
  | { kind: 'over'; reading: Reading }
  /** Unpaid and of the same plan: this attempt pays it. */
  | { kind: 'unpaid'; reading: Reading }
  /** Unpaid and of another plan: it is ended, then a new one is made. */
  | { kind: 'other_plan'; reading: Reading }
  /** Paid by the same payer for the same plan: the answer was lost, and is sent again. */
  | { kind: 'paid'; reading: Reading }
  /** It is refused: somebody else has paid, or the bank is processing a payment, or Stripe does not know the card. */
  | { kind: 'refused'; failure: Failure }
  /** It may be somebody else's: this attempt goes on beside it, with its own card. */
  | { kind: 'open_elsewhere'; card: string }

const refused = (failure: Failure): Earlier => ({ kind: 'refused', failure })

/**
 * Reads the state of the e-mail's recorded subscription from Stripe. Its requests usually run in parallel. An attempt that is
 * not paid is somebody else's if another card's 3-D Secure is open, or if somebody has confirmed the account with its link.
 */
export async function findEarlier(
  begun: OpenedCheckout,
  { planId, paymentMethodId: offered }: { planId: PayablePlanId; paymentMethodId: string },
  { stripe, env }: Services,
): Promise<Earlier> {
  const id = begun.checkout.stripe_subscription_id
  const reading = id ? await readSubscription(id, stripe) : undefined
  const status = reading?.subscription.status ?? 'incomplete_expired'
  if (!reading || status === 'incomplete_expired')
    return (begun.is_confirmed && (await parallelTo(null, offered, stripe))) || { kind: 'none' }
  const samePlan = planOf(reading.subscription, env) === planId
  if (isLive(status)) return samePlan ? paidBy(offered, reading, stripe) : refused(accountExists)
  return status === 'incomplete'
    ? unpaidOf(begun, reading, samePlan, offered, stripe)
    : { kind: 'over', reading }
}

/** Says what an unpaid subscription means. */
async function unpaidOf(
  { checkout, has_account: hasAccount, is_confirmed: isConfirmed }: OpenedCheckout,
  reading: Reading,
  samePlan: boolean,
  offered: string,
  stripe: Stripe,
): Promise<Earlier> {
  const willLeave = isConfirmed || !samePlan
  const wasOpened = checkout.state === 'open' || checkout.state === 'requires_action'
  const payment = willLeave || wasOpened ? await latestPayment(reading.subscription, stripe) : undefined
  if (payment?.status === 'processing' && willLeave) return refused(checkoutInProgress)
  const isAsked = payment?.status === 'requires_action' && !hasAccount && !checkout.is_parallel
  const paying = !isConfirmed && payment?.payment_method ? idOf(payment.payment_method) : null
  const parallel = isConfirmed || isAsked ? await parallelTo(paying, offered, stripe) : undefined
  return parallel ?? { kind: samePlan ? 'unpaid' : 'other_plan', reading }
}

/** Lets an offered card pay parallel to another, unless it is that one. */
async function parallelTo(
  paying: string | null,
  offered: string,
  stripe: Stripe,
): Promise<Earlier | undefined> {
  const [its, card] = await Promise.all([
    paying && fingerprintOf(paying, stripe),
    fingerprintOf(offered, stripe),
  ])
  if (!card) return refused(unusablePaymentMethod)
  return card === its ? undefined : { kind: 'open_elsewhere', card }
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

/** Finds, among the attempts parallel to this one, a payment that no event has told of yet. */
export async function findPaidAttempt(
  other_attempts: string[],
  offered: string,
  stripe: Stripe,
): Promise<Earlier | undefined> {
  const found = await Promise.all(other_attempts.map((id) => stripe.subscriptions.retrieve(id, withPayment)))
  const paid = found.find(({ status }) => isLive(status))
  return paid && paidBy(offered, await readSubscription(paid.id, stripe), stripe)
}

/** Says whether a subscription was paid by whoever offers this payment method. */
async function paidBy(offered: string, reading: Reading, stripe: Stripe): Promise<Earlier> {
  const paying = await payingCard(reading.subscription, stripe)
  return (await samePayer(paying, offered, stripe)) ? { kind: 'paid', reading } : refused(accountExists)
}

/** Whether a payment was made with this payment method. */
export const paidWith = (payment: Stripe.PaymentIntent, paymentMethodId: string): boolean =>
  payment.payment_method !== null && idOf(payment.payment_method) === paymentMethodId

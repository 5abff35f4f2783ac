import type Stripe from 'stripe'
import type { Failure } from '#platform/domain/failures.ts'
import type { SubscribeAnswer, SubscribeRequest } from '#checkout/domain/contracts.ts'
import type { Result } from '#platform/domain/result.ts'
import {
  beginCheckout,
  endCheckout,
  recordCheckout,
  type CheckoutChanges,
  type OpenedCheckout,
} from './checkouts.ts'
import { CodedError } from '#platform/server/coded-error.ts'
import { findEarlier, paidWith, type Earlier } from './existing-subscription.ts'
import { logFailure } from '#platform/server/log.ts'
import { attach, confirm, createSubscription, ensureCustomer, giveUp } from './payment.ts'
import {
  accountExists,
  cardDeclined,
  checkoutInProgress,
  isDefinite,
  providerFailure,
  providerUnavailable,
  unusablePaymentMethod,
} from '#platform/server/provider-failure.ts'
import type { Services } from '#platform/server/services.ts'
import { makeSignupToken } from '#account/server/signup-token.ts'
import { clientSecretOf, paymentIntentOf } from '#billing/server/stripe-subscription.ts'
import { writeSubscription } from '#billing/server/sync.ts'

/** A new subscription has nothing to pay, as one with a trial or a free price: neither is sold here. */
class NoPaymentError extends CodedError {
  override readonly name = 'NoPaymentError'

  constructor(subscription: string) {
    super('nothing_to_pay', { subscription })
  }
}

const refusal = (failure: Failure): { ok: false; failure: Failure } => ({ ok: false, failure })

/**
 * Subscribes an e-mail to a plan and charges the card, once, however often it is called.
 *
 * Creating never charges; only the last call to Stripe does. Calls to Stripe one after the other: a first attempt 4
 * (customer beside the account's link, attach, subscription, confirm), an attempt after a decline 3 (look at the
 * subscription, attach, confirm), the retry of a lost answer 1 (look at the subscription) with the same payment
 * method and 2 with a new one of the same card.
 *
 * The subscription reaches the database by the webhook, not from here: the answer does not wait for it.
 *
 * @throws DatabaseError before anything is charged, or after it, when the next attempt finds the payment
 */
export async function subscribe(
  request: SubscribeRequest,
  connected: Services,
): Promise<Result<SubscribeAnswer>> {
  const { supabase } = connected
  const begun = await beginCheckout(supabase, request.email, request.planId)
  if (begun.outcome === 'account_exists') return refusal(accountExists)
  if (begun.outcome === 'in_progress') return refusal(checkoutInProgress)

  const found: CheckoutChanges = {}
  try {
    return await attempt(request, begun, found, connected)
  } catch (error) {
    const failure = providerFailure(error)
    if (!failure) throw error
    if (failure.code === 'card_declined') found.state = 'declined'
    else logFailure('subscribe', error)
    if (isDefinite(error)) found.state = 'refused'
    return refusal(failure)
  } finally {
    // What has happened at Stripe stands, whether or not the lock can be taken off: it runs out by itself.
    await endCheckout(supabase, begun.checkout, found).catch((error: unknown) =>
      logFailure('end_checkout', error),
    )
  }
}

/** @param found filled in as it goes, so that a failure keeps what came before it */
async function attempt(
  request: SubscribeRequest,
  begun: OpenedCheckout,
  found: CheckoutChanges,
  connected: Services,
): Promise<Result<SubscribeAnswer>> {
  const { stripe, supabase } = connected
  const { checkout } = begun
  const { email, planId, paymentMethodId } = request

  const earlier = await findEarlier(begun, request, connected)
  if (earlier.kind === 'paid_by_another') return refusal(accountExists)
  if (earlier.kind === 'under_way') return refusal(checkoutInProgress)

  const [customer, { token, userId }] = await Promise.all([
    ensureCustomer(begun, email, stripe).then((id) => (found.stripe_customer_id = id)),
    makeSignupToken(supabase, email, checkout.user_id),
  ])
  found.user_id = userId

  if (earlier.kind === 'paid') {
    await writeSubscription(earlier.subscription, begun.ticket, connected)
    return { ok: true, value: { status: 'active', clientSecret: null, token } }
  }

  if (earlier.kind === 'over') await writeSubscription(earlier.subscription, begun.ticket, connected)

  if (!(await attach(paymentMethodId, customer, checkout, stripe))) return refusal(unusablePaymentMethod)
  found.stripe_payment_method_id = paymentMethodId

  const subscription = await subscriptionFor(earlier, { customer, userId, planId, begun }, connected)
  if (!subscription) return refusal(checkoutInProgress)
  const clientSecret = clientSecretOf(subscription)
  if (!clientSecret) throw new NoPaymentError(subscription.id)
  found.stripe_subscription_id = subscription.id
  found.plan = planId

  // The last moment before money moves. Another attempt may have taken over from one that took too long.
  if (!(await recordCheckout(supabase, checkout, { ...found, state: 'open' })))
    return refusal(checkoutInProgress)

  const payment = await confirm(paymentIntentOf(clientSecret), paymentMethodId, checkout, stripe)
  switch (payment.status) {
    case 'succeeded':
      if (!paidWith(payment, paymentMethodId)) return refusal(accountExists)
      found.state = 'paid'
      return { ok: true, value: { status: 'active', clientSecret: null, token } }
    case 'processing':
      if (!paidWith(payment, paymentMethodId)) return refusal(checkoutInProgress)
      found.state = 'requires_action'
      return { ok: true, value: { status: 'requires_action', clientSecret, token } }
    case 'requires_action':
      found.state = 'requires_action'
      return { ok: true, value: { status: 'requires_action', clientSecret, token } }
    case 'requires_payment_method':
      found.state = 'declined'
      return refusal(cardDeclined(payment.last_payment_error?.message))
    default:
      return refusal(providerUnavailable)
  }
}

/**
 * The subscription that this attempt pays: the earlier one of the same plan, or a new one. Undefined where the earlier
 * one of another plan is being paid this very moment.
 */
async function subscriptionFor(
  earlier: Earlier,
  order: Omit<Parameters<typeof createSubscription>[0], 'checkout'> & { begun: OpenedCheckout },
  connected: Services,
): Promise<Stripe.Subscription | undefined> {
  if (earlier.kind === 'unpaid') return earlier.subscription
  if (earlier.kind === 'other_plan' && !(await giveUp(earlier.subscription, connected.stripe)))
    return undefined
  return createSubscription({ ...order, checkout: order.begun.checkout }, connected)
}

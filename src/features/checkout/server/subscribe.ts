import type Stripe from 'stripe'
import type { Failure } from '#platform/domain/failures.ts'
import type { SubscribeAnswer, SubscribeRequest } from '#checkout/domain/contracts.ts'
import type { Result } from '#platform/domain/result.ts'
import {
  beginCheckout,
  endCheckout,
  openBeside,
  recordCheckout,
  removeConfirmedUser,
  type Checkout,
  type CheckoutChanges,
  type OpenedCheckout,
} from './checkouts.ts'
import { bearerToken, signedInUser } from '#account/server/signed-in-user.ts'
import { CodedError } from '#platform/server/coded-error.ts'
import { findEarlier, findPaidRival, paidWith, type Earlier } from './existing-subscription.ts'
import type { Invocation } from '#platform/server/http.ts'
import { logFailure } from '#platform/server/log.ts'
import { attachCard, confirm, createSubscription, detachCards, ensureCustomer, isCovered } from './payment.ts'
import {
  accountExists,
  paymentDeclined,
  checkoutInProgress,
  isDefinite,
  providerFailure,
  providerUnavailable,
  unusablePaymentMethod,
} from '#platform/server/outgoing/provider-failure.ts'
import type { Services } from '#platform/server/services.ts'
import { planById } from '#plans/domain/plans.ts'
import { makeSignupToken } from '#account/server/signup-token.ts'
import { giveUp } from '#billing/server/rivals.ts'
import {
  clientSecretOf,
  isLive,
  paymentIntentOf,
  readSubscription,
  type Reading,
} from '#billing/server/stripe-subscription.ts'
import { writeSubscription } from '#billing/server/sync.ts'

/** A new subscription waits for a payment and has none to confirm. */
class NoPaymentError extends CodedError {
  override readonly name = 'NoPaymentError'

  constructor(subscription: string) {
    super('nothing_to_pay', { subscription })
  }
}

const refusal = (failure: Failure): { ok: false; failure: Failure } => ({ ok: false, failure })

/**
 * Subscribes an e-mail to a plan and charges the card, once, however often it is called. With the token of an account
 * whose subscription is over, that account buys again: with its own e-mail, and on its Stripe customer.
 *
 * Creating never charges; only the last request to Stripe does. Sequential requests to Stripe: 3 in a first attempt
 * (customer in parallel with the account's link, subscription, confirm); 2 in an attempt after a decline (read the
 * subscription, confirm); 1 in the retry of an attempt whose response was lost (read the subscription), or 2
 * if it comes with a new payment method of the same card.
 *
 * The webhook writes the subscription into the database, not this function: the response does not wait for it.
 *
 * While somebody's 3-D Secure is open, another card pays beside it, with its own customer and subscription. Its account is
 * made when it is paid, and the other attempt ends (SQL: `place_payment`). After 3-D Secure the browser therefore sends
 * such an attempt once more, for its token. These attempts take up to 6 sequential requests to Stripe before the payment.
 *
 * If credit on the balance of an account's customer pays the plan, nothing is charged: the card is attached first.
 *
 * @throws DatabaseError before anything is charged, or after it; in the second case the next attempt finds the payment
 */
export async function subscribe(
  request: SubscribeRequest,
  connected: Services,
  invocation: Pick<Invocation, 'request'>,
): Promise<Result<SubscribeAnswer>> {
  const { supabase } = connected
  const buyer = await buyerOf(invocation.request, connected)
  if (!buyer.ok) return buyer
  const begun = await beginCheckout(supabase, request, buyer.value)
  if (begun.outcome === 'account_exists') return refusal(accountExists)
  if (begun.outcome === 'in_progress') return refusal(checkoutInProgress)

  const { changes, checkout, ...ended } = await attempt(request, begun, connected)
  // What has happened at Stripe stands, even if the lease cannot be released: it expires by itself.
  await endCheckout(supabase, checkout, changes).catch((error: unknown) => logFailure('end_checkout', error))
  if ('error' in ended) throw ended.error
  return ended.result
}

/** Returns the user of the request's token, or null if it has none. */
async function buyerOf(request: Request, connected: Services): Promise<Result<string | null>> {
  if (bearerToken(request) === undefined) return { ok: true, value: null }
  const user = await signedInUser(request, connected)
  return user.ok ? { ok: true, value: user.value.id } : user
}

/** How an attempt ended, and the changes that it made to the checkout; an attempt that failed has made some as well. */
type Attempt = { changes: CheckoutChanges; checkout: Checkout } & (
  { result: Result<SubscribeAnswer> } | { error: unknown }
)

async function attempt(
  request: SubscribeRequest,
  first: OpenedCheckout,
  connected: Services,
): Promise<Attempt> {
  const { stripe, supabase } = connected
  let begun = first
  let { checkout } = begun
  const { email } = checkout
  const { planId, paymentMethodId } = request
  const changes: CheckoutChanges = {}
  const end = (result: Result<SubscribeAnswer>, state?: CheckoutChanges['state']): Attempt => ({
    result,
    checkout,
    changes: state ? { ...changes, state } : changes,
  })

  try {
    const rival = await findPaidRival(begun.rivals, paymentMethodId, stripe)
    if (rival) {
      const answer = await payBeside(rival.reading, email, begun.ticket, connected)
      return end(rival.isSamePayer ? answer : refusal(accountExists))
    }
    let earlier = await findEarlier(begun, request, connected)
    if (earlier.kind === 'unusable') return end(refusal(unusablePaymentMethod))
    if (earlier.kind === 'open_elsewhere') {
      const beside = await openBeside(supabase, begun, earlier.card)
      if (!beside) return end(refusal(checkoutInProgress))
      begun = beside
      checkout = begun.checkout
      earlier = await findEarlier(begun, request, connected)
    }
    if (earlier.kind === 'paid_by_another') return end(refusal(accountExists))
    if (earlier.kind === 'under_way') return end(refusal(checkoutInProgress))

    // Before anybody is replaced: whoever has paid this has an account, though no event may have told of it yet.
    if (earlier.kind === 'over') await writeSubscription(earlier.reading, begun.ticket, connected)

    const replaces = begun.replaces_user && earlier.kind !== 'paid'
    if (replaces) {
      // First the unpaid subscription ends, so that no payment finds its user gone.
      if (
        (earlier.kind === 'unpaid' || earlier.kind === 'other_plan') &&
        !(await giveUp(earlier.subscription, stripe))
      )
        return end(refusal(checkoutInProgress))
      await removeConfirmedUser(supabase, checkout)
      if (earlier.kind !== 'over') earlier = { kind: 'none' }
    }
    const [customer, { token, userId }] = await Promise.all([
      ensureCustomer(begun, email, stripe).then((id) => (changes.stripe_customer_id = id)),
      begun.account || checkout.beside
        ? { token: null, userId: begun.account }
        : makeSignupToken(supabase, email, replaces ? null : checkout.user_id),
    ])
    if (userId) changes.user_id = userId
    const active: SubscribeAnswer = { status: 'active', clientSecret: null, token }

    if (earlier.kind === 'paid') {
      if (checkout.beside) return end(await payBeside(earlier.reading, email, begun.ticket, connected))
      await writeSubscription(earlier.reading, begun.ticket, connected)
      return end({ ok: true, value: active })
    }

    const order = { customer, userId, planId, paymentMethodId, begun }
    const found = await subscriptionFor(earlier, order, connected)
    if (!found.ok) return end(found)
    const subscription = found.value
    changes.stripe_subscription_id = subscription.id
    changes.plan = planId
    const clientSecret = clientSecretOf(subscription)
    if (!clientSecret) {
      if (!isLive(subscription.status)) throw new NoPaymentError(subscription.id)
      // Credit on the customer's balance has paid. An attempt that died here has left the card off.
      await attachCard(customer, paymentMethodId, stripe)
      await writeSubscription(await readSubscription(subscription.id, stripe), begun.ticket, connected)
      return end({ ok: true, value: active }, 'paid')
    }

    // The last moment before money moves. If this attempt took too long, another one may have taken over.
    if (!(await recordCheckout(supabase, checkout, { ...changes, state: 'open' })))
      return end(refusal(checkoutInProgress))

    const payment = await confirm(paymentIntentOf(clientSecret), paymentMethodId, checkout, stripe)
    if (!payment) return end(refusal(unusablePaymentMethod))
    const authenticate: SubscribeAnswer = { status: 'requires_action', clientSecret, token }
    switch (payment.status) {
      case 'succeeded':
        if (!paidWith(payment, paymentMethodId)) return end(refusal(accountExists))
        if (checkout.beside) {
          const reading = await readSubscription(subscription.id, stripe)
          return end(await payBeside(reading, email, begun.ticket, connected))
        }
        return end({ ok: true, value: active }, 'paid')
      case 'processing':
        if (!paidWith(payment, paymentMethodId)) return end(refusal(checkoutInProgress))
        return end({ ok: true, value: authenticate }, 'requires_action')
      case 'requires_action':
        return end({ ok: true, value: authenticate }, 'requires_action')
      case 'requires_payment_method':
        return end(refusal(paymentDeclined(payment.last_payment_error)), 'declined')
      default:
        return end(refusal(providerUnavailable))
    }
  } catch (error) {
    const failure = providerFailure(error)
    if (!failure) return { error, changes, checkout }
    if (failure.code === 'card_declined') return end(refusal(failure), 'declined')
    logFailure('subscribe', error)
    return end(refusal(failure), isDefinite(error) ? 'refused' : undefined)
  }
}

/**
 * Answers an attempt beside another that has been paid: with the token of its account, or that another payment was first
 * and this one is given back.
 */
async function payBeside(
  reading: Reading,
  email: string,
  ticket: number,
  connected: Services,
): Promise<Result<SubscribeAnswer>> {
  const { outcome, user } = await writeSubscription(reading, ticket, connected)
  if (outcome === 'rival') return refusal(accountExists)
  const { token } = await makeSignupToken(connected.supabase, email, user)
  return { ok: true, value: { status: 'active', clientSecret: null, token } }
}

/**
 * Returns the subscription that this attempt pays: the earlier one if it is of the same plan, else a new one. It is refused
 * if the earlier one is of another plan and is being paid at this very moment; or if nothing is to be charged, and nobody is
 * signed in or the card cannot be kept for the renewals.
 * @throws StripeCardError if such a card is declined
 */
async function subscriptionFor(
  earlier: Earlier,
  order: Omit<Parameters<typeof createSubscription>[0], 'checkout'> & {
    paymentMethodId: string
    begun: OpenedCheckout
  },
  connected: Services,
): Promise<Result<Stripe.Subscription>> {
  const { stripe } = connected
  const { customer, planId, paymentMethodId, begun } = order
  const { checkout } = begun
  if (earlier.kind === 'unpaid') return { ok: true, value: earlier.subscription }
  if (earlier.kind === 'other_plan' && !(await giveUp(earlier.subscription, stripe)))
    return refusal(checkoutInProgress)
  if (checkout.stripe_customer_id) {
    const [covered] = await Promise.all([
      isCovered(customer, planById(planId).priceCents ?? 0, stripe),
      detachCards(customer, stripe),
    ])
    // Its owner has to sign in: whoever pays nothing has shown nothing.
    if (covered && !begun.account) return refusal(accountExists)
    if (covered && !(await attachCard(customer, paymentMethodId, stripe)))
      return refusal(unusablePaymentMethod)
  }
  return { ok: true, value: await createSubscription({ ...order, checkout }, connected) }
}

import type Stripe from 'stripe'
import type { Failure } from '#platform/domain/failures.ts'
import type { SubscribeAnswer, SubscribeRequest } from '#checkout/domain/contracts.ts'
import type { Result } from '#platform/domain/result.ts'
import {
  beginCheckout,
  endCheckout,
  openParallel,
  recordCheckout,
  type CheckoutChanges,
  type OpenedCheckout,
} from './checkouts.ts'
import { bearerToken, signedInUser } from '#account/server/signed-in-user.ts'
import { CodedError } from '#platform/server/coded-error.ts'
import { findEarlier, findPaidAttempt, paidWith, type Earlier } from './existing-subscription.ts'
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
import { voidInvoice } from '#billing/server/duplicate-payments.ts'
import {
  clientSecretOf,
  isLive,
  paymentIntentOf,
  readSubscription,
  type Reading,
} from '#billing/server/stripe-subscription.ts'
import { writeSubscription } from '#billing/server/sync.ts'

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

  const attempt: Attempt = { begun, changes: {} }
  try {
    return await pay(request, attempt, connected)
  } catch (error) {
    const failure = providerFailure(error)
    if (!failure) throw error
    if (failure.code === 'card_declined') attempt.changes.state = 'declined'
    else {
      logFailure('subscribe', error)
      if (isDefinite(error)) attempt.changes.state = 'refused'
    }
    return refusal(failure)
  } finally {
    // What has happened at Stripe stands, even if the lease cannot be released: it expires by itself.
    await endCheckout(supabase, attempt.begun.checkout, attempt.changes).catch((error: unknown) =>
      logFailure('end_checkout', error),
    )
  }
}

/** Returns the user of the request's token, or null if it has none. */
async function buyerOf(request: Request, connected: Services): Promise<Result<string | null>> {
  if (bearerToken(request) === undefined) return { ok: true, value: null }
  const user = await signedInUser(request, connected)
  return user.ok ? { ok: true, value: user.value.id } : user
}

/** The checkout that an attempt holds, and what it changes there; one that fails has changed something as well. */
interface Attempt {
  begun: OpenedCheckout
  changes: CheckoutChanges
}

async function pay(
  request: SubscribeRequest,
  attempt: Attempt,
  connected: Services,
): Promise<Result<SubscribeAnswer>> {
  const { stripe, supabase } = connected
  const { planId, paymentMethodId } = request
  // 1. What earlier attempts have left at Stripe.
  const earlier = await readEarlier(request, attempt, connected)
  const { begun, changes } = attempt
  const { account, checkout, is_confirmed: isConfirmed } = begun
  if (earlier.kind === 'refused') return refusal(earlier.failure)
  if (earlier.kind === 'paid') return tellOfPayment(earlier.reading, attempt, connected)
  // Whoever has paid has an account, though no event may have told of it yet.
  if (earlier.kind === 'over') await writeSubscription(earlier.reading, begun.sequence, connected)

  // 2. The customer, beside the account's link.
  const ensure = async () => (changes.stripe_customer_id = await ensureCustomer(begun, stripe))
  const [customer, { token, userId }] = await Promise.all([
    ensure(),
    account || checkout.is_parallel
      ? { token: null, userId: account }
      : makeSignupToken(supabase, checkout.email, isConfirmed ? null : checkout.user_id),
  ])
  if (userId) changes.user_id = userId

  // 3. The subscription, which charges nothing yet.
  const order = { customer, userId, planId, paymentMethodId, begun }
  const found = await subscriptionFor(earlier, order, connected)
  if (!found.ok) return found
  const { id, status } = found.value
  changes.stripe_subscription_id = id
  changes.plan = planId
  const clientSecret = clientSecretOf(found.value)
  if (!clientSecret) {
    if (!isLive(status)) throw new CodedError('nothing_to_pay', { subscription: id })
    // Credit on the customer's balance has paid. An attempt that died here has left the card off.
    await attachCard(customer, paymentMethodId, stripe)
    await writeSubscription(await readSubscription(id, stripe), begun.sequence, connected)
    changes.state = 'paid'
    return { ok: true, value: { status: 'active', clientSecret: null, token } }
  }

  // 4. The last moment before money moves. If this attempt took too long, another one may have taken over.
  if (!(await recordCheckout(supabase, checkout, { ...changes, state: 'open' })))
    return refusal(checkoutInProgress)
  const payment = await confirm(paymentIntentOf(clientSecret), paymentMethodId, checkout, stripe)

  // 5. The answer.
  if (!payment) return refusal(unusablePaymentMethod)
  const pending = { status: 'requires_action', clientSecret, token } as const
  const isOwn = paidWith(payment, paymentMethodId)
  if (payment.status === 'succeeded' && isOwn && checkout.is_parallel)
    return tellOfPayment(await readSubscription(id, stripe), attempt, connected)
  const { state, answer } = answerTo(payment, isOwn, pending)
  if (state) changes.state = state
  return answer
}

/**
 * Decides what is answered once a payment was confirmed, and the state of its checkout.
 * @param isOwn whether it was made with the offered card: somebody else's payment may have been there already
 * @param pending what is answered if the bank has to confirm the payment
 */
function answerTo(
  { status, last_payment_error: declined }: Stripe.PaymentIntent,
  isOwn: boolean,
  pending: SubscribeAnswer,
): { answer: Result<SubscribeAnswer>; state?: CheckoutChanges['state'] } {
  switch (status) {
    case 'succeeded':
      if (!isOwn) return { answer: refusal(accountExists) }
      return {
        answer: { ok: true, value: { ...pending, status: 'active', clientSecret: null } },
        state: 'paid',
      }
    case 'processing':
    case 'requires_action':
      if (status === 'processing' && !isOwn) return { answer: refusal(checkoutInProgress) }
      return { answer: { ok: true, value: pending }, state: 'requires_action' }
    case 'requires_payment_method':
      return { answer: refusal(paymentDeclined(declined)), state: 'declined' }
    default:
      return { answer: refusal(providerUnavailable) }
  }
}

/** Reads what earlier attempts have left. If it may be somebody else's, this attempt goes on beside it. */
async function readEarlier(
  request: SubscribeRequest,
  attempt: Attempt,
  connected: Services,
): Promise<Exclude<Earlier, { kind: 'open_elsewhere' }>> {
  const paid = await findPaidAttempt(attempt.begun.other_attempts, request.paymentMethodId, connected.stripe)
  const earlier = paid ?? (await findEarlier(attempt.begun, request, connected))
  if (earlier.kind !== 'open_elsewhere') return earlier
  const parallel = await openParallel(connected.supabase, attempt.begun, earlier.card)
  if (!parallel) return { kind: 'refused', failure: checkoutInProgress }
  attempt.begun = parallel
  return readEarlier(request, attempt, connected)
}

/**
 * Answers for a subscription that is paid: with the token of its account, or that another payment was first and this one is
 * given back.
 */
async function tellOfPayment(
  reading: Reading,
  { begun: { account, checkout, sequence, is_confirmed: isConfirmed }, changes }: Attempt,
  connected: Services,
): Promise<Result<SubscribeAnswer>> {
  const { outcome, user } = await writeSubscription(reading, sequence, connected)
  if (outcome === 'duplicate') return refusal(accountExists)
  const active = { status: 'active', clientSecret: null } as const
  if (account) return { ok: true, value: { ...active, token: null } }
  // A confirmed payer who asks once more keeps the password.
  const isKept = isConfirmed && (user ?? checkout.user_id) === checkout.user_id
  const signup = await makeSignupToken(connected.supabase, checkout.email, isKept ? null : user)
  if (!checkout.is_parallel) changes.user_id = signup.userId
  return { ok: true, value: { ...active, token: signup.token } }
}

/**
 * Returns the subscription that this attempt pays: the earlier one if it is unpaid and of the same plan, else a new one, once
 * an unpaid one of another plan has ended. It is refused if that one is being paid at this very moment; or if nothing is to be
 * charged, and nobody is signed in or the card cannot be kept for the renewals.
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
  if (earlier.kind === 'unpaid') return { ok: true, value: earlier.reading.subscription }
  if (earlier.kind === 'other_plan' && !(await voidInvoice(earlier.reading.subscription, stripe)))
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

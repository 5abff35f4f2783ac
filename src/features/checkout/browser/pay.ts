import type { SubscribeAnswer, SubscribeRequest } from '#checkout/domain/contracts.ts'
import { emailProblem, normalizeEmail } from '#platform/domain/text/email.ts'
import type { Failure } from '#platform/domain/failures.ts'
import { announced, type Outcome } from '#platform/domain/field-problem.ts'
import type { Result } from '#platform/domain/result.ts'
import { loginFor, resendFor, routes, signupWith } from '#platform/domain/routes.ts'
import { toasts, type Toast } from '#platform/domain/toasts.ts'
import type { FunctionFailure } from '#platform/browser/functions.ts'
import type { PayablePlanId } from '#plans/domain/plans.ts'
import type { CardField } from './card-field.ts'

/** The fields of the form; `submit` is its button. */
export type CheckoutField = 'email' | 'card' | 'submit'

/** The signed-in customer, and whether the subscription still runs. */
export interface Customer {
  email: string
  isSubscribed: boolean
  /** The minutes that the last plan used without payment. */
  owedMinutes: number
}

/** The requests and the memory of the checkout; a test passes its own. */
export interface CheckoutClients {
  /** Returns the signed-in customer; null for a visitor. */
  readCustomer: () => Promise<Customer | null>
  /** Returns the card field once it is loaded; undefined if it cannot be. */
  card: () => Promise<Pick<CardField, 'createPaymentMethod' | 'confirmPayment'> | undefined>
  /** Whether the card field has loaded, and nothing is typed into it. */
  isCardEmpty: () => boolean
  lookUpUser: (email: string) => Promise<'found' | 'notFound' | 'failed'>
  subscribe: (
    request: SubscribeRequest,
    options: { signedIn: boolean },
  ) => Promise<Result<SubscribeAnswer, FunctionFailure>>
  /** Waits before a request is sent again, so that the server can finish the first. */
  pause: () => Promise<void>
  /** Waits, not for long, until the portal will show the plan that was paid. */
  awaitActivation: () => Promise<void>
  /** Remembers the plan that was paid, for the page on which the account is created. */
  notePaid: (plan: PayablePlanId) => void
  /** The e-mail of a payment whose outcome is not known. */
  unanswered: { remember: (email: string) => void; forget: () => void; email: () => string | null }
}

type Ending = Outcome<CheckoutField>

/** Opens the checkout of a plan: for a visitor (null), or for a customer whose subscription is over, who buys again. */
export async function openCheckout(
  plan: PayablePlanId | null,
  { readCustomer, unanswered }: Pick<CheckoutClients, 'readCustomer' | 'unanswered'>,
): Promise<{ customer: Customer | null } | Ending> {
  if (!plan) return { goTo: routes.pricing, toast: toasts.invalidPlan, replace: true }
  const customer = await readCustomer()
  if (!customer?.isSubscribed) return { customer }
  // The billing tab shows what an upgrade to the chosen plan costs.
  if (unanswered.email() !== customer.email)
    return { ...toBilling, goTo: `${routes.portalBilling}?plan=${plan}`, replace: true }
  unanswered.forget()
  return toPortal
}

interface Order {
  planId: PayablePlanId
  /** The e-mail of the signed-in customer who buys again; null for a visitor. */
  account: string | null
}

/**
 * Pays for a plan, in the order of the specification's checkout flow (section 4). A new attempt begins with the e-mail
 * again; the server finds the subscription of the previous one.
 *
 * A customer is not looked up, and goes from the payment straight to the portal. Nor is a payer who may have paid without
 * knowing it, and therefore has an account: the server tells a payer from somebody else.
 */
export async function pay(order: Order, typed: string, clients: CheckoutClients): Promise<Ending> {
  const { planId, account } = order
  const email = account ?? normalizeEmail(typed)
  const malformed = emailProblem(email)
  if (malformed !== undefined) {
    const also = clients.isCardEmpty()
      ? [{ field: 'card', message: 'Enter your card details.' } as const]
      : []
    return { problem: { field: 'email', message: malformed, also } }
  }

  const card = await clients.card()
  // The field itself says that it did not load.
  if (!card) return {}

  if (account === null && clients.unanswered.email() !== email) {
    const user = await clients.lookUpUser(email)
    if (user === 'found') return accountExists(account, email)
    if (user === 'failed') return at('submit', toasts.couldNotVerifyUser)
  }

  const method = await card.createPaymentMethod(email)
  if (!method.ok) return at('card', toasts.cardError(method.failure))

  for (;;) {
    const subscribed = await requestPayment(order, { email, planId, paymentMethodId: method.value }, clients)
    if (!('status' in subscribed)) return subscribed
    const { status, clientSecret, token } = subscribed
    if (status === 'requires_action') {
      if (clientSecret === null) return at('submit', toasts.subscriptionFailed(undefined))
      const confirmed = await card.confirmPayment(clientSecret)
      if (!confirmed.ok) return at('card', toasts.paymentFailed(confirmed.failure))
    }
    clients.unanswered.forget()
    if (token !== null) {
      clients.notePaid(planId)
      return { goTo: signupWith(token), replace: true }
    }
    // Beside the open 3-D Secure of another card, only the confirmation tells the server who has paid: now it has the token.
    if (status === 'requires_action' && account === null) continue
    await clients.awaitActivation()
    return toPortal
  }
}

/** The refusals after which no request of this attempt can have paid, or another has. */
const settled: ReadonlySet<Failure['code']> = new Set([
  'account_exists',
  'card_declined',
  'invalid_plan',
  'invalid_request',
])

/** Requests the payment, and once more if there is no answer: the server charges once, and answers both alike. */
async function requestPayment(
  { account }: Order,
  request: SubscribeRequest,
  { subscribe, pause, unanswered }: CheckoutClients,
): Promise<SubscribeAnswer | Ending> {
  const { email } = request
  const send = () => subscribe(request, { signedIn: account !== null })
  const wasUnanswered = unanswered.email() === email
  unanswered.remember(email)
  let made = await send()
  const isRepeated = !made.ok && !made.failure.answered
  if (isRepeated) {
    await pause()
    made = await send()
  }
  if (made.ok) return made.value

  const { code, message, answered } = made.failure
  if (code === 'account_exists' && (isRepeated || wasUnanswered)) return mayHavePaid(account, email)
  // The server may still be at the first request, in this attempt or in the one before.
  const isOpen = isRepeated ? !settled.has(code) : wasUnanswered && code === 'checkout_in_progress'
  if (!answered || isOpen) return at('submit', toasts.paymentUnknown({ email, account }))
  if (settled.has(code)) unanswered.forget()
  if (code === 'account_exists') return accountExists(account, email)
  return code === 'card_declined'
    ? at('card', toasts.cardError(message))
    : at('submit', toasts.subscriptionFailed(message))
}

const at = (field: CheckoutField, toast: Toast): Ending => ({ problem: announced(field, toast) })

const toBilling: Ending = { goTo: routes.portalBilling, toast: toasts.accountExists }

/** Replaces the checkout in the browser's history: there is nothing to go back to once it is paid. */
const toPortal: Ending = { goTo: routes.portal, toast: toasts.paymentSuccessful, replace: true }

/** Leads to the log-in; a customer who is signed in, to the billing tab, where the subscription is managed. */
const accountExists = (account: string | null, email: string): Ending =>
  account === null ? { goTo: loginFor(email), toast: toasts.accountExists } : toBilling

/**
 * What exists by now was most likely paid by an earlier request of this tab. Leads a customer to the plan that runs, and a
 * visitor, who may have no password yet, to the link to the account.
 */
const mayHavePaid = (account: string | null, email: string): Ending =>
  account === null ? { goTo: resendFor(email), toast: toasts.mayHavePaid } : toPortal

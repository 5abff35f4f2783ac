import type { Failure } from '#platform/domain/failures.ts'
import type { SubscribeAnswer } from './contracts.ts'
import { emailProblem, normalizeEmail } from '#platform/domain/email.ts'
import { announced, isCorrected, report, type FieldProblem } from '#platform/domain/field-problem.ts'
import { isPayablePlanId, type PayablePlanId } from '#plans/domain/plans.ts'
import { loginFor, resendFor, routes, signupWith } from '#platform/domain/routes.ts'
import { toasts } from '#platform/domain/toasts.ts'
import type { CommonCommand, Transition } from '#platform/domain/transition.ts'

/**
 * Checkout (specification, section 4): plan, e-mail, account look-up, payment method, subscription, confirmation if the
 * card requires it, signup. A failure leads back to the form as it was. A new attempt starts with the e-mail again; the
 * server finds the subscription of the previous attempt.
 *
 * A signed-in customer whose subscription is over buys again: with the account's e-mail, without look-up, and from the
 * payment straight to the portal. One whose subscription still runs is led to the billing tab.
 *
 * If the payment's request has no answer, the card may have been charged: the next attempt is not looked up.
 */
export type CheckoutState =
  | { step: 'opening' }
  /** The session is being read. */
  | { step: 'identifying'; planId: PayablePlanId; card: CardFieldState }
  | (Order & { step: 'editing'; card: CardFieldState; problem?: FieldProblem<CheckoutField> })
  /** Submitted before the provider's card field was loaded. */
  | (Order & { step: 'awaitingCardField'; email: string })
  | (Order & { step: 'lookingUp' | 'makingPaymentMethod'; email: string })
  | (Order & { step: 'subscribing'; email: string; paymentMethodId: string })
  /** Without a token, the same request is sent again after the confirmation. */
  | (Order & { step: 'confirming'; email: string; paymentMethodId: string; token: string | null })
  /** Paid by a signed-in customer; the provider's event is on its way. */
  | { step: 'activating'; planId: PayablePlanId }
  /** Another page is being opened. */
  | { step: 'leaving'; planId: PayablePlanId | undefined }

/** The fields of the form; `submit` is its button. */
export type CheckoutField = 'email' | 'card' | 'submit'
interface Order {
  planId: PayablePlanId
  /** The e-mail of the signed-in customer who buys again; null for a visitor. */
  account: string | null
}

/** A signed-in customer, and whether the subscription still runs. */
export interface Customer {
  email: string
  isSubscribed: boolean
}

export type CardFieldState = 'loading' | 'ready' | 'unavailable'

export type CheckoutEvent =
  | { type: 'opened'; plan: string | null }
  | { type: 'customerRead'; customer: Customer | null }
  | { type: 'cardFieldLoaded' }
  | { type: 'cardFieldFailed' }
  | { type: 'cardFieldRetried' }
  | { type: 'submitted'; email: string }
  | { type: 'edited'; field: string }
  | { type: 'accountFound' }
  | { type: 'accountNotFound' }
  | { type: 'lookUpFailed' }
  | { type: 'paymentMethodMade'; paymentMethodId: string }
  | { type: 'paymentMethodRefused'; message: string }
  | { type: 'subscriptionMade'; answer: SubscribeAnswer }
  | { type: 'subscriptionRefused'; failure: Failure }
  /** The request was sent twice, and its outcome is not known. */
  | { type: 'subscriptionUnanswered' }
  /** What exists by now was most likely paid by an earlier request of this tab. */
  | { type: 'earlierPaymentFound' }
  | { type: 'paymentConfirmed' }
  | { type: 'paymentRefused'; message: string }
  | { type: 'activationAwaited' }
  /** The browser restored this page from its back-forward cache. */
  | { type: 'pageRestored' }

export type CheckoutCommand =
  | CommonCommand<CheckoutField>
  | { type: 'loadCardField' }
  | { type: 'readCustomer' }
  | { type: 'lookUp'; email: string }
  | { type: 'makePaymentMethod'; email: string }
  | { type: 'subscribe'; email: string; planId: PayablePlanId; paymentMethodId: string; signedIn: boolean }
  | { type: 'confirmPayment'; clientSecret: string }
  /** Waits, not for long, until the portal will show the plan that was paid. */
  | { type: 'awaitActivation' }

type CheckoutTransition = Transition<CheckoutState, CheckoutCommand>

type Event<Type extends CheckoutEvent['type']> = Extract<CheckoutEvent, { type: Type }>
type State<Name extends CheckoutState['step']> = Extract<CheckoutState, { step: Name }>

/** An event that a state does not expect, such as a second click, changes nothing. */
export function transition(state: CheckoutState, event: CheckoutEvent): CheckoutTransition {
  switch (event.type) {
    case 'opened':
      return state.step === 'opening' ? opened(event.plan) : stay(state)
    case 'customerRead':
      return state.step === 'identifying' ? identified(state, event.customer) : stay(state)
    case 'cardFieldLoaded':
      if (state.step === 'awaitingCardField') return begin(state, state.email)
      return state.step === 'editing' || state.step === 'identifying'
        ? to({ ...state, card: 'ready' })
        : stay(state)
    case 'cardFieldFailed':
      if (state.step === 'identifying') return to({ ...state, card: 'unavailable' })
      return state.step === 'editing' || state.step === 'awaitingCardField'
        ? to({ step: 'editing', ...orderOf(state), card: 'unavailable' })
        : stay(state)
    case 'cardFieldRetried':
      return (state.step === 'editing' || state.step === 'identifying') && state.card === 'unavailable'
        ? to({ ...state, card: 'loading' }, { type: 'loadCardField' })
        : stay(state)
    case 'submitted':
      return state.step === 'editing' ? submitted(state, event.email) : stay(state)
    case 'edited':
      return state.step === 'editing' && state.problem && isCorrected(state.problem, event.field)
        ? to({ step: 'editing', ...orderOf(state), card: state.card })
        : stay(state)
    case 'accountFound':
      return state.step === 'lookingUp' ? accountExists(state, state.email) : stay(state)
    case 'accountNotFound':
      return state.step === 'lookingUp' ? makePaymentMethod(state, state.email) : stay(state)
    case 'lookUpFailed':
      return state.step === 'lookingUp'
        ? backToForm(state, announced('submit', toasts.couldNotVerifyUser))
        : stay(state)
    case 'paymentMethodMade':
      return state.step === 'makingPaymentMethod' ? subscribe(state, event.paymentMethodId) : stay(state)
    case 'paymentMethodRefused':
      return state.step === 'makingPaymentMethod'
        ? backToForm(state, announced('card', toasts.cardError(event.message)))
        : stay(state)
    case 'subscriptionMade':
      return state.step === 'subscribing' ? subscriptionMade(state, event) : stay(state)
    case 'subscriptionRefused':
      return state.step === 'subscribing' ? subscriptionRefused(state, event.failure) : stay(state)
    case 'subscriptionUnanswered':
      return state.step === 'subscribing'
        ? backToForm(state, announced('submit', toasts.paymentUnknown(state)))
        : stay(state)
    case 'earlierPaymentFound':
      return earlierPaymentFound(state)
    case 'paymentConfirmed':
      return state.step === 'confirming' ? confirmed(state) : stay(state)
    case 'paymentRefused':
      return state.step === 'confirming'
        ? backToForm(state, announced('card', toasts.paymentFailed(event.message)))
        : stay(state)
    case 'activationAwaited':
      return state.step === 'activating' ? toPortal(state.planId) : stay(state)
    case 'pageRestored':
      return state.step === 'leaving' ? restored(state.planId) : stay(state)
  }
}

const stay = (state: CheckoutState): CheckoutTransition => ({ state, commands: [] })
const to = (state: CheckoutState, ...commands: CheckoutCommand[]): CheckoutTransition => ({ state, commands })
const orderOf = ({ planId, account }: Order): Order => ({ planId, account })

const toForm = (
  order: Order,
  card: CardFieldState,
  problem: FieldProblem<CheckoutField>,
): CheckoutTransition => to({ step: 'editing', ...orderOf(order), card, problem }, ...report(problem))

const backToForm = (order: Order, problem: FieldProblem<CheckoutField>) => toForm(order, 'ready', problem)

function opened(plan: string | null): CheckoutTransition {
  if (isPayablePlanId(plan)) {
    return to(
      { step: 'identifying', planId: plan, card: 'loading' },
      { type: 'loadCardField' },
      { type: 'readCustomer' },
    )
  }
  return to(
    { step: 'leaving', planId: undefined },
    { type: 'raiseToastForNextPage', toast: toasts.invalidPlan },
    { type: 'goTo', url: routes.pricing, replace: true },
  )
}

function identified({ planId, card }: State<'identifying'>, customer: Customer | null): CheckoutTransition {
  if (customer?.isSubscribed) return toBilling(planId, true)
  return to({ step: 'editing', planId, account: customer && customer.email, card })
}

function submitted({ card, ...state }: State<'editing'>, typed: string): CheckoutTransition {
  const order = orderOf(state)
  const email = order.account ?? normalizeEmail(typed)
  const problem = emailProblem(email)
  if (problem !== undefined) return toForm(order, card, { field: 'email', message: problem })
  if (card === 'ready') return begin(order, email)
  const waiting: CheckoutState = { step: 'awaitingCardField', ...order, email }
  return card === 'loading' ? to(waiting) : to(waiting, { type: 'loadCardField' })
}

/** Looks the e-mail of a visitor up; a signed-in customer is known. */
const begin = (order: Order, email: string): CheckoutTransition =>
  order.account === null
    ? to({ step: 'lookingUp', ...orderOf(order), email }, { type: 'lookUp', email })
    : makePaymentMethod(order, email)

const makePaymentMethod = (order: Order, email: string): CheckoutTransition =>
  to({ step: 'makingPaymentMethod', ...orderOf(order), email }, { type: 'makePaymentMethod', email })

/** Leads to the log-in; a customer who is signed in, to the billing tab, where the subscription is managed. */
const accountExists = ({ planId, account }: Order, email: string): CheckoutTransition =>
  account === null
    ? to(
        { step: 'leaving', planId },
        { type: 'raiseToastForNextPage', toast: toasts.accountExists },
        { type: 'goTo', url: loginFor(email), replace: false },
      )
    : toBilling(planId, false)

const toBilling = (planId: PayablePlanId, replace: boolean): CheckoutTransition =>
  to(
    { step: 'leaving', planId },
    { type: 'raiseToastForNextPage', toast: toasts.accountExists },
    { type: 'goTo', url: routes.portalBilling, replace },
  )

const subscribe = (
  { planId, account, email }: Order & { email: string },
  paymentMethodId: string,
): CheckoutTransition =>
  to(
    { step: 'subscribing', planId, account, email, paymentMethodId },
    { type: 'subscribe', email, planId, paymentMethodId, signedIn: account !== null },
  )

const confirmed = (state: State<'confirming'>): CheckoutTransition =>
  state.account === null && state.token === null
    ? subscribe(state, state.paymentMethodId)
    : paid(state.planId, state.token)

function subscriptionMade(
  order: State<'subscribing'>,
  { answer }: Event<'subscriptionMade'>,
): CheckoutTransition {
  if (answer.status === 'active') return paid(order.planId, answer.token)
  if (answer.clientSecret === null)
    return backToForm(order, announced('submit', toasts.subscriptionFailed(undefined)))
  return to(
    {
      step: 'confirming',
      ...orderOf(order),
      email: order.email,
      paymentMethodId: order.paymentMethodId,
      token: answer.token,
    },
    { type: 'confirmPayment', clientSecret: answer.clientSecret },
  )
}

function subscriptionRefused(
  order: Order & { email: string },
  { code, message }: Failure,
): CheckoutTransition {
  if (code === 'account_exists') return accountExists(order, order.email)
  return backToForm(
    order,
    code === 'card_declined'
      ? announced('card', toasts.cardError(message))
      : announced('submit', toasts.subscriptionFailed(message)),
  )
}

/** Leads a customer to the plan that runs, and a visitor, who may have no password yet, to the link to the account. */
function earlierPaymentFound(state: CheckoutState): CheckoutTransition {
  if (state.step === 'identifying') return toPortal(state.planId)
  if (state.step !== 'subscribing') return stay(state)
  if (state.account !== null) return toPortal(state.planId)
  return to(
    { step: 'leaving', planId: state.planId },
    { type: 'raiseToastForNextPage', toast: toasts.mayHavePaid },
    { type: 'goTo', url: resendFor(state.email), replace: false },
  )
}

/** Replaces the checkout in the browser's history: there is nothing to go back to once it is paid. */
const paid = (planId: PayablePlanId, token: string | null): CheckoutTransition =>
  token === null
    ? to({ step: 'activating', planId }, { type: 'awaitActivation' })
    : to({ step: 'leaving', planId }, { type: 'goTo', url: signupWith(token), replace: true })

const toPortal = (planId: PayablePlanId): CheckoutTransition =>
  to(
    { step: 'leaving', planId },
    { type: 'raiseToastForNextPage', toast: toasts.paymentSuccessful },
    { type: 'goTo', url: routes.portal, replace: true },
  )

/** The card field is still there; who is signed in may be another by now. */
const restored = (planId: PayablePlanId | undefined): CheckoutTransition =>
  planId === undefined
    ? opened(null)
    : to({ step: 'identifying', planId, card: 'ready' }, { type: 'readCustomer' })

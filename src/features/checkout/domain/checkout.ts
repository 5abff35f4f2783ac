import type { Failure } from '#platform/domain/failures.ts'
import type { SubscribeAnswer } from './contracts.ts'
import { emailProblem, normalizeEmail } from '#platform/domain/email.ts'
import { announced, isCorrected, report, type FieldProblem } from '#platform/domain/field-problem.ts'
import { isPayablePlanId, type PayablePlanId } from '#plans/domain/plans.ts'
import { loginFor, routes, signupWith } from '#platform/domain/routes.ts'
import { toasts } from '#platform/domain/toasts.ts'
import type { CommonCommand, Transition } from '#platform/domain/transition.ts'

/**
 * Checkout (specification, section 4): plan, e-mail, account look-up, payment method, subscription, confirmation if the
 * card requires it, signup. A failure leads back to the form as it was. A new attempt starts with the e-mail again; the
 * server finds the subscription of the previous attempt.
 */
export type CheckoutState =
  | { step: 'opening' }
  | { step: 'editing'; planId: PayablePlanId; card: CardFieldState; problem?: FieldProblem<CheckoutField> }
  /** Submitted before the provider's card field was loaded. */
  | { step: 'awaitingCardField'; planId: PayablePlanId; email: string }
  | { step: 'lookingUp' | 'makingPaymentMethod' | 'subscribing'; planId: PayablePlanId; email: string }
  /** The session is being read: it decides where the owner of an existing account is led. */
  | { step: 'accountExists'; planId: PayablePlanId; email: string }
  | { step: 'confirming'; planId: PayablePlanId; token: string }
  /** Another page is being opened. */
  | { step: 'leaving'; planId: PayablePlanId | undefined }

/** The fields of the form; `submit` is its button. */
export type CheckoutField = 'email' | 'card' | 'submit'

export type CardFieldState = 'loading' | 'ready' | 'unavailable'

export type CheckoutEvent =
  | { type: 'opened'; plan: string | null }
  | { type: 'cardFieldLoaded' }
  | { type: 'cardFieldFailed' }
  | { type: 'cardFieldRetried' }
  | { type: 'submitted'; email: string }
  | { type: 'edited'; field: string }
  | { type: 'accountFound' }
  | { type: 'accountNotFound' }
  | { type: 'lookUpFailed' }
  /** After an existing account was found: whether somebody is signed in in this browser. */
  | { type: 'sessionRead'; signedIn: boolean }
  | { type: 'paymentMethodMade'; paymentMethodId: string }
  | { type: 'paymentMethodRefused'; message: string }
  | { type: 'subscriptionMade'; answer: SubscribeAnswer }
  | { type: 'subscriptionRefused'; failure: Failure }
  | { type: 'paymentConfirmed' }
  | { type: 'paymentRefused'; message: string }
  /** The browser restored this page from its back-forward cache. */
  | { type: 'pageRestored' }

export type CheckoutCommand =
  | CommonCommand<CheckoutField>
  | { type: 'loadCardField' }
  | { type: 'lookUp'; email: string }
  | { type: 'readSession' }
  | { type: 'makePaymentMethod'; email: string }
  | { type: 'subscribe'; email: string; planId: PayablePlanId; paymentMethodId: string }
  | { type: 'confirmPayment'; clientSecret: string }

type CheckoutTransition = Transition<CheckoutState, CheckoutCommand>

type Event<Type extends CheckoutEvent['type']> = Extract<CheckoutEvent, { type: Type }>
type State<Name extends CheckoutState['step']> = Extract<CheckoutState, { step: Name }>

/** An event that a state does not expect, such as a second click, changes nothing. */
export function transition(state: CheckoutState, event: CheckoutEvent): CheckoutTransition {
  switch (event.type) {
    case 'opened':
      return state.step === 'opening' ? opened(event.plan) : stay(state)
    case 'cardFieldLoaded':
      if (state.step === 'awaitingCardField') return lookUp(state.planId, state.email)
      return state.step === 'editing' ? to({ ...state, card: 'ready' }) : stay(state)
    case 'cardFieldFailed':
      return state.step === 'editing' || state.step === 'awaitingCardField'
        ? to({ step: 'editing', planId: state.planId, card: 'unavailable' })
        : stay(state)
    case 'cardFieldRetried':
      return state.step === 'editing' && state.card === 'unavailable'
        ? to({ ...state, card: 'loading' }, { type: 'loadCardField' })
        : stay(state)
    case 'submitted':
      return state.step === 'editing' ? submitted(state, event.email) : stay(state)
    case 'edited':
      return state.step === 'editing' && state.problem && isCorrected(state.problem, event.field)
        ? to({ step: 'editing', planId: state.planId, card: state.card })
        : stay(state)
    case 'accountFound':
      return state.step === 'lookingUp' ? accountExists(state.planId, state.email) : stay(state)
    case 'accountNotFound':
      return state.step === 'lookingUp'
        ? to({ ...state, step: 'makingPaymentMethod' }, { type: 'makePaymentMethod', email: state.email })
        : stay(state)
    case 'sessionRead':
      return state.step === 'accountExists' ? toAccount(state, event.signedIn) : stay(state)
    case 'lookUpFailed':
      return state.step === 'lookingUp'
        ? backToForm(state.planId, announced('submit', toasts.couldNotVerifyUser))
        : stay(state)
    case 'paymentMethodMade':
      return state.step === 'makingPaymentMethod' ? subscribe(state, event.paymentMethodId) : stay(state)
    case 'paymentMethodRefused':
      return state.step === 'makingPaymentMethod'
        ? backToForm(state.planId, announced('card', toasts.cardError(event.message)))
        : stay(state)
    case 'subscriptionMade':
      return state.step === 'subscribing' ? subscriptionMade(state, event) : stay(state)
    case 'subscriptionRefused':
      return state.step === 'subscribing' ? subscriptionRefused(state, event.failure) : stay(state)
    case 'paymentConfirmed':
      return state.step === 'confirming' ? toSignup(state.planId, state.token) : stay(state)
    case 'paymentRefused':
      return state.step === 'confirming'
        ? backToForm(state.planId, announced('card', toasts.paymentFailed(event.message)))
        : stay(state)
    case 'pageRestored':
      return state.step === 'leaving' ? restored(state.planId) : stay(state)
  }
}

const stay = (state: CheckoutState): CheckoutTransition => ({ state, commands: [] })
const to = (state: CheckoutState, ...commands: CheckoutCommand[]): CheckoutTransition => ({ state, commands })

const toForm = (
  planId: PayablePlanId,
  card: CardFieldState,
  problem: FieldProblem<CheckoutField>,
): CheckoutTransition => to({ step: 'editing', planId, card, problem }, ...report(problem))

const backToForm = (planId: PayablePlanId, problem: FieldProblem<CheckoutField>): CheckoutTransition =>
  toForm(planId, 'ready', problem)

function opened(plan: string | null): CheckoutTransition {
  if (isPayablePlanId(plan)) {
    return to({ step: 'editing', planId: plan, card: 'loading' }, { type: 'loadCardField' })
  }
  return to(
    { step: 'leaving', planId: undefined },
    { type: 'raiseToastForNextPage', toast: toasts.invalidPlan },
    { type: 'goTo', url: routes.pricing, replace: true },
  )
}

function submitted({ planId, card }: State<'editing'>, typed: string): CheckoutTransition {
  const email = normalizeEmail(typed)
  const problem = emailProblem(email)
  if (problem !== undefined) return toForm(planId, card, { field: 'email', message: problem })
  if (card === 'ready') return lookUp(planId, email)
  const waiting: CheckoutState = { step: 'awaitingCardField', planId, email }
  return card === 'loading' ? to(waiting) : to(waiting, { type: 'loadCardField' })
}

const lookUp = (planId: PayablePlanId, email: string): CheckoutTransition =>
  to({ step: 'lookingUp', planId, email }, { type: 'lookUp', email })

const accountExists = (planId: PayablePlanId, email: string): CheckoutTransition =>
  to({ step: 'accountExists', planId, email }, { type: 'readSession' })

/** Leads to the log-in; a customer who is signed in, to the billing tab, where the subscription is managed. */
const toAccount = (
  { planId, email }: { planId: PayablePlanId; email: string },
  signedIn: boolean,
): CheckoutTransition =>
  to(
    { step: 'leaving', planId },
    { type: 'raiseToastForNextPage', toast: toasts.accountExists },
    { type: 'goTo', url: signedIn ? routes.portalBilling : loginFor(email), replace: false },
  )

const subscribe = (
  { planId, email }: { planId: PayablePlanId; email: string },
  paymentMethodId: string,
): CheckoutTransition =>
  to({ step: 'subscribing', planId, email }, { type: 'subscribe', email, planId, paymentMethodId })

function subscriptionMade(
  { planId }: { planId: PayablePlanId },
  { answer }: Event<'subscriptionMade'>,
): CheckoutTransition {
  if (answer.status === 'active') return toSignup(planId, answer.token)
  if (answer.clientSecret === null)
    return backToForm(planId, announced('submit', toasts.subscriptionFailed(undefined)))
  return to(
    { step: 'confirming', planId, token: answer.token },
    { type: 'confirmPayment', clientSecret: answer.clientSecret },
  )
}

function subscriptionRefused(
  { planId, email }: { planId: PayablePlanId; email: string },
  { code, message }: Failure,
): CheckoutTransition {
  if (code === 'account_exists') return accountExists(planId, email)
  return backToForm(
    planId,
    code === 'card_declined'
      ? announced('card', toasts.cardError(message))
      : announced('submit', toasts.subscriptionFailed(message)),
  )
}

/** Replaces the checkout in the browser's history: there is nothing to go back to once it is paid. */
const toSignup = (planId: PayablePlanId, token: string): CheckoutTransition =>
  to({ step: 'leaving', planId }, { type: 'goTo', url: signupWith(token), replace: true })

const restored = (planId: PayablePlanId | undefined): CheckoutTransition =>
  planId === undefined ? opened(null) : to({ step: 'editing', planId, card: 'ready' })

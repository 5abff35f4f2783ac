import { emailProblem, normalizeEmail } from '#platform/domain/email.ts'
import { announced, isCorrected, report, type FieldProblem } from '#platform/domain/field-problem.ts'
import { homeOf, routes } from '#platform/domain/routes.ts'
import { toasts } from '#platform/domain/toasts.ts'
import type { CommonCommand, Transition } from '#platform/domain/transition.ts'

/** The fields of the form; `submit` is its button. */
type LoginField = 'email' | 'password' | 'submit'

export interface Person {
  id: string
  isAdmin: boolean
}

/** Where somebody comes from: the account has just been created, or the admin's area is not for who is signed in. */
type From = 'signup' | 'admin' | null

export type LoginState =
  | { step: 'opening' }
  | { step: 'editing'; from: From; problem?: FieldProblem<LoginField> }
  | { step: 'signingIn'; from: From }
  | { step: 'findingHome'; from: From; person: Person }
  | { step: 'leaving' }

export type LoginEvent =
  | { type: 'opened'; from: string | null }
  /** Someone is already signed in, in this tab or another one. */
  | { type: 'sessionFound'; person: Person }
  | { type: 'submitted'; email: string; password: string }
  | { type: 'edited'; field: string }
  | { type: 'signedIn'; person: Person }
  /** `unreachable`: the provider did not answer. */
  | { type: 'signInRefused'; message: string; unreachable: boolean }
  /** `completed`: undefined if the database did not answer. */
  | { type: 'onboardingRead'; completed: boolean | undefined }

export type LoginCommand =
  | CommonCommand<LoginField>
  | { type: 'findSession' }
  | { type: 'signIn'; email: string; password: string }
  | { type: 'readOnboarding'; userId: string }

type LoginTransition = Transition<LoginState, LoginCommand>

/** An event that a state does not expect changes nothing. */
export function transition(state: LoginState, event: LoginEvent): LoginTransition {
  switch (event.type) {
    case 'opened':
      return state.step === 'opening' ? opened(event.from) : stay(state)
    case 'sessionFound':
      return state.step === 'editing' && state.from !== 'admin'
        ? findHome(state.from, event.person)
        : stay(state)
    case 'submitted':
      return state.step === 'editing' ? submitted(state.from, event) : stay(state)
    case 'edited':
      return state.step === 'editing' && state.problem && isCorrected(state.problem, event.field)
        ? to({ step: 'editing', from: state.from })
        : stay(state)
    case 'signedIn':
      return state.step === 'signingIn' ? findHome(state.from, event.person) : stay(state)
    case 'signInRefused':
      return state.step === 'signingIn'
        ? wrong(
            state.from,
            announced(event.unreachable ? 'submit' : 'password', toasts.signInFailed(event.message)),
          )
        : stay(state)
    case 'onboardingRead':
      // Without an answer the portal's own guard decides.
      return state.step === 'findingHome'
        ? leave(homeOf({ isAdmin: false, onboardingCompleted: event.completed ?? true }))
        : stay(state)
  }
}

const stay = (state: LoginState): LoginTransition => ({ state, commands: [] })
const to = (state: LoginState, ...commands: LoginCommand[]): LoginTransition => ({ state, commands })
const leave = (url: string): LoginTransition => to({ step: 'leaving' }, { type: 'goTo', url, replace: true })

/** Leads on who is signed in already, unless it is for another account that somebody logs in here. */
function opened(given: string | null): LoginTransition {
  if (given === 'admin') return to({ step: 'editing', from: given })
  return to({ step: 'editing', from: given === 'signup' ? given : null }, { type: 'findSession' })
}

function submitted(from: From, typed: { email: string; password: string }): LoginTransition {
  const email = normalizeEmail(typed.email)
  const problem = emailProblem(email)
  if (problem !== undefined) return wrong(from, { field: 'email', message: problem })
  if (typed.password === '') return wrong(from, { field: 'password', message: 'Enter your password.' })
  return to({ step: 'signingIn', from }, { type: 'signIn', email, password: typed.password })
}

const wrong = (from: From, problem: FieldProblem<LoginField>): LoginTransition =>
  to({ step: 'editing', from, problem }, ...report(problem))

const findHome = (from: From, person: Person): LoginTransition =>
  person.isAdmin
    ? leave(routes.admin)
    : to({ step: 'findingHome', from, person }, { type: 'readOnboarding', userId: person.id })

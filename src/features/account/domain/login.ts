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

export type LoginState =
  | { step: 'opening' }
  /** `welcome`: the account has just been created. */
  | { step: 'editing'; welcome: boolean; problem?: FieldProblem<LoginField> }
  | { step: 'signingIn'; welcome: boolean }
  | { step: 'findingHome'; welcome: boolean; person: Person }
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
      return state.step === 'opening'
        ? to({ step: 'editing', welcome: event.from === 'signup' }, { type: 'findSession' })
        : stay(state)
    case 'sessionFound':
      return state.step === 'editing' ? findHome(state.welcome, event.person) : stay(state)
    case 'submitted':
      return state.step === 'editing' ? submitted(state.welcome, event) : stay(state)
    case 'edited':
      return state.step === 'editing' && state.problem && isCorrected(state.problem, event.field)
        ? to({ step: 'editing', welcome: state.welcome })
        : stay(state)
    case 'signedIn':
      return state.step === 'signingIn' ? findHome(state.welcome, event.person) : stay(state)
    case 'signInRefused':
      return state.step === 'signingIn'
        ? wrong(
            state.welcome,
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

function submitted(welcome: boolean, typed: { email: string; password: string }): LoginTransition {
  const email = normalizeEmail(typed.email)
  const problem = emailProblem(email)
  if (problem !== undefined) return wrong(welcome, { field: 'email', message: problem })
  if (typed.password === '') return wrong(welcome, { field: 'password', message: 'Enter your password.' })
  return to({ step: 'signingIn', welcome }, { type: 'signIn', email, password: typed.password })
}

const wrong = (welcome: boolean, problem: FieldProblem<LoginField>): LoginTransition =>
  to({ step: 'editing', welcome, problem }, ...report(problem))

const findHome = (welcome: boolean, person: Person): LoginTransition =>
  person.isAdmin
    ? leave(routes.admin)
    : to({ step: 'findingHome', welcome, person }, { type: 'readOnboarding', userId: person.id })

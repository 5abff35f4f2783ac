import {
  passwordProblem,
  refusedPassword,
  type PasswordField,
  type PasswordProblem,
  type PasswordRefusal,
} from './passwords.ts'
import { announced, isCorrected, report } from '#platform/domain/field-problem.ts'
import { toasts } from '#platform/domain/toasts.ts'
import type { CommonCommand, Transition } from '#platform/domain/transition.ts'

/** A password that a signed-in customer changes in the portal (specification, sections 5 and 8). */
export type PasswordChangeState = { step: 'editing'; problem?: PasswordProblem } | { step: 'saving' }

export type PasswordChangeEvent =
  | { type: 'submitted'; signedIn: boolean; password: string; confirmation: string }
  | { type: 'edited'; field: string }
  | { type: 'changed' }
  | ({ type: 'refused' } & PasswordRefusal)

export type PasswordChangeCommand =
  CommonCommand<PasswordField> | { type: 'setPassword'; password: string } | { type: 'emptyFields' }

type PasswordChangeTransition = Transition<PasswordChangeState, PasswordChangeCommand>

const to = (state: PasswordChangeState, ...commands: PasswordChangeCommand[]): PasswordChangeTransition => ({
  state,
  commands,
})
const wrong = (problem: PasswordProblem): PasswordChangeTransition =>
  to({ step: 'editing', problem }, ...report(problem))

/** An event that a state does not expect changes nothing. */
export function transition(state: PasswordChangeState, event: PasswordChangeEvent): PasswordChangeTransition {
  switch (event.type) {
    case 'submitted': {
      if (state.step !== 'editing') return to(state)
      if (!event.signedIn) return wrong(announced('submit', toasts.noUser))
      const problem = passwordProblem(event.password, event.confirmation)
      return problem
        ? wrong(problem)
        : to({ step: 'saving' }, { type: 'setPassword', password: event.password })
    }
    case 'edited':
      return state.step === 'editing' && state.problem && isCorrected(state.problem, event.field)
        ? to({ step: 'editing' })
        : to(state)
    case 'changed':
      return state.step === 'saving'
        ? to(
            { step: 'editing' },
            { type: 'raiseToast', toast: toasts.passwordUpdated },
            { type: 'emptyFields' },
          )
        : to(state)
    case 'refused':
      return state.step === 'saving' ? wrong(refusedPassword(event)) : to(state)
  }
}

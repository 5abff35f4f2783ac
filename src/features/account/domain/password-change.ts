import { passwordProblem, type PasswordField } from './passwords.ts'
import { toasts } from '#platform/domain/toasts.ts'
import type { CommonCommand, Transition } from '#platform/domain/transition.ts'

/** A password that a signed-in customer changes in the portal (specification, sections 5 and 8). */
export type PasswordChangeState =
  { step: 'editing'; problem?: { field: PasswordField; message: string } } | { step: 'saving' }

export type PasswordChangeEvent =
  | { type: 'submitted'; signedIn: boolean; password: string; confirmation: string }
  | { type: 'changed' }
  | { type: 'refused'; message: string }

export type PasswordChangeCommand =
  CommonCommand<PasswordField> | { type: 'setPassword'; password: string } | { type: 'emptyFields' }

type PasswordChangeTransition = Transition<PasswordChangeState, PasswordChangeCommand>

const to = (state: PasswordChangeState, ...commands: PasswordChangeCommand[]): PasswordChangeTransition => ({
  state,
  commands,
})

/** An event that a state does not expect changes nothing. */
export function transition(state: PasswordChangeState, event: PasswordChangeEvent): PasswordChangeTransition {
  switch (event.type) {
    case 'submitted': {
      if (state.step !== 'editing') return to(state)
      if (!event.signedIn) return to({ step: 'editing' }, { type: 'raiseToast', toast: toasts.noUser })
      const problem = passwordProblem(event.password, event.confirmation)
      if (!problem) return to({ step: 'saving' }, { type: 'setPassword', password: event.password })
      const { field: id, message } = problem
      return message === undefined
        ? to({ step: 'editing' }, { type: 'raiseToast', toast: problem.toast }, { type: 'focus', id })
        : to({ step: 'editing', problem: { field: id, message } }, { type: 'focus', id })
    }
    case 'changed':
      return state.step === 'saving'
        ? to(
            { step: 'editing' },
            { type: 'raiseToast', toast: toasts.passwordUpdated },
            { type: 'emptyFields' },
          )
        : to(state)
    case 'refused':
      return state.step === 'saving'
        ? to({ step: 'editing' }, { type: 'raiseToast', toast: toasts.passwordUpdateFailed(event.message) })
        : to(state)
  }
}

import { passwordProblem, type PasswordField } from './passwords.ts'
import { toasts, type Toast } from '#platform/domain/toasts.ts'

/** A signed-in customer sets a new password in the portal (specification, sections 5 and 8). */
export type PasswordChangeState =
  { step: 'editing'; problem?: { field: PasswordField; message: string } } | { step: 'saving' }

export type PasswordChangeEvent =
  | { type: 'submitted'; signedIn: boolean; password: string; confirmation: string }
  | { type: 'changed' }
  | { type: 'refused'; message: string }

export type PasswordChangeCommand =
  | { type: 'setPassword'; password: string }
  | { type: 'raiseToast'; toast: Toast }
  | { type: 'focus'; field: PasswordField }
  | { type: 'emptyFields' }

interface PasswordChangeMove {
  state: PasswordChangeState
  commands: readonly PasswordChangeCommand[]
}

const become = (state: PasswordChangeState, ...commands: PasswordChangeCommand[]): PasswordChangeMove => ({
  state,
  commands,
})

/** An event that a state does not expect changes nothing. */
export function transition(state: PasswordChangeState, event: PasswordChangeEvent): PasswordChangeMove {
  switch (event.type) {
    case 'submitted': {
      if (state.step !== 'editing') return become(state)
      if (!event.signedIn) return become({ step: 'editing' }, { type: 'raiseToast', toast: toasts.noUser })
      const problem = passwordProblem(event.password, event.confirmation)
      if (!problem) return become({ step: 'saving' }, { type: 'setPassword', password: event.password })
      const { field, message } = problem
      return message === undefined
        ? become({ step: 'editing' }, { type: 'raiseToast', toast: problem.toast }, { type: 'focus', field })
        : become({ step: 'editing', problem: { field, message } }, { type: 'focus', field })
    }
    case 'changed':
      return state.step === 'saving'
        ? become(
            { step: 'editing' },
            { type: 'raiseToast', toast: toasts.passwordUpdated },
            { type: 'emptyFields' },
          )
        : become(state)
    case 'refused':
      return state.step === 'saving'
        ? become(
            { step: 'editing' },
            { type: 'raiseToast', toast: toasts.passwordUpdateFailed(event.message) },
          )
        : become(state)
  }
}

import { passwordProblem, type PasswordField } from './passwords.ts'
import { loginFor } from '#platform/domain/routes.ts'
import { toasts, type Toast } from '#platform/domain/toasts.ts'

/** Who the link belongs to. */
interface Account {
  id: string
  email: string
}

/** A new password by a mailed link: verify the link, set the password, end every session, log in. */
export type NewPasswordState =
  | { step: 'opening' }
  | { step: 'verifying'; token: string }
  /** The page was loaded again after the link had been used: its session is looked for. */
  | { step: 'resuming' }
  | { step: 'unreachable'; token: string }
  /** Used, too old or incomplete. */
  | { step: 'expired' }
  | { step: 'editing'; account: Account; problem?: { field: PasswordField; message: string } }
  | { step: 'settingPassword' | 'signingOut'; account: Account }
  | { step: 'leaving' }

export type NewPasswordEvent =
  | { type: 'opened'; token: string | null; resumable: boolean }
  | { type: 'verified'; account: Account }
  | { type: 'verificationRefused' }
  | { type: 'verificationUnreachable' }
  | { type: 'retried' }
  | { type: 'sessionFound'; account: Account }
  | { type: 'sessionMissing' }
  | { type: 'submitted'; password: string; confirmation: string }
  | { type: 'passwordSet' }
  | { type: 'passwordRefused'; message: string }
  | { type: 'signedOut' }

export type NewPasswordCommand =
  | { type: 'verify'; token: string }
  | { type: 'hideToken' }
  | { type: 'rememberProgress'; userId: string }
  | { type: 'forgetProgress' }
  | { type: 'findSession' }
  | { type: 'focus'; field: PasswordField }
  | { type: 'setPassword'; password: string }
  | { type: 'signOutEverywhere' }
  | { type: 'raiseToast'; toast: Toast }
  | { type: 'raiseToastForNextPage'; toast: Toast }
  | { type: 'goTo'; address: string }

interface NewPasswordStep {
  state: NewPasswordState
  commands: readonly NewPasswordCommand[]
}

/** An event that a state does not expect changes nothing. */
export function transition(state: NewPasswordState, event: NewPasswordEvent): NewPasswordStep {
  switch (event.type) {
    case 'opened':
      return state.step === 'opening' ? opened(event) : stay(state)
    case 'verified':
      return state.step === 'verifying'
        ? to(
            { step: 'editing', account: event.account },
            { type: 'rememberProgress', userId: event.account.id },
          )
        : stay(state)
    case 'verificationRefused':
      return state.step === 'verifying' ? to({ step: 'expired' }, { type: 'forgetProgress' }) : stay(state)
    case 'verificationUnreachable':
      return state.step === 'verifying' ? to({ ...state, step: 'unreachable' }) : stay(state)
    case 'retried':
      return state.step === 'unreachable' ? verify(state.token) : stay(state)
    case 'sessionFound':
      return state.step === 'resuming' ? to({ step: 'editing', account: event.account }) : stay(state)
    case 'sessionMissing':
      return state.step === 'resuming' ? to({ step: 'expired' }, { type: 'forgetProgress' }) : stay(state)
    case 'submitted':
      return state.step === 'editing' ? submitted(state.account, event) : stay(state)
    case 'passwordSet':
      return state.step === 'settingPassword'
        ? to({ ...state, step: 'signingOut' }, { type: 'signOutEverywhere' })
        : stay(state)
    case 'passwordRefused':
      return state.step === 'settingPassword'
        ? to(
            { ...state, step: 'editing' },
            { type: 'raiseToast', toast: toasts.passwordUpdateFailed(event.message) },
            { type: 'focus', field: 'password' },
          )
        : stay(state)
    case 'signedOut':
      return state.step === 'signingOut'
        ? to(
            { step: 'leaving' },
            { type: 'forgetProgress' },
            { type: 'raiseToastForNextPage', toast: toasts.passwordChanged },
            { type: 'goTo', address: loginFor(state.account.email) },
          )
        : stay(state)
  }
}

const stay = (state: NewPasswordState): NewPasswordStep => ({ state, commands: [] })
const to = (state: NewPasswordState, ...commands: NewPasswordCommand[]): NewPasswordStep => ({
  state,
  commands,
})

function opened({ token, resumable }: { token: string | null; resumable: boolean }): NewPasswordStep {
  if (token) return verify(token, { type: 'hideToken' })
  return resumable ? to({ step: 'resuming' }, { type: 'findSession' }) : to({ step: 'expired' })
}

const verify = (token: string, ...before: NewPasswordCommand[]): NewPasswordStep =>
  to({ step: 'verifying', token }, ...before, { type: 'verify', token })

function submitted(
  account: Account,
  { password, confirmation }: { password: string; confirmation: string },
): NewPasswordStep {
  const problem = passwordProblem(password, confirmation)
  if (!problem) return to({ step: 'settingPassword', account }, { type: 'setPassword', password })
  const { field, message } = problem
  return message === undefined
    ? to({ step: 'editing', account }, { type: 'raiseToast', toast: problem.toast }, { type: 'focus', field })
    : to({ step: 'editing', account, problem: { field, message } }, { type: 'focus', field })
}

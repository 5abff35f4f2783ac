import { passwordProblem, type PasswordField } from './passwords.ts'
import { loginAfterSignup, routes } from '#platform/domain/routes.ts'
import { toasts, type Toast } from '#platform/domain/toasts.ts'

/** Who the link belongs to. */
export interface Account {
  id: string
  email: string
}

/** Account creation after the payment (specification, section 4): verify the link, set a password, go to log in. */
export type SignupState =
  | { step: 'opening' }
  | { step: 'verifying'; token: string }
  /** The page was loaded again after the link had been used: its session is looked for. */
  | { step: 'resuming' }
  /** The provider gave no verdict on the link; it can be asked again. */
  | { step: 'unreachable'; token: string }
  | { step: 'editing'; account: Account; problem?: { field: PasswordField; message: string } }
  | { step: 'settingPassword' | 'resettingOnboarding' | 'signingOut'; account: Account }
  | { step: 'leaving' }

export type SignupEvent =
  /** `resumable`: this tab has verified a link before and has not finished. */
  | { type: 'opened'; token: string | null; resumable: boolean }
  | { type: 'verified'; account: Account | null }
  | { type: 'verificationRefused' }
  | { type: 'verificationUnreachable' }
  | { type: 'retried' }
  | { type: 'sessionFound'; account: Account }
  | { type: 'sessionMissing' }
  | { type: 'submitted'; password: string; confirmation: string }
  | { type: 'passwordSet' }
  | { type: 'passwordRefused' }
  | { type: 'onboardingReset' }
  | { type: 'signedOut' }

export type SignupCommand =
  | { type: 'verify'; token: string }
  /** The token works once and belongs to nobody else: it leaves the address bar as soon as it is read. */
  | { type: 'hideToken' }
  | { type: 'rememberProgress'; account: Account }
  | { type: 'forgetProgress' }
  | { type: 'findSession' }
  | { type: 'focus'; field: PasswordField }
  | { type: 'setPassword'; password: string }
  | { type: 'resetOnboarding'; userId: string }
  | { type: 'signOut' }
  | { type: 'raiseToast'; toast: Toast }
  | { type: 'raiseToastForNextPage'; toast: Toast }
  | { type: 'goTo'; address: string }

interface SignupStep {
  state: SignupState
  commands: readonly SignupCommand[]
}

/** An event that a state does not expect changes nothing. */
export function transition(state: SignupState, event: SignupEvent): SignupStep {
  switch (event.type) {
    case 'opened':
      return state.step === 'opening' ? opened(event) : stay(state)
    case 'verified':
      return state.step === 'verifying' ? verified(event.account) : stay(state)
    case 'verificationRefused':
      return state.step === 'verifying' ? invalidLink() : stay(state)
    case 'verificationUnreachable':
      return state.step === 'verifying' ? to({ ...state, step: 'unreachable' }) : stay(state)
    case 'retried':
      return state.step === 'unreachable' ? verify(state.token) : stay(state)
    case 'sessionFound':
      return state.step === 'resuming' ? to({ step: 'editing', account: event.account }) : stay(state)
    case 'sessionMissing':
      return state.step === 'resuming' ? invalidLink() : stay(state)
    case 'submitted':
      return state.step === 'editing' ? submitted(state.account, event) : stay(state)
    case 'passwordSet':
      return state.step === 'settingPassword'
        ? to({ ...state, step: 'resettingOnboarding' }, { type: 'resetOnboarding', userId: state.account.id })
        : stay(state)
    case 'passwordRefused':
      // Section 8: the button works again, with no message.
      return state.step === 'settingPassword' ? to({ ...state, step: 'editing' }) : stay(state)
    case 'onboardingReset':
      return state.step === 'resettingOnboarding'
        ? to({ ...state, step: 'signingOut' }, { type: 'signOut' })
        : stay(state)
    case 'signedOut':
      return state.step === 'signingOut' ? finished(state.account) : stay(state)
  }
}

const stay = (state: SignupState): SignupStep => ({ state, commands: [] })
const to = (state: SignupState, ...commands: SignupCommand[]): SignupStep => ({ state, commands })

const leave = (address: string, toast: Toast, ...before: SignupCommand[]): SignupStep =>
  to({ step: 'leaving' }, ...before, { type: 'raiseToastForNextPage', toast }, { type: 'goTo', address })

function opened({ token, resumable }: { token: string | null; resumable: boolean }): SignupStep {
  if (token) return verify(token, { type: 'hideToken' })
  if (resumable) return to({ step: 'resuming' }, { type: 'findSession' })
  return leave(routes.pricing, toasts.missingToken)
}

const verify = (token: string, ...before: SignupCommand[]): SignupStep =>
  to({ step: 'verifying', token }, ...before, { type: 'verify', token })

const invalidLink = (): SignupStep => leave(routes.pricing, toasts.invalidLink, { type: 'forgetProgress' })

const verified = (account: Account | null): SignupStep =>
  account ? to({ step: 'editing', account }, { type: 'rememberProgress', account }) : invalidLink()

function submitted(
  account: Account,
  { password, confirmation }: { password: string; confirmation: string },
): SignupStep {
  const problem = passwordProblem(password, confirmation)
  if (!problem) return to({ step: 'settingPassword', account }, { type: 'setPassword', password })
  const { field, message } = problem
  return message === undefined
    ? to({ step: 'editing', account }, { type: 'raiseToast', toast: problem.toast }, { type: 'focus', field })
    : to({ step: 'editing', account, problem: { field, message } }, { type: 'focus', field })
}

const finished = ({ email }: Account): SignupStep =>
  leave(loginAfterSignup(email), toasts.accountCreated, { type: 'forgetProgress' })

import {
  passwordProblem,
  refusedPassword,
  type PasswordField,
  type PasswordProblem,
  type PasswordRefusal,
} from './passwords.ts'
import { isCorrected, report } from '#platform/domain/field-problem.ts'
import { loginAfterSignup, loginFor, routes } from '#platform/domain/routes.ts'
import { toasts, type Toast } from '#platform/domain/toasts.ts'
import type { CommonCommand, Transition } from '#platform/domain/transition.ts'

/** The purpose of a one-time link: a new account after the payment, or a new password. */
export type LinkPurpose = 'signup' | 'recovery'

/** The account that a link belongs to. */
export interface Account {
  id: string
  email: string
}

interface Purpose {
  /** Shown on the pricing page if the link is incomplete or refused; null if the page itself says that it expired. */
  pricingToasts: { missing: Toast; refused: Toast } | null
  /** Whether a refusal of the password is shown. If not, the button only works again (section 8). */
  showsRefusal: boolean
  /** Onboarding begins anew with this password. */
  resetsOnboarding: boolean
  /** The sessions that end once the password is set: this browser's, or all of the account. */
  endsSessions: 'local' | 'global'
  /** Shown on the login page, which comes next. */
  passwordSet: Toast
  loginUrl: (email: string) => string
}

const purposes: Record<LinkPurpose, Purpose> = {
  signup: {
    pricingToasts: { missing: toasts.missingToken, refused: toasts.invalidLink },
    showsRefusal: false,
    resetsOnboarding: true,
    endsSessions: 'local',
    passwordSet: toasts.accountCreated,
    loginUrl: loginAfterSignup,
  },
  recovery: {
    pricingToasts: null,
    showsRefusal: true,
    resetsOnboarding: false,
    endsSessions: 'global',
    passwordSet: toasts.passwordChanged,
    loginUrl: loginFor,
  },
}

/** Setting a password by a one-time link (specification, section 4): verify the link, set the password, go to log in. */
export type PasswordLinkState =
  | { step: 'opening' }
  | { step: 'verifying'; token: string }
  /** The page was loaded again after the link was used: its session is being looked up. */
  | { step: 'resuming' }
  /** The provider did not answer; it can be asked again. */
  | { step: 'unreachable'; token: string }
  /** The link was used, is too old or is incomplete. */
  | { step: 'expired' }
  | { step: 'editing'; account: Account; problem?: PasswordProblem }
  | { step: 'settingPassword' | 'resettingOnboarding' | 'signingOut'; account: Account }
  | { step: 'leaving' }

export type PasswordLinkEvent =
  /** `resumable`: a link was verified in this tab before, and its password is not set yet. */
  | { type: 'opened'; token: string | null; resumable: boolean }
  /** `account`: null if the provider gave no session. */
  | { type: 'verified'; account: Account | null }
  | { type: 'verificationRefused' }
  | { type: 'verificationUnreachable' }
  | { type: 'retried' }
  | { type: 'sessionFound'; account: Account }
  | { type: 'sessionMissing' }
  | { type: 'submitted'; password: string; confirmation: string }
  | { type: 'edited'; field: string }
  | { type: 'passwordSet' }
  | ({ type: 'passwordRefused' } & PasswordRefusal)
  | { type: 'onboardingReset' }
  | { type: 'signedOut' }

export type PasswordLinkCommand =
  | CommonCommand<PasswordField>
  | { type: 'verify'; token: string }
  | { type: 'rememberProgress'; userId: string }
  | { type: 'forgetProgress' }
  | { type: 'findSession' }
  | { type: 'setPassword'; password: string }
  | { type: 'resetOnboarding'; userId: string }
  | { type: 'signOut'; scope: 'local' | 'global' }

type Move = Transition<PasswordLinkState, PasswordLinkCommand>

/** An event that a state does not expect changes nothing. */
export function transition(
  linkPurpose: LinkPurpose,
  state: PasswordLinkState,
  event: PasswordLinkEvent,
): Move {
  const purpose = purposes[linkPurpose]
  switch (event.type) {
    case 'opened':
      return state.step === 'opening' ? opened(purpose, event) : stay(state)
    case 'verified':
      return state.step === 'verifying' ? verified(purpose, event.account) : stay(state)
    case 'verificationRefused':
      return state.step === 'verifying' ? refused(purpose) : stay(state)
    case 'verificationUnreachable':
      return state.step === 'verifying' ? to({ ...state, step: 'unreachable' }) : stay(state)
    case 'retried':
      return state.step === 'unreachable' ? verify(state.token) : stay(state)
    case 'sessionFound':
      return state.step === 'resuming' ? to({ step: 'editing', account: event.account }) : stay(state)
    case 'sessionMissing':
      return state.step === 'resuming' ? refused(purpose) : stay(state)
    case 'submitted':
      return state.step === 'editing' ? submitted(state.account, event) : stay(state)
    case 'edited':
      return state.step === 'editing' && state.problem && isCorrected(state.problem, event.field)
        ? to({ step: 'editing', account: state.account })
        : stay(state)
    case 'passwordSet':
      return state.step === 'settingPassword' ? passwordSet(purpose, state.account) : stay(state)
    case 'passwordRefused':
      return state.step === 'settingPassword' ? passwordRefused(purpose, state.account, event) : stay(state)
    case 'onboardingReset':
      return state.step === 'resettingOnboarding' ? signOut(purpose, state.account) : stay(state)
    case 'signedOut':
      return state.step === 'signingOut' ? finished(purpose, state.account) : stay(state)
  }
}

const stay = (state: PasswordLinkState): Move => ({ state, commands: [] })
const to = (state: PasswordLinkState, ...commands: PasswordLinkCommand[]): Move => ({ state, commands })

const leave = (url: string, toast: Toast, ...before: PasswordLinkCommand[]): Move =>
  to(
    { step: 'leaving' },
    ...before,
    { type: 'raiseToastForNextPage', toast },
    { type: 'goTo', url, replace: true },
  )

function opened(
  { pricingToasts }: Purpose,
  { token, resumable }: { token: string | null; resumable: boolean },
): Move {
  if (token) return verify(token)
  if (resumable) return to({ step: 'resuming' }, { type: 'findSession' })
  return pricingToasts ? leave(routes.pricing, pricingToasts.missing) : to({ step: 'expired' })
}

const verify = (token: string): Move => to({ step: 'verifying', token }, { type: 'verify', token })

const verified = (purpose: Purpose, account: Account | null): Move =>
  account
    ? to({ step: 'editing', account }, { type: 'rememberProgress', userId: account.id })
    : refused(purpose)

const refused = ({ pricingToasts }: Purpose): Move =>
  pricingToasts
    ? leave(routes.pricing, pricingToasts.refused, { type: 'forgetProgress' })
    : to({ step: 'expired' }, { type: 'forgetProgress' })

function submitted(
  account: Account,
  { password, confirmation }: { password: string; confirmation: string },
): Move {
  const problem = passwordProblem(password, confirmation)
  return problem
    ? wrong(account, problem)
    : to({ step: 'settingPassword', account }, { type: 'setPassword', password })
}

const wrong = (account: Account, problem: PasswordProblem): Move =>
  to({ step: 'editing', account, problem }, ...report(problem))

const passwordSet = (purpose: Purpose, account: Account): Move =>
  purpose.resetsOnboarding
    ? to({ step: 'resettingOnboarding', account }, { type: 'resetOnboarding', userId: account.id })
    : signOut(purpose, account)

const passwordRefused = (purpose: Purpose, account: Account, refusal: PasswordRefusal): Move =>
  purpose.showsRefusal ? wrong(account, refusedPassword(refusal)) : to({ step: 'editing', account })

const signOut = ({ endsSessions }: Purpose, account: Account): Move =>
  to({ step: 'signingOut', account }, { type: 'signOut', scope: endsSessions })

const finished = (purpose: Purpose, { email }: Account): Move =>
  leave(purpose.loginUrl(email), purpose.passwordSet, { type: 'forgetProgress' })

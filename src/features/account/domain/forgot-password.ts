import { emailProblem, normalizeEmail } from '#platform/domain/email.ts'
import { isCorrected, report, type FieldProblem } from '#platform/domain/field-problem.ts'
import type { CommonCommand, Transition } from '#platform/domain/transition.ts'

/** The fields of the form; `submit` is its button. */
type RequestField = 'email' | 'submit'

/** A request for a mailed link. It never reveals whether an account exists: the answer is always the same. */
export type ForgotPasswordState =
  /** The page is shown, but its script does not run yet. */
  | { step: 'opening' }
  | { step: 'editing'; problem?: FieldProblem<RequestField> }
  | { step: 'sending'; email: string }
  | { step: 'sent'; email: string }

export type ForgotPasswordEvent =
  | { type: 'opened' }
  | { type: 'submitted'; email: string }
  | { type: 'edited'; field: string }
  | { type: 'linkRequested' }
  | { type: 'requestFailed'; message: string }
  | { type: 'startedAgain' }

export type ForgotPasswordCommand = CommonCommand<RequestField> | { type: 'requestLink'; email: string }

type ForgotPasswordTransition = Transition<ForgotPasswordState, ForgotPasswordCommand>

/** An event that a state does not expect changes nothing. */
export function transition(state: ForgotPasswordState, event: ForgotPasswordEvent): ForgotPasswordTransition {
  switch (event.type) {
    case 'opened':
      return state.step === 'opening' ? to({ step: 'editing' }) : stay(state)
    case 'submitted':
      return state.step === 'editing' ? submitted(event.email) : stay(state)
    case 'edited':
      return state.step === 'editing' && state.problem && isCorrected(state.problem, event.field)
        ? to({ step: 'editing' })
        : stay(state)
    case 'linkRequested':
      return state.step === 'sending' ? to({ ...state, step: 'sent' }) : stay(state)
    case 'requestFailed':
      return state.step === 'sending' ? wrong({ field: 'submit', message: event.message }) : stay(state)
    case 'startedAgain':
      return state.step === 'sent' ? to({ step: 'editing' }, { type: 'focus', id: 'email' }) : stay(state)
  }
}

const stay = (state: ForgotPasswordState): ForgotPasswordTransition => ({ state, commands: [] })
const to = (state: ForgotPasswordState, ...commands: ForgotPasswordCommand[]): ForgotPasswordTransition => ({
  state,
  commands,
})

function submitted(typed: string): ForgotPasswordTransition {
  const email = normalizeEmail(typed)
  const problem = emailProblem(email)
  if (problem !== undefined) return wrong({ field: 'email', message: problem })
  return to({ step: 'sending', email }, { type: 'requestLink', email })
}

const wrong = (problem: FieldProblem<RequestField>): ForgotPasswordTransition =>
  to({ step: 'editing', problem }, ...report(problem))

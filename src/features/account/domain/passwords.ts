import { announced, type FieldProblem } from '#platform/domain/field-problem.ts'
import { minimumPasswordLength, toasts } from '#platform/domain/toasts.ts'

/** The fields of a form for a new password; `submit` is its button. */
export type PasswordField = 'password' | 'confirmation' | 'submit'
export type PasswordProblem = FieldProblem<PasswordField>

/** A new password, typed twice. */
export interface TypedPassword {
  password: string
  confirmation: string
}

/** Returns the first problem of a new password and its confirmation, in the specification's order (section 5). */
export function passwordProblem({ password, confirmation }: TypedPassword): PasswordProblem | undefined {
  if (password === '') return { field: 'password', message: 'Enter a password.' }
  if (confirmation === '') return { field: 'confirmation', message: 'Enter the password again.' }
  if (password !== confirmation)
    return announced('confirmation', toasts.passwordsDoNotMatch, 'The two passwords do not match.')
  if (password.length < minimumPasswordLength) return announced('password', toasts.passwordTooShort)
  return undefined
}

/** A provider that refuses a new password, or does not answer. */
interface PasswordRefusal {
  message: string
  unreachable: boolean
}

/** Returns the problem of a refused password. If the provider did not answer, no field is wrong. */
export const refusedPassword = ({ message, unreachable }: PasswordRefusal): PasswordProblem =>
  announced(unreachable ? 'submit' : 'password', toasts.passwordUpdateFailed(message))

import { minimumPasswordLength, toasts, type Toast } from '#platform/domain/toasts.ts'

export type PasswordField = 'password' | 'confirmation'

/** A problem of a new password and its confirmation: a sentence beside an empty field, otherwise a toast. */
type PasswordProblem =
  | { field: PasswordField; message: string; toast?: never }
  | { field: PasswordField; toast: Toast; message?: never }

/** Returns the first problem of a new password and its confirmation, in the specification's order (section 5). */
export function passwordProblem(password: string, confirmation: string): PasswordProblem | undefined {
  if (password === '') return { field: 'password', message: 'Enter a password.' }
  if (confirmation === '') return { field: 'confirmation', message: 'Enter the password again.' }
  if (password !== confirmation) return { field: 'confirmation', toast: toasts.passwordsDoNotMatch }
  if (password.length < minimumPasswordLength) return { field: 'password', toast: toasts.passwordTooShort }
  return undefined
}

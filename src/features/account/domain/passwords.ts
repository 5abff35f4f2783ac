import { minimumPasswordLength, toasts, type Toast } from '#platform/domain/toasts.ts'

export type PasswordField = 'password' | 'confirmation'

/** What is wrong with a pair of passwords: a sentence beside a field left empty, a toast for the rest. */
export type PasswordProblem =
  | { field: PasswordField; message: string; toast?: never }
  | { field: PasswordField; toast: Toast; message?: never }

/** Checks a new password and its confirmation (specification, section 5), in the order in which they are told. */
export function passwordProblem(password: string, confirmation: string): PasswordProblem | undefined {
  if (password === '') return { field: 'password', message: 'Enter a password.' }
  if (confirmation === '') return { field: 'confirmation', message: 'Enter the password again.' }
  if (password !== confirmation) return { field: 'confirmation', toast: toasts.passwordsDoNotMatch }
  if (password.length < minimumPasswordLength) return { field: 'password', toast: toasts.passwordTooShort }
  return undefined
}

import {
  passwordProblem,
  refusedPassword,
  type PasswordField,
  type TypedPassword,
} from '#account/domain/passwords.ts'
import { announced, type Outcome } from '#platform/domain/field-problem.ts'
import { toasts } from '#platform/domain/toasts.ts'
import type { AuthResult } from '#account/browser/session.ts'

interface Clients {
  isSignedIn: () => Promise<boolean>
  updatePassword: (password: string) => Promise<AuthResult>
}

/** Changes the password of a signed-in customer in the portal (specification, sections 5 and 8). */
export async function changePassword(
  typed: TypedPassword,
  { isSignedIn, updatePassword }: Clients,
): Promise<Outcome<PasswordField>> {
  if (!(await isSignedIn())) return { problem: announced('submit', toasts.noUser) }
  const problem = passwordProblem(typed)
  if (problem) return { problem }
  const changed = await updatePassword(typed.password)
  return changed.ok ? { toast: toasts.passwordUpdated } : { problem: refusedPassword(changed.failure) }
}

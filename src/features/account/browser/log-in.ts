import { emailProblem, normalizeEmail } from '#platform/domain/text/email.ts'
import { announced, type Outcome } from '#platform/domain/field-problem.ts'
import { homeOf } from '#platform/domain/routes.ts'
import { toasts } from '#platform/domain/toasts.ts'
import type { AuthResult } from './session.ts'

/** The fields of the form; `submit` is its button. */
export type LoginField = 'email' | 'password' | 'submit'

interface Person {
  id: string
  isAdmin: boolean
}

/** The requests of the log-in; a test passes its own. */
export interface LoginClients {
  signIn: (email: string, password: string) => Promise<AuthResult<Person>>
  /** Returns undefined if the database does not answer. */
  readOnboarding: (userId: string) => Promise<boolean | undefined>
}

/** Logs in with what is typed, and leads to the start page. */
export async function logIn(
  typed: { email: string; password: string },
  clients: LoginClients,
): Promise<Outcome<LoginField>> {
  const email = normalizeEmail(typed.email)
  const malformed = emailProblem(email)
  if (malformed !== undefined) return { problem: { field: 'email', message: malformed } }
  if (typed.password === '') return { problem: { field: 'password', message: 'Enter your password.' } }

  const signedIn = await clients.signIn(email, typed.password)
  if (signedIn.ok) return findStartPage(signedIn.value, clients)
  const { message, unreachable } = signedIn.failure
  return { problem: announced(unreachable ? 'submit' : 'password', toasts.signInFailed(message)) }
}

/** Leads somebody who is signed in to the start page. */
export async function findStartPage(
  { id, isAdmin }: Person,
  { readOnboarding }: Pick<LoginClients, 'readOnboarding'>,
): Promise<Outcome> {
  // Without an answer the portal's own guard decides.
  const onboardingCompleted = isAdmin || ((await readOnboarding(id)) ?? true)
  return { goTo: homeOf({ isAdmin, onboardingCompleted }), replace: true }
}

import { isAuthRetryableFetchError, type AuthError, type Session as AuthSession } from '@supabase/auth-js'
import type { Result } from '#platform/domain/result.ts'
import { browserStorage } from '#platform/browser/storage/storage.ts'
import { authStorageKey, supabase } from '#platform/browser/supabase.ts'
import { knownAdminAccess, readAdminAccess } from './admin-access.ts'

export interface User {
  id: string
  email: string
  /** Only decides what is shown; the database checks for itself. */
  isAdmin: boolean
}

/** A failure of the auth provider. `unreachable`: it did not answer, or asks to try later: nothing that was sent is wrong. */
interface AuthFailure {
  message: string
  unreachable: boolean
}
export type AuthResult<Value = undefined> = Result<Value, AuthFailure>

/** The purpose of a one-time link: a new account after the payment, or a new password. */
export type LinkPurpose = 'signup' | 'recovery'

/** HTTP's status for too many requests. */
const rateLimited = 429

const failure = (error: AuthError): { ok: false; failure: AuthFailure } =>
  isAuthRetryableFetchError(error)
    ? {
        ok: false,
        failure: {
          message: 'We could not reach the server. Check your connection and try again.',
          unreachable: true,
        },
      }
    : { ok: false, failure: { message: error.message, unreachable: error.status === rateLimited } }

const done = { ok: true, value: undefined } as const

function userOf(session: AuthSession): User {
  const email = session.user.email ?? ''
  return { id: session.user.id, email, isAdmin: knownAdminAccess(session.user.id) !== null }
}

export async function signIn(email: string, password: string): Promise<AuthResult<User>> {
  const { data, error } = await supabase().auth.signInWithPassword({ email, password })
  if (error) return failure(error)
  await readAdminAccess(data.user.id)
  return { ok: true, value: userOf(data.session) }
}

/** Ends the session of this browser, or all of this user. If `global` fails, no session has ended. */
export async function endSession(scope: 'local' | 'global'): Promise<AuthResult> {
  const { error } = await supabase().auth.signOut({ scope })
  return error ? failure(error) : done
}

/** Ends the session, and removes it from this browser even if the provider cannot be reached. */
export async function dropSession(scope: 'local' | 'global'): Promise<void> {
  await endSession(scope)
  if (isSessionStored()) await forgetSession()
}

/** Removes the session from this browser without asking the provider; other tabs and the token sync are informed. */
export async function forgetSession(): Promise<void> {
  browserStorage.remove(authStorageKey)
  // The provider is not asked if no session is stored.
  await endSession('local')
}

/** Exchanges the token hash of a link for a session; null if the provider gave none. */
export async function verifyToken(token: string, type: LinkPurpose): Promise<AuthResult<User | null>> {
  const { data, error } = await supabase().auth.verifyOtp({ token_hash: token, type })
  return error ? failure(error) : { ok: true, value: data.session && userOf(data.session) }
}

/** Sets a new password for the signed-in user. */
export async function updatePassword(password: string): Promise<AuthResult> {
  const { error } = await supabase().auth.updateUser({ password })
  return error ? failure(error) : done
}

/** Returns the signed-in user as this browser knows it, or null. */
export async function currentUser(): Promise<User | null> {
  const { data } = await supabase().auth.getSession()
  return data.session && userOf(data.session)
}

/** Returns the bearer token for our own functions, refreshed if it is about to expire; undefined if signed out. */
export async function accessToken(): Promise<string | undefined> {
  const { data } = await supabase().auth.getSession()
  return data.session?.access_token
}

const isSessionStored = (): boolean => browserStorage.read(authStorageKey) !== null

/**
 * Calls the listener with the signed-in user: at once, and at every change in this tab or another one. A stored session
 * that cannot be refreshed without a network is no sign-out: the listener is called once the provider has answered.
 * @returns a function that removes the listener
 */
export function watchSession(listener: (user: User | null) => void): () => void {
  const { data } = supabase().auth.onAuthStateChange((event, session) => {
    if (session) listener(userOf(session))
    else if (event === 'SIGNED_OUT' || !isSessionStored()) listener(null)
  })
  const stored = (event: StorageEvent): void => {
    if ((event.key === authStorageKey || event.key === null) && !isSessionStored()) listener(null)
  }
  // A page in the back-forward cache gets no events.
  const restored = (event: PageTransitionEvent): void => {
    if (event.persisted && !isSessionStored()) listener(null)
  }
  addEventListener('storage', stored)
  addEventListener('pageshow', restored)
  return () => {
    data.subscription.unsubscribe()
    removeEventListener('storage', stored)
    removeEventListener('pageshow', restored)
  }
}

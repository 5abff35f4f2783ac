import { isAuthRetryableFetchError, type AuthError, type Session as AuthSession } from '@supabase/supabase-js'
import type { LinkPurpose } from '#account/domain/password-link.ts'
import type { Result } from '#platform/domain/result.ts'
import { env } from '#platform/browser/env.ts'
import { browserStorage } from '#platform/browser/storage.ts'
import { authStorageKey, supabase } from '#platform/browser/supabase.ts'

export interface User {
  id: string
  email: string
  /** For showing the right doors only; the database decides by itself. */
  isAdmin: boolean
}

/** Why the auth provider refused. `unreachable`: it gave no verdict at all. */
export interface AuthFailure {
  message: string
  unreachable: boolean
}
export type AuthResult<Value = undefined> = Result<Value, AuthFailure>

const failure = (error: AuthError): { ok: false; failure: AuthFailure } =>
  isAuthRetryableFetchError(error)
    ? {
        ok: false,
        failure: {
          message: 'We could not reach the server. Check your connection and try again.',
          unreachable: true,
        },
      }
    : { ok: false, failure: { message: error.message, unreachable: false } }

const done = { ok: true, value: undefined } as const

function userOf(session: AuthSession): User {
  const email = session.user.email ?? ''
  return { id: session.user.id, email, isAdmin: email.toLowerCase() === env.adminEmail.toLowerCase() }
}

export async function signIn(email: string, password: string): Promise<AuthResult<User>> {
  const { data, error } = await supabase().auth.signInWithPassword({ email, password })
  return error ? failure(error) : { ok: true, value: userOf(data.session) }
}

/** Ends the session in this browser, or every session of this user: `global` ends none where it fails. */
export async function endSession(scope: 'local' | 'global'): Promise<AuthResult> {
  const { error } = await supabase().auth.signOut({ scope })
  return error ? failure(error) : done
}

/** Ends the session and forgets it here, even if the provider cannot be told. */
export async function dropSession(scope: 'local' | 'global'): Promise<void> {
  await endSession(scope)
  if (isSessionStored()) await forgetSession()
}

/** Forgets the session here without asking the provider; other tabs and the token sync are told. */
export async function forgetSession(): Promise<void> {
  browserStorage.remove(authStorageKey)
  // With nothing stored the provider is not asked.
  await endSession('local')
}

/** Exchanges a mailed or returned token hash for a session; null where the provider gave none. */
export async function verifyToken(token: string, type: LinkPurpose): Promise<AuthResult<User | null>> {
  const { data, error } = await supabase().auth.verifyOtp({ token_hash: token, type })
  return error ? failure(error) : { ok: true, value: data.session && userOf(data.session) }
}

/** Sets a new password for the signed-in user. */
export async function updatePassword(password: string): Promise<AuthResult> {
  const { error } = await supabase().auth.updateUser({ password })
  return error ? failure(error) : done
}

/** The signed-in user as this browser knows it, or null. */
export async function currentUser(): Promise<User | null> {
  const { data } = await supabase().auth.getSession()
  return data.session && userOf(data.session)
}

/** The bearer token for our own functions, refreshed when it is about to expire; undefined when signed out. */
export async function accessToken(): Promise<string | undefined> {
  const { data } = await supabase().auth.getSession()
  return data.session?.access_token
}

const isSessionStored = (): boolean => browserStorage.read(authStorageKey) !== null

/**
 * Tells who is signed in: at once, and at every change in this tab or another one. A stored session that cannot be
 * refreshed for want of a network is no sign-out: nothing is told until the provider has had its say.
 * @returns a function that stops it
 */
export function watchSession(tell: (user: User | null) => void): () => void {
  const { data } = supabase().auth.onAuthStateChange((event, session) => {
    if (session) tell(userOf(session))
    else if (event === 'SIGNED_OUT' || !isSessionStored()) tell(null)
  })
  const stored = (event: StorageEvent): void => {
    if ((event.key === authStorageKey || event.key === null) && !isSessionStored()) tell(null)
  }
  // A page that comes back from the back-forward cache has missed what happened meanwhile.
  const restored = (event: PageTransitionEvent): void => {
    if (event.persisted && !isSessionStored()) tell(null)
  }
  addEventListener('storage', stored)
  addEventListener('pageshow', restored)
  return () => {
    data.subscription.unsubscribe()
    removeEventListener('storage', stored)
    removeEventListener('pageshow', restored)
  }
}

import type { AuthError, User } from '@supabase/supabase-js'
import type { Failure } from '#platform/domain/failures.ts'
import type { Result } from '#platform/domain/result.ts'
import { logFailure } from '#platform/server/log.ts'
import type { Services } from '#platform/server/services.ts'

export const unauthorized: Failure = { code: 'unauthorized', message: 'Please log in again.' }

const loginUnavailable: Failure = {
  code: 'provider_unavailable',
  message: 'Your login could not be checked. Please try again.',
}

/** The token of an `Authorization: Bearer …` header. */
export const bearerToken = (request: Request): string | undefined =>
  /^Bearer (\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]

/** Who calls, by the auth provider's word: a token of somebody who is gone counts for nothing. */
export async function signedInUser(request: Request, { supabase }: Services): Promise<Result<User>> {
  const token = bearerToken(request)
  if (!token) return { ok: false, failure: unauthorized }
  const { data, error } = await supabase.auth.getUser(token)
  if (error && !isDenial(error)) {
    logFailure('login', error)
    return { ok: false, failure: loginUnavailable }
  }
  return data.user ? { ok: true, value: data.user } : { ok: false, failure: unauthorized }
}

/** Whether the token was looked at and found wanting; anything else says nothing about the caller. */
const isDenial = ({ status = 0 }: AuthError): boolean => status >= 400 && status < 500

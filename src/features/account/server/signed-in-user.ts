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

/** Returns the token of an `Authorization: Bearer …` header. */
export const bearerToken = (request: Request): string | undefined =>
  /^Bearer (\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]

/** Asks the auth provider for the user of the request's token. The token of a deleted user is refused. */
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

/** Whether the auth provider refused the token; any other error says nothing about the token. */
const isDenial = ({ status = 0 }: AuthError): boolean => status >= 400 && status < 500

import type { Failure } from '#platform/domain/failures.ts'
import type { PublishAnswer } from '#admin/domain/contracts.ts'
import type { Result } from '#platform/domain/result.ts'
import { forbidden } from './check-admin.ts'
import { bearerToken, unauthorized } from '#account/server/signed-in-user.ts'
import { connectAs, DatabaseError } from '#platform/server/database.ts'
import { logFailure } from '#platform/server/log.ts'
import type { Services } from '#platform/server/services.ts'

const timeoutMs = 8_000
const denied = '42501'

const notConfigured: Failure = {
  code: 'not_configured',
  message: 'Publishing is not set up: BUILD_HOOK_URL names no build hook.',
}
const unavailable: Failure = {
  code: 'provider_unavailable',
  message: 'The build could not be started. Please try again.',
}
const fail = (failure: Failure): Result<never> => ({ ok: false, failure })

/**
 * Asks the host for a new build. First one query to the database decides whether the user is the admin and records the
 * request.
 */
export async function publish(
  _body: unknown,
  { env }: Pick<Services, 'env'>,
  { request }: { request: Request },
): Promise<Result<PublishAnswer>> {
  const token = bearerToken(request)
  if (!token) return fail(unauthorized)
  if (!env.BUILD_HOOK_URL) return fail(notConfigured)

  const { error, status } = await connectAs(token, env).rpc('request_publication')
  if (status === 401) return fail(unauthorized)
  if (error?.code === denied) return fail(forbidden)
  if (error) throw new DatabaseError('request_publication', error.code)

  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await fetch(env.BUILD_HOOK_URL, { method: 'POST', body: '{}', signal })
    if (response.ok) return { ok: true, value: { accepted: true } }
  } catch (caught) {
    logFailure('publish', caught)
  }
  return fail(unavailable)
}

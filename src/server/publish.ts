import type { Failure, PublishAnswer } from '#domain/contracts.ts'
import type { Result } from '#domain/result.ts'
import { connectAs, DatabaseError } from './database.ts'
import type { ServerEnv } from './env.ts'
import { logFailure } from './log.ts'

const timeoutMs = 8_000
const denied = '42501'

const fail = (code: Failure['code'], message: string): { ok: false; failure: Failure } => ({
  ok: false,
  failure: { code, message },
})

/**
 * Asks the host for a new build. The database decides whether the caller is the admin, and writes down that it was
 * asked for: one call, before the hook's.
 * @param authorization the header with the session's bearer token
 */
export async function publish(authorization: string | null, env: ServerEnv): Promise<Result<PublishAnswer>> {
  const [, token] = /^Bearer (\S+)$/i.exec(authorization ?? '') ?? []
  if (!token) return fail('unauthorized', 'Please log in again.')
  if (!env.BUILD_HOOK_URL)
    return fail('not_configured', 'Publishing is not set up: BUILD_HOOK_URL names no build hook.')

  const { error, status } = await connectAs(token, env).rpc('request_publication')
  if (status === 401) return fail('unauthorized', 'Please log in again.')
  if (error?.code === denied) return fail('forbidden', 'Only the admin publishes.')
  if (error) throw new DatabaseError('request_publication', error.code)

  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const answer = await fetch(env.BUILD_HOOK_URL, { method: 'POST', body: '{}', signal })
    if (answer.ok) return { ok: true, value: { accepted: true } }
  } catch (caught) {
    logFailure('publish', caught)
  }
  return fail('provider_unavailable', 'The build could not be started. Please try again.')
}

import { errorStatus, type Failure } from '#platform/domain/failures.ts'

const headers = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

/** Returns a JSON response that no cache stores. */
export const jsonResponse = (body: unknown, status = 200): Response =>
  Response.json(body, { status, headers })

/** Returns a failure as a response, in the format of all functions (`errorAnswer` in #platform/domain/failures.ts). */
export function failureResponse({ code, message, details, retryAfter }: Failure): Response {
  const response = jsonResponse({ error: { code, message, details } }, errorStatus[code])
  if (code === 'method_not_allowed') response.headers.set('allow', message.replace(/^Use |\.$/g, ''))
  if (retryAfter) response.headers.set('retry-after', String(retryAfter))
  return response
}

export const internalFailure: Failure = {
  code: 'internal',
  message: 'Something went wrong on our side. Please try again.',
}

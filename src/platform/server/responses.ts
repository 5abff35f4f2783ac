import { errorStatus, type Failure } from '#platform/domain/failures.ts'

const headers = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

/** A JSON answer that nothing on the way keeps. */
export const answer = (body: unknown, status = 200): Response => Response.json(body, { status, headers })

/** A failure as every function answers it (domain/contracts: `errorAnswer`). */
export function refuse({ code, message, retryAfter }: Failure): Response {
  const response = answer({ error: { code, message } }, errorStatus[code])
  if (code === 'method_not_allowed') response.headers.set('allow', 'POST')
  if (retryAfter) response.headers.set('retry-after', String(retryAfter))
  return response
}

export const badSignature: Failure = {
  code: 'invalid_signature',
  message: 'The signature is missing or wrong.',
}

export const internalFailure: Failure = {
  code: 'internal',
  message: 'Something went wrong on our side. Please try again.',
}

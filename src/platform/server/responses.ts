import { errorStatus, type Failure } from '#platform/domain/failures.ts'
import { currentRequest } from './current-request.ts'
import { logNotice } from './log.ts'

const headers = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

/** Returns a JSON response that no cache stores. */
export const jsonResponse = (body: unknown, status = 200): Response =>
  Response.json(body, { status, headers })

/** Returns a stream of lines, each of which is JSON, as a response that no cache stores. */
export const streamResponse = (stream: ReadableStream<Uint8Array>): Response =>
  new Response(stream, { headers: { ...headers, 'content-type': 'application/x-ndjson; charset=utf-8' } })

/**
 * Returns a failure as a response, in the format of all functions (`errorAnswer` in #platform/domain/failures.ts). The message
 * of a failure on our side has the request's id, which a customer can name to us.
 */
export function failureResponse({ code, message, details, retryAfter }: Failure): Response {
  const status = errorStatus[code]
  const id = currentRequest()?.id
  const referenced = status >= 500 && id ? `${message} Reference: ${id}` : message
  const response = jsonResponse({ error: { code, message: referenced, details } }, status)
  if (code === 'method_not_allowed') response.headers.set('allow', message.replace(/^Use |\.$/g, ''))
  if (retryAfter) response.headers.set('retry-after', String(retryAfter))
  return response
}

export const internalFailure: Failure = {
  code: 'internal',
  message: 'Something went wrong on our side. Please try again, and write to us if it goes on.',
}

const badSignature: Failure = {
  code: 'invalid_signature',
  message: 'The signature is missing or wrong.',
}

/** Refuses a webhook's request, and logs it: with a wrong secret on our side, everything that a provider sends ends here. */
export function refuseSignature(event: string, signature: 'missing' | 'wrong' | 'no secret'): Response {
  logNotice(event, { signature }, 'warn')
  return failureResponse(badSignature)
}

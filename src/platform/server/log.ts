import { AuthError } from '@supabase/supabase-js'
import Stripe from 'stripe'
import { CodedError } from './coded-error.ts'
import { currentRequest } from './current-request.ts'

type Level = 'info' | 'warn' | 'error'
type Details = Record<string, string | number | undefined>

/**
 * Logs a failure in a function. Messages of providers and databases may repeat their input, so a line contains codes and
 * places in the source, never a message.
 */
export function logFailure(event: string, error: unknown): void {
  write('error', event, detailsOf(error))
}

/**
 * Logs a notice.
 * @param details codes and identifiers, never an e-mail or a token
 */
export function logNotice(event: string, details: Details, level: Level = 'info'): void {
  write(level, event, details)
}

/** Logs a response of a provider, with the provider's own id of the request, by which its support finds it. */
export function logProviderResponse(
  provider: string,
  details: Details & { provider_request_id: string | undefined },
): void {
  write('info', 'provider', { provider, ...details })
}

/** Writes one line of JSON. */
function write(level: Level, event: string, details: Record<string, unknown>): void {
  const request = currentRequest()
  console[level](
    JSON.stringify({ level, event, function: request?.name, request_id: request?.id, ...details }),
  )
}

/** Returns a short code for an error, safe for the webhook inbox. */
export function errorCode(error: unknown): string {
  if (error instanceof Stripe.errors.StripeError) return error.code ?? error.type
  if (error instanceof CodedError) return error.code
  return error instanceof Error ? error.name : 'unknown'
}

function detailsOf(error: unknown): Record<string, unknown> {
  const code = errorCode(error)
  if (error instanceof Stripe.errors.StripeError) {
    return { code, status: error.statusCode, provider_request_id: error.requestId }
  }
  if (error instanceof CodedError) return { code, ...error.details }
  if (error instanceof AuthError) return { code: error.code ?? code, status: error.status }
  const frames =
    error instanceof Error ? (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line)) : []
  return { code, at: frames.slice(0, 4).map((line) => line.trim()) }
}

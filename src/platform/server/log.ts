import { AuthError } from '@supabase/supabase-js'
import Stripe from 'stripe'
import { CodedError } from './coded-error.ts'
import { currentRequest } from './current-request.ts'
import { framesOf, sendReport, type ErrorReport } from '#platform/server/reports/error-report.ts'

type Level = 'info' | 'warn' | 'error'
type Details = Record<string, string | number | undefined>

/**
 * Logs a failure in a function, and reports it to the error service. Messages of providers and databases may repeat their input,
 * so both get codes and places in the source, never a message.
 */
export function logFailure(event: string, error: unknown): void {
  const request = currentRequest()
  if (request) request.hasFailed = true
  const { code, at, ...details } = detailsOf(error)
  write('error', event, { code, ...details, at })
  const [type, stack = ''] = error instanceof Error ? [error.name, error.stack] : ['unknown']
  report({
    platform: 'node',
    level: 'error',
    type,
    value: code,
    frames: framesOf(stack),
    transaction: request?.name,
    tags: { event, request_id: request?.id, ...details },
  })
}

/** Reports to the error service. If that fails, it is logged, and nothing waits for it. */
export function report(found: ErrorReport): void {
  sendReport(found).catch((caught: unknown) => write('warn', 'error-report', { code: errorCode(caught) }))
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

interface FailureDetails {
  code: string
  /** Places in the source, of an error without a code of its own. */
  at?: string[]
  [name: string]: string | string[] | undefined
}

function detailsOf(error: unknown): FailureDetails {
  const code = errorCode(error)
  if (error instanceof Stripe.errors.StripeError) {
    return { code, status: error.statusCode?.toString(), provider_request_id: error.requestId }
  }
  if (error instanceof CodedError) return { code, ...error.details }
  if (error instanceof AuthError) return { code: error.code ?? code, status: error.status?.toString() }
  const frames =
    error instanceof Error ? (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line)) : []
  return { code, at: frames.slice(0, 4).map((line) => line.trim()) }
}

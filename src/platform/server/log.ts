import { AuthError } from '@supabase/supabase-js'
import Stripe from 'stripe'
import { CodedError } from './coded-error.ts'

/**
 * Logs a failure in a function, in one line. Messages of providers and databases may repeat their input, so a line contains
 * codes and places in the source, never a message.
 */
export function logFailure(place: string, error: unknown): void {
  console.error(JSON.stringify({ place, ...detailsOf(error) }))
}

/**
 * Logs a notice in one line.
 * @param details codes and identifiers, never an e-mail or a token
 */
export function logNotice(place: string, details: Record<string, string>): void {
  console.info(JSON.stringify({ place, ...details }))
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
    return { code, status: error.statusCode, request: error.requestId }
  }
  if (error instanceof CodedError) return { code, ...error.details }
  if (error instanceof AuthError) return { code: error.code ?? code, status: error.status }
  const frames =
    error instanceof Error ? (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line)) : []
  return { code, at: frames.slice(0, 4).map((line) => line.trim()) }
}

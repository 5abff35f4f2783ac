import { AuthError } from '@supabase/supabase-js'
import Stripe from 'stripe'
import { CodedError } from './coded-error.ts'

/**
 * Writes one line about something that went wrong in a function. Providers and databases repeat what they were
 * given in their messages, so a line carries codes and places in the source, never a message.
 */
export function logFailure(place: string, error: unknown): void {
  console.error(JSON.stringify({ place, ...traitsOf(error) }))
}

/** Writes one line about something worth knowing. `facts` are codes and identifiers, never an e-mail or a token. */
export function logNotice(place: string, facts: Record<string, string>): void {
  console.info(JSON.stringify({ place, ...facts }))
}

/** A short word for an error, fit for the webhook inbox. */
export function errorCode(error: unknown): string {
  if (error instanceof Stripe.errors.StripeError) return error.code ?? error.type
  if (error instanceof CodedError) return error.code
  return error instanceof Error ? error.name : 'unknown'
}

function traitsOf(error: unknown): Record<string, unknown> {
  const code = errorCode(error)
  if (error instanceof Stripe.errors.StripeError) {
    return { code, status: error.statusCode, request: error.requestId }
  }
  if (error instanceof CodedError) return { code, ...error.facts }
  if (error instanceof AuthError) return { code: error.code ?? code, status: error.status }
  const frames =
    error instanceof Error ? (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line)) : []
  return { code, at: frames.slice(0, 4).map((line) => line.trim()) }
}

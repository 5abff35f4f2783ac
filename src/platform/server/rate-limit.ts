import { createHmac } from 'node:crypto'
import * as z from 'zod/mini'
import type { Failure } from '#platform/domain/failures.ts'
import { callSql } from './database.ts'
import type { Services } from './services.ts'

/** What is limited; how far is set in the database (`private.settings`). */
export type Limited = 'checkout' | 'password_reset' | 'resend'

/**
 * Counts a request under the caller's address and the e-mail it names.
 * @param address undefined where the host does not tell; the e-mail's limit holds all the same
 * @returns the failure where one of them has asked too often
 */
export async function takeRateLimit(
  name: Limited,
  { address, email }: { address: string | undefined; email: string },
  { supabase, env }: Services,
): Promise<Failure | undefined> {
  const keyed = (value: string): string =>
    createHmac('sha256', env.SUPABASE_SECRET_KEY).update(value).digest('base64url')
  const seconds = await callSql(
    supabase,
    'take_rate_limit',
    { p_name: name, p_address: address ? keyed(networkOf(address)) : null, p_email: keyed(email) },
    z.number(),
  )
  if (seconds === 0) return undefined
  const minutes = Math.ceil(seconds / 60)
  const wait = minutes === 1 ? 'a minute' : `${minutes} minutes`
  return {
    code: 'rate_limited',
    message: `Too many attempts. Please wait ${wait} and try again.`,
    retryAfter: seconds,
  }
}

/** The caller's address as the host tells it; a client cannot set this header there. */
export const addressOf = (request: Request): string | undefined =>
  request.headers.get('x-nf-client-connection-ip')?.trim() || undefined

/** Whoever has an IPv6 address has all the addresses of its /64. */
function networkOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address
  const [head = '', tail = ''] = address.split('::')
  const groups = head.split(':').filter(Boolean)
  const rest = tail.split(':').filter(Boolean)
  const zeros = address.includes('::')
    ? Array<string>(Math.max(0, 8 - groups.length - rest.length)).fill('0')
    : []
  return [...groups, ...zeros, ...rest]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}

import * as z from 'zod/mini'
import type { Failure } from '#platform/domain/failures.ts'
import { runSql } from './database.ts'
import { keyedHash, type HashKey } from './keyed-hash.ts'
import type { Services } from './services.ts'

/** The names of the rate limits; the database sets their values (`private.settings`). */
export type RateLimitName =
  | 'agent'
  | 'api'
  | 'booking_link'
  | 'booking_times'
  | 'checkout'
  | 'find_calendars'
  | 'health'
  | 'lead'
  | 'package'
  | 'password_reset'
  | 'plan_change'
  | 'plan_preview'
  | 'read_calendars'
  | 'read_page'
  | 'report'
  | 'resend'
  | 'talk'
  | 'test_call'

/**
 * Counts a request for its IP address and for its subject, if it has one. At checkout the subject, an e-mail, only counts if the IP
 * address is unknown: otherwise a stranger's requests would keep the owner of the e-mail from buying.
 * @param ipAddress undefined if the host does not provide it
 * @param subject what the request names or is made with: an e-mail, a phone number, an account or an API key
 * @returns a failure if one of the two has made too many requests
 */
export async function takeRateLimit(
  name: RateLimitName,
  { ipAddress, subject }: { ipAddress: string | undefined; subject?: string },
  { supabase, env }: Services,
): Promise<Failure | undefined> {
  const seconds = await runSql(
    supabase,
    'take_rate_limit',
    {
      p_name: name,
      p_address: ipAddress ? addressHash(ipAddress, env) : null,
      p_subject: subject === undefined || (ipAddress && name === 'checkout') ? null : keyedHash(subject, env),
    },
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

/** Returns a keyed hash of an IP address, or of its network, by which nobody can find the address. */
export const addressHash = (ipAddress: string, env: HashKey): string => keyedHash(networkOf(ipAddress), env)

/** Returns the client's IP address from a header that only the host can set. */
export const ipAddressOf = (request: Request): string | undefined =>
  request.headers.get('x-nf-client-connection-ip')?.trim() || undefined

/** Returns the /64 network of an IPv6 address, because its owner has all addresses in that network. */
function networkOf(ipAddress: string): string {
  if (!ipAddress.includes(':') || ipAddress.includes('.')) return ipAddress
  const [head = '', tail = ''] = ipAddress.split('::')
  const groups = head.split(':').filter(Boolean)
  const rest = tail.split(':').filter(Boolean)
  const zeros = ipAddress.includes('::')
    ? Array<string>(Math.max(0, 8 - groups.length - rest.length)).fill('0')
    : []
  return [...groups, ...zeros, ...rest]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}

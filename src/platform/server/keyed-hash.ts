import { createHmac, timingSafeEqual } from 'node:crypto'
import type { ServerEnv } from './env.ts'

/** Hashes are keyed with the one secret that every function has. */
export type HashKey = Pick<ServerEnv, 'SUPABASE_SECRET_KEY'>

/** Returns a hash of a text that only we can make: a signature, or a name for what must not be stored. */
export const keyedHash = (text: string, { SUPABASE_SECRET_KEY }: HashKey): string =>
  createHmac('sha256', SUPABASE_SECRET_KEY).update(text).digest('base64url')

/** Returns whether a hash that we were given is ours of this text. The time that it takes tells nothing of the right one. */
export function isKeyedHash(given: string, text: string, env: HashKey): boolean {
  const [first, second] = [Buffer.from(given), Buffer.from(keyedHash(text, env))]
  return first.length === second.length && timingSafeEqual(first, second)
}

import { createClient } from '@supabase/supabase-js'
import type { Failure } from '#domain/contracts.ts'
import { DatabaseError } from './database.ts'
import type { Services } from './services.ts'

const unauthorized: Failure = { code: 'unauthorized', message: 'Please log in again.' }
const forbidden: Failure = { code: 'forbidden', message: 'Only the admin may do this.' }

/** The token of an `Authorization: Bearer …` header. */
export const bearerToken = (request: Request): string | undefined =>
  /^Bearer (\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]

/**
 * Asks the database, in the caller's own name, whether the caller is the admin: what a token claims counts for nothing,
 * and who was demoted a moment ago is none.
 * @returns the failure where the caller is not
 */
export async function checkAdmin(request: Request, { env }: Services): Promise<Failure | undefined> {
  const token = bearerToken(request)
  if (!token) return unauthorized
  const caller = createClient(
    new URL(env.PUBLIC_SUPABASE_URL, env.PUBLIC_SITE_URL).href,
    env.PUBLIC_SUPABASE_PUBLISHABLE_KEY,
    {
      auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
      global: { headers: { authorization: `Bearer ${token}` } },
    },
  )
  const { data, error, status } = await caller.rpc('is_admin').abortSignal(AbortSignal.timeout(8_000))
  if (status === 401 || status === 403) return unauthorized
  if (error) throw new DatabaseError('is_admin', error.code)
  return data === true ? undefined : forbidden
}

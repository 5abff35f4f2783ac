import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import * as z from 'zod/mini'
import { CodedError } from './coded-error.ts'
import type { ServerEnv } from './env.ts'

const timeoutMs = 8_000

/** Supabase with the secret key: row-level security does not hold here, so nothing of it goes to a client unparsed. */
export function connectSupabase(env: ServerEnv): SupabaseClient {
  const url = new URL(env.PUBLIC_SUPABASE_URL, env.PUBLIC_SITE_URL).href
  return createClient(url, env.SUPABASE_SECRET_KEY, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    global: {
      fetch: (input, init) =>
        fetch(input, { ...init, signal: init?.signal ?? AbortSignal.timeout(timeoutMs) }),
    },
  })
}

/** Supabase as the bearer of this token: row-level security holds. */
export function connectAs(token: string, env: ServerEnv): SupabaseClient {
  const url = new URL(env.PUBLIC_SUPABASE_URL, env.PUBLIC_SITE_URL).href
  return createClient(url, env.PUBLIC_SUPABASE_PUBLISHABLE_KEY, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    global: {
      headers: { authorization: `Bearer ${token}` },
      fetch: (input, init) => fetch(input, { ...init, signal: AbortSignal.timeout(timeoutMs) }),
    },
  })
}

/** The database refused or could not be reached. */
export class DatabaseError extends CodedError {
  override readonly name = 'DatabaseError'

  /** @param code Postgres' or PostgREST's; empty where there was no answer */
  constructor(call: string, code: string | undefined) {
    super(`database ${code || 'none'}`, { call })
  }
}

/**
 * Calls an SQL function and parses its answer.
 * @throws DatabaseError when the call fails or its answer is not what the schema says
 */
export async function callSql<Schema extends z.ZodMiniType>(
  supabase: SupabaseClient,
  name: string,
  args: Record<string, unknown>,
  answer: Schema,
): Promise<z.infer<Schema>> {
  const { data, error } = await supabase.rpc(name, args)
  if (error) throw new DatabaseError(name, error.code)
  const parsed = z.safeParse(answer, data)
  if (!parsed.success) throw new DatabaseError(name, 'answer')
  return parsed.data
}

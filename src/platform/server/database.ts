import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import * as z from 'zod/mini'
import type { Database } from '#supabase/types.ts'
import { CodedError } from './coded-error.ts'
import { withRequestId } from './current-request.ts'
import type { ServerEnv } from './env.ts'

/** A client that knows the schema by its generated types. */
export type Supabase = SupabaseClient<Database>
type Functions = Database['public']['Functions']
/** The arguments of an SQL function; `{}` if it has none. */
type Arguments<Name extends keyof Functions> = [Functions[Name]['Args']] extends [never]
  ? Record<string, never>
  : Functions[Name]['Args']

const timeoutMs = 8_000

/** Sends a request with the id of the function's request, and gives up after a while. */
const timedFetch: typeof fetch = (input, init) =>
  fetch(input, {
    ...init,
    headers: withRequestId(init?.headers),
    signal: init?.signal ?? AbortSignal.timeout(timeoutMs),
  })

/** Connects to Supabase with the secret key. Row-level security does not apply, so parse rows before you return them. */
export function connectSupabase(
  env: Pick<ServerEnv, 'PUBLIC_SITE_URL' | 'PUBLIC_SUPABASE_URL' | 'SUPABASE_SECRET_KEY'>,
): Supabase {
  const url = new URL(env.PUBLIC_SUPABASE_URL, env.PUBLIC_SITE_URL).href
  return createClient(url, env.SUPABASE_SECRET_KEY, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    global: { fetch: timedFetch },
  })
}

/** Connects to Supabase with a user's token: row-level security applies. */
export function connectAs(token: string, env: ServerEnv): Supabase {
  const url = new URL(env.PUBLIC_SUPABASE_URL, env.PUBLIC_SITE_URL).href
  return createClient(url, env.PUBLIC_SUPABASE_PUBLISHABLE_KEY, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    global: { headers: { authorization: `Bearer ${token}` }, fetch: timedFetch },
  })
}

/** The database refused a query or could not be reached. */
export class DatabaseError extends CodedError {
  override readonly name = 'DatabaseError'

  /** @param code the code of Postgres or PostgREST; empty if there was no response */
  constructor(query: string, code: string | undefined) {
    super(`database ${code || 'none'}`, { query })
  }
}

/**
 * Runs an SQL function and parses its result. An argument that is undefined is left out, at any depth, because supabase-js
 * sends JSON; the same holds for the columns of an update.
 * @throws DatabaseError if the function fails or its result does not match the schema
 */
export async function runSql<Name extends keyof Functions, Schema extends z.ZodMiniType>(
  supabase: Supabase,
  name: Name,
  args: Arguments<Name>,
  schema: Schema,
): Promise<z.infer<Schema>> {
  const { data, error } = await supabase.rpc(name, args as Functions[Name]['Args'])
  if (error) throw new DatabaseError(name, error.code)
  const parsed = z.safeParse(schema, data)
  if (!parsed.success) throw new DatabaseError(name, 'result')
  return parsed.data
}

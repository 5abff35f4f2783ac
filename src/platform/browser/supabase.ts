import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import type { Database } from '#supabase/types.ts'
import { storageKey } from '#site'
import { fetchNotingDenials } from './permission-errors.ts'
import { env } from './env.ts'
import { createTokenSync } from './token-sync.ts'

/** Where supabase-js keeps the session in local storage; the page's first script reads the same key. */
export const authStorageKey = storageKey('auth')

let client: SupabaseClient<Database> | undefined

/** The page's one Supabase client. Made on first use, so that importing this file costs nothing at build time. */
export const supabase = (): SupabaseClient<Database> => (client ??= connect())

function connect(): SupabaseClient<Database> {
  const made = createClient<Database>(new URL(env.supabaseUrl, location.origin).href, env.supabaseKey, {
    auth: { storageKey: authStorageKey, detectSessionInUrl: false },
    global: { fetch: fetchNotingDenials },
  })
  const sync = createTokenSync({ url: env.tokenSyncUrl, origin: location.origin, storage: sessionStorage })
  made.auth.onAuthStateChange((event, session) => sync(event, session?.access_token))
  return made
}

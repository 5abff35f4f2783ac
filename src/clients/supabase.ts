import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import type { Database } from '#supabase/types.ts'
import { storageKey } from '#site'
import { env } from './env.ts'

/** Where supabase-js keeps the session in local storage; the page's first script reads the same key. */
export const authStorageKey = storageKey('auth')

let client: SupabaseClient<Database> | undefined

/** The page's one Supabase client. Made on first use, so that importing this file costs nothing at build time. */
export const supabase = (): SupabaseClient<Database> =>
  (client ??= createClient<Database>(new URL(env.supabaseUrl, location.origin).href, env.supabaseKey, {
    auth: { storageKey: authStorageKey, detectSessionInUrl: false },
  }))

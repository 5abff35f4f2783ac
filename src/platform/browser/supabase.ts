import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import type { Database } from '#supabase/types.ts'
import { storageKey } from '#site'
import { fetchReportingDenials } from './permission-errors.ts'
import { env } from './env.ts'
import { tabStorage } from '#platform/browser/storage/storage.ts'
import { createTokenSync } from '#platform/browser/storage/token-sync.ts'

/** The key under which supabase-js keeps the session in local storage; the page's first script reads it too. */
export const authStorageKey = storageKey('auth')

/** Of the realtime connection, which nothing opens yet (specification, section 9); the SDK's own default is 25 s. */
const heartbeatIntervalMs = 30_000

let client: SupabaseClient<Database> | undefined

/** Returns the page's one Supabase client. It is made on first use, so that the build can import this file. */
export const supabase = (): SupabaseClient<Database> => (client ??= connect())

function connect(): SupabaseClient<Database> {
  const created = createClient<Database>(new URL(env.supabaseUrl, location.origin).href, env.supabaseKey, {
    auth: { storageKey: authStorageKey, detectSessionInUrl: false },
    global: { fetch: fetchReportingDenials },
    realtime: { heartbeatIntervalMs },
  })
  const sync = createTokenSync({ url: env.tokenSyncUrl, origin: location.origin, storage: tabStorage })
  created.auth.onAuthStateChange((event, session) => sync(event, session?.access_token))
  return created
}

/** The most rows that PostgREST returns for one request (supabase/config.toml: max_rows). */
const pageSize = 1_000

interface PageResult<Row> {
  data: Row[] | null
  error: unknown
}

/** Reads all rows, one page after the other. Returns undefined if a page cannot be read. */
export async function allRows<Row>(
  page: (from: number, to: number) => PromiseLike<PageResult<Row>>,
): Promise<Row[] | undefined> {
  const rows: Row[] = []
  for (;;) {
    const { data, error } = await page(rows.length, rows.length + pageSize - 1)
    if (error || !data) return undefined
    rows.push(...data)
    if (data.length < pageSize) return rows
  }
}

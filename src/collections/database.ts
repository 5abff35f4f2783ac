import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import type { Database } from '#supabase/types.ts'

type Tables = Database['public']['Tables']
export type FaqRow = Tables['faqs']['Row']
export type DemoRow = Tables['audio_demos']['Row']
type SettingsRow = Tables['site_settings']['Row']

/** The admin's rows, which replace entries of content/. Deleted rows are included. */
export interface DatabaseRows {
  faqs: readonly FaqRow[]
  audio_demos: readonly DemoRow[]
  site_settings: readonly SettingsRow[]
}

const noRows: DatabaseRows = { faqs: [], audio_demos: [], site_settings: [] }
/** The most rows that PostgREST returns for one request (supabase/config.toml: max_rows). */
const pageSize = 1_000
const timeoutMs = 20_000

/** Returns a database client with all rights, or undefined if the environment has no secret key. */
export function databaseClient(): SupabaseClient<Database> | undefined {
  const { SUPABASE_SECRET_KEY: key, PUBLIC_SUPABASE_URL: url, PUBLIC_SITE_URL: site } = process.env
  if (!key || !url) return undefined
  return createClient<Database>(new URL(url, site).href, key, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    global: { fetch: (input, init) => fetch(input, { ...init, signal: AbortSignal.timeout(timeoutMs) }) },
  })
}

/**
 * Reads the rows if the environment has the secret key. Without it there are none, and the build uses content/ alone.
 * @throws Error if the database does not answer, so that the site is not published without the admin's changes
 */
async function readRows(): Promise<DatabaseRows> {
  const supabase = databaseClient()
  if (!supabase) return noRows

  const all = async <Name extends keyof DatabaseRows>(name: Name): Promise<DatabaseRows[Name]> => {
    const rows: unknown[] = []
    for (;;) {
      const { data, error } = await supabase
        .from(name as 'faqs')
        .select('*')
        .order('id')
        .range(rows.length, rows.length + pageSize - 1)
      if (error) {
        const why = error.code || error.message
        throw new Error(`The database did not answer with its ${name} (${why}). Nothing was published.`)
      }
      rows.push(...data)
      if (data.length < pageSize) return rows as unknown as DatabaseRows[Name]
    }
  }
  const [faqs, demos, settings] = await Promise.all([all('faqs'), all('audio_demos'), all('site_settings')])
  return { faqs, audio_demos: demos, site_settings: settings }
}

let reading: Promise<DatabaseRows> | undefined

/** Returns the rows of this build. They are read once, so that all its pages show the same data. */
export const databaseRows = (): Promise<DatabaseRows> => (reading ??= readRows())

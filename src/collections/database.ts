import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import type { Database } from '#supabase/types.ts'

type Tables = Database['public']['Tables']
export type FaqRow = Tables['faqs']['Row']
export type DemoRow = Tables['audio_demos']['Row']
export type SettingsRow = Tables['site_settings']['Row']

/** What the admin has written over content/, tombstones included. */
export interface DatabaseRows {
  faqs: readonly FaqRow[]
  audio_demos: readonly DemoRow[]
  site_settings: readonly SettingsRow[]
}

const none: DatabaseRows = { faqs: [], audio_demos: [], site_settings: [] }
/** PostgREST answers no more rows at once (supabase/config.toml: max_rows). */
const rowsAtOnce = 1_000
const timeoutMs = 20_000

/** The database with all rights; undefined where the environment holds no secret key. */
export function databaseClient(): SupabaseClient<Database> | undefined {
  const { SUPABASE_SECRET_KEY: key, PUBLIC_SUPABASE_URL: address, PUBLIC_SITE_URL: site } = process.env
  if (!key || !address) return undefined
  return createClient<Database>(new URL(address, site).href, key, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    global: { fetch: (input, init) => fetch(input, { ...init, signal: AbortSignal.timeout(timeoutMs) }) },
  })
}

/**
 * Reads the rows where the environment holds the secret key; without it the files of content/ are all there is.
 * @throws Error when the database gives no answer: what it would have changed must not be published without it
 */
async function read(): Promise<DatabaseRows> {
  const supabase = databaseClient()
  if (!supabase) return none

  const all = async <Name extends keyof DatabaseRows>(name: Name): Promise<DatabaseRows[Name]> => {
    const rows: unknown[] = []
    for (;;) {
      const { data, error } = await supabase
        .from(name as 'faqs')
        .select('*')
        .order('id')
        .range(rows.length, rows.length + rowsAtOnce - 1)
      if (error) {
        const why = error.code || error.message
        throw new Error(`The database did not answer with its ${name} (${why}). Nothing was published.`)
      }
      rows.push(...data)
      if (data.length < rowsAtOnce) return rows as unknown as DatabaseRows[Name]
    }
  }
  const [faqs, demos, settings] = await Promise.all([all('faqs'), all('audio_demos'), all('site_settings')])
  return { faqs, audio_demos: demos, site_settings: settings }
}

let reading: Promise<DatabaseRows> | undefined

/** The rows of this build: read once, so that all its pages are of one moment. */
export const databaseRows = (): Promise<DatabaseRows> => (reading ??= read())

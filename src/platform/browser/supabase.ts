import { AuthClient } from '@supabase/auth-js'
import { PostgrestClient } from '@supabase/postgrest-js'
import type { Database } from '#supabase/types.ts'
import { storageKey } from '#site'
import { fetchReportingDenials } from './permission-errors.ts'
import { env } from './env.ts'
import { tabStorage } from '#platform/browser/storage/storage.ts'
import { createTokenSync } from '#platform/browser/storage/token-sync.ts'

/** The key under which auth-js keeps the session in local storage; the page's first script reads it too. */
export const authStorageKey = storageKey('auth')

/** Of the realtime connection, which nothing opens yet (specification, section 9); the SDK's own default is 25 s. */
const heartbeatIntervalMs = 30_000

/** Accounts, and the rows and functions of the database. */
type Supabase = PostgrestClient<Database> & { auth: InstanceType<typeof AuthClient> }

let client: Supabase | undefined

/**
 * Returns the page's one Supabase client. It is made on first use, so that the build can import this file. It has those
 * parts of supabase-js that every page of the app uses; files and realtime are loaded on use.
 */
export const supabase = (): Supabase => (client ??= connect())

const service = (path: string): string =>
  new URL(`${env.supabaseUrl.replace(/\/$/, '')}/${path}`, location.origin).href

const accessToken = async (): Promise<string> =>
  (await supabase().auth.getSession()).data.session?.access_token ?? env.supabaseKey

/** Fetches as the user who is signed in. */
const fetchAsUser: typeof fetch = async (input, init) => {
  const headers = new Headers(init?.headers)
  headers.set('apikey', env.supabaseKey)
  headers.set('authorization', `Bearer ${await accessToken()}`)
  return fetchReportingDenials(input, { ...init, headers })
}

function connect(): Supabase {
  const auth = new AuthClient({
    url: service('auth/v1'),
    // auth-js replaces Authorization, in this spelling, by the token of the user.
    headers: { apikey: env.supabaseKey, Authorization: `Bearer ${env.supabaseKey}` },
    storageKey: authStorageKey,
    detectSessionInUrl: false,
    fetch: fetchReportingDenials,
  })
  const sync = createTokenSync({ url: env.tokenSyncUrl, origin: location.origin, storage: tabStorage })
  auth.onAuthStateChange((event, session) => sync(event, session?.access_token))
  return Object.assign(new PostgrestClient<Database>(service('rest/v1'), { fetch: fetchAsUser }), { auth })
}

/** Returns the files of a bucket; undefined if the code for files did not load. */
export async function filesOf(bucket: string) {
  try {
    const { StorageClient } = await import('@supabase/storage-js')
    return new StorageClient(service('storage/v1'), {}, fetchAsUser).from(bucket)
  } catch {
    return undefined
  }
}

/** Returns a realtime client, as the user who is signed in. */
export async function realtime() {
  const { RealtimeClient } = await import('@supabase/realtime-js')
  return new RealtimeClient(service('realtime/v1').replace('http', 'ws'), {
    heartbeatIntervalMs,
    params: { apikey: env.supabaseKey },
    accessToken,
  })
}

/** The most rows that PostgREST returns for one request (supabase/config.toml: max_rows). */
const pageSize = 1_000

interface PageResult<Row> {
  data: Row[] | null
  error: unknown
}

/** Reads all rows of what stays small, one page after the other. Returns undefined if a page cannot be read. */
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

interface RowsQuery extends PromiseLike<PageResult<unknown>> {
  gte: (column: string, value: string) => this
  or: (filters: string) => this
  order: (column: string) => this
  limit: (rows: number) => this
}

/**
 * Reads all rows of a table that grows, one page after the other; the database reads each row once.
 * @param query begins the query of each page; its rows have the columns `at` and `id`
 * @param at the column of the time by which the rows are sorted, oldest first
 * @param id the column by which rows of the same time are sorted
 * @returns undefined if a page cannot be read
 */
export async function allRowsSince(
  query: () => RowsQuery,
  at: string,
  id = 'id',
): Promise<Record<string, unknown>[] | undefined> {
  const rows: Record<string, unknown>[] = []
  for (;;) {
    const page = query().order(at).order(id).limit(pageSize)
    const last = rows.at(-1)
    // The first condition leads the index to the page, the second passes over what is read already.
    if (last) page.gte(at, String(last[at])).or(`${at}.gt."${last[at]}",${id}.gt.${last[id]}`)
    const { data, error } = await page
    if (error || !data) return undefined
    rows.push(...(data as typeof rows))
    if (data.length < pageSize) return rows
  }
}

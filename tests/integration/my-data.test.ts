import { storageKey } from '#site'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { readAllCalls } from '#calls/browser/calls.ts'
import { openBrowserPage } from '../support/browser-page.ts'
import { startTestSupabase, testKeys, type TestSupabase } from '../support/supabase.ts'

let db: TestSupabase
const page = openBrowserPage((request) => {
  const headers = new Headers(request.headers)
  headers.set('apikey', testKeys.publishable)
  return db.supabase.fetch(new Request(request.url.replace('/supabase/', '/'), { headers }))
})
beforeAll(async () => {
  db = await startTestSupabase()
})
afterAll(async () => {
  vi.unstubAllGlobals()
  await db.close()
})

test('the export reads 2,500 calls in three requests, each call once, each page from where the one before ended', async () => {
  const { id, client } = await db.createCustomer()
  page.localStorage.setItem(storageKey('auth'), JSON.stringify((await client.auth.getSession()).data.session))
  // The pages end among calls that began at the same time.
  await db.supabase.query(
    `insert into public.calls (user_id, provider_call_id, kind, direction, started_at, seconds)
    select $1, 'nth ' || n, 'call', 'inbound', '2026-01-01T00:00:00.123456Z'::timestamptz + n / 300 * interval '1 hour', 60
    from generate_series(1, 2500) n`,
    [id],
  )
  const calls = (await readAllCalls(id)) ?? []
  expect(new Set(calls.map((call) => call.id)).size).toBe(2_500)
  expect(calls).toHaveLength(2_500)
  expect(calls.map((call) => call.started_at)).toEqual(calls.map((call) => call.started_at).toSorted())
  const asked = page.requests.map(({ url }) => new URL(url).searchParams)
  expect(asked.map((search) => [search.get('offset'), search.get('started_at')])).toEqual([
    [null, null],
    ...[1_000, 2_000].map((read) => [null, `gte.${calls[read - 1]!.started_at}`]),
  ])
})

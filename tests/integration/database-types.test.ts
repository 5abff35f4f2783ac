import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { generateFingerprints, generateTypes } from '../../local/supabase/generate-types.ts'
import { generateRights } from '../../local/supabase/rights.ts'
import { contentOf } from '../rehearsal/rehearse.ts'
import { migratedSnapshot, schemasDir, startTestSupabase, type TestSupabase } from '../support/supabase.ts'

/** The database that the schemas describe, from which the files are generated. */
let described: TestSupabase
/** Those that the migrations make: on a server, and of `npm start`. */
let migrated: TestSupabase
let embedded: TestSupabase
beforeAll(async () => {
  const close = () => Promise.resolve()
  const schemas = { snapshot: await migratedSnapshot(schemasDir), migrationsDir: schemasDir }
  described = await startTestSupabase({ start: schemas, close })
  migrated = await startTestSupabase()
  embedded = await startTestSupabase({ start: { snapshot: await migratedSnapshot() }, close })
}, 120_000)
afterAll(() => Promise.all([described, migrated, embedded].map((each) => each.close())))

const committed = (file: string) => readFile(path.join(import.meta.dirname, '../../supabase', file), 'utf8')

test('supabase/types.ts matches the schemas (else run npm run types:db)', async () => {
  expect(await committed('types.ts')).toBe(await generateTypes(described.supabase.query))
})

test('supabase/schema-fingerprints.ts matches the schemas (else run npm run types:db)', async () => {
  expect(await committed('schema-fingerprints.ts')).toBe(await generateFingerprints(described.supabase.query))
})

test('the migrations make what the schemas describe, embedded and on a server (else add a migration: docs/database.md)', async () => {
  const wanted = await generateFingerprints(described.supabase.query)
  for (const { supabase } of [migrated, embedded])
    expect(await generateFingerprints(supabase.query)).toBe(wanted)
})

test('46. A right that supabase/rights.txt does not name → found, with the default privileges of a hosted project and without (else run npm run types:db)', async () => {
  for (const { supabase } of [described, migrated, embedded])
    expect(await committed('rights.txt')).toBe(await generateRights(supabase.query))
})

test('the migrations write the rows that the schemas write', async () => {
  const [wanted, found] = await Promise.all([firstRows(described), firstRows(migrated)])
  expect(wanted.find(([table]) => table === 'private.settings')?.[1].length).toBeGreaterThan(20)
  expect(found).toEqual(wanted)
})

/** Returns the rows that a new database has in each table, without when they were written. */
async function firstRows({ supabase }: TestSupabase): Promise<[table: string, rows: string[]][]> {
  const buckets = await supabase.query<Record<string, unknown>>('select * from storage.buckets')
  const untimed = (row: Record<string, unknown>) =>
    JSON.stringify(Object.entries(row).filter(([column]) => !column.endsWith('_at')))
  return [...(await contentOf(supabase)), ['storage.buckets', buckets] as const].map(([table, rows]) => [
    table,
    rows.map(untimed).toSorted(),
  ])
}

import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { generateFingerprints, generateTypes } from '../../local/supabase/generate-types.ts'
import { generateRights } from '../../local/supabase/rights.ts'
import { migratedSnapshot, startTestSupabase, type TestSupabase } from '../support/supabase.ts'

let db: TestSupabase
/** The database of `npm start`, from which the files are generated. */
let embedded: TestSupabase
beforeAll(async () => {
  db = await startTestSupabase()
  const start = { snapshot: await migratedSnapshot() }
  embedded = await startTestSupabase({ start, close: () => Promise.resolve() })
})
afterAll(() => Promise.all([db.close(), embedded.close()]))

const committed = (file: string) => readFile(path.join(import.meta.dirname, '../../supabase', file), 'utf8')

test('supabase/types.ts matches the migrations (else run npm run types:db)', async () => {
  expect(await committed('types.ts')).toBe(await generateTypes(db.supabase.query))
})

test('supabase/schema-fingerprints.ts matches the migrations, embedded and on a server (else run npm run types:db)', async () => {
  for (const { supabase } of [db, embedded])
    expect(await committed('schema-fingerprints.ts')).toBe(await generateFingerprints(supabase.query))
})

test('46. A right that supabase/rights.txt does not name → found, with the default privileges of a hosted project and without (else run npm run types:db)', async () => {
  for (const { supabase } of [db, embedded])
    expect(await committed('rights.txt')).toBe(await generateRights(supabase.query))
})

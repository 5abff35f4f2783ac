import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { generateFingerprints, generateTypes } from '../../local/supabase/generate-types.ts'
import { migratedSnapshot, startTestSupabase, type TestSupabase } from '../support/supabase.ts'

let db: TestSupabase
beforeAll(async () => {
  db = await startTestSupabase()
})
afterAll(() => db.close())

test('supabase/types.ts matches the migrations (else run npm run types:db)', async () => {
  const committed = await readFile(path.join(import.meta.dirname, '../../supabase/types.ts'), 'utf8')
  expect(committed).toBe(await generateTypes(db.supabase.query))
})

test('supabase/schema-fingerprints.ts matches the migrations (else run npm run types:db)', async () => {
  const file = path.join(import.meta.dirname, '../../supabase/schema-fingerprints.ts')
  expect(await readFile(file, 'utf8')).toBe(await generateFingerprints(db.supabase.query))
})

test('the embedded database has the same fingerprints as a PostgreSQL server', async () => {
  const embedded = await startTestSupabase({
    start: { snapshot: await migratedSnapshot() },
    close: () => Promise.resolve(),
  })
  const [one, other] = await Promise.all(
    [db, embedded].map(({ supabase }) => generateFingerprints(supabase.query)),
  )
  expect(one).toBe(other)
  await embedded.close()
})

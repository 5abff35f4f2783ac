import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { generateTypes, generateVersions } from '../../local/supabase/generate-types.ts'
import { startTestSupabase, type TestSupabase } from '../support/supabase.ts'

let db: TestSupabase
beforeAll(async () => {
  db = await startTestSupabase()
})
afterAll(() => db.close())

test('supabase/types.ts matches the migrations (else run npm run types:db)', async () => {
  const committed = await readFile(path.join(import.meta.dirname, '../../supabase/types.ts'), 'utf8')
  expect(committed).toBe(await generateTypes(db.supabase.query))
})

test('supabase/schema-versions.ts names every migration (else run npm run types:db)', async () => {
  const committed = await readFile(
    path.join(import.meta.dirname, '../../supabase/schema-versions.ts'),
    'utf8',
  )
  expect(committed).toBe(await generateVersions())
})

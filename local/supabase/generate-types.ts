import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { format, resolveConfig } from 'prettier'
import { databaseTypes } from './database-types.ts'
import { readSchema } from './schema-introspection.ts'
import { startSupabase, type Supabase } from './start.ts'

const typesFile = path.join(import.meta.dirname, '../../supabase/types.ts')

/** Returns the contents of supabase/types.ts for a database with the present migrations. */
export async function generateTypes(query: Supabase['query']): Promise<string> {
  const style = await resolveConfig(typesFile)
  return format(databaseTypes(await readSchema(query)), { ...style, parser: 'typescript', plugins: [] })
}

/** `npm run types:db`: updates supabase/types.ts from the migrations. */
async function run(): Promise<void> {
  const storageDir = await mkdtemp(path.join(tmpdir(), 'deskbell-types-'))
  const supabase = await startSupabase({
    storageDir,
    migrationsDir: path.join(import.meta.dirname, '../../supabase/migrations'),
    keys: { publishable: 'unused', secret: 'unused', jwtSecret: 'unused'.repeat(6) },
    siteUrl: 'http://localhost',
  })
  await writeFile(typesFile, await generateTypes(supabase.query))
  await supabase.close()
  await rm(storageDir, { recursive: true, force: true })
}

if (import.meta.main) await run()

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { format, resolveConfig } from 'prettier'
import { databaseTypes } from './database-types.ts'
import { listMigrations } from './migrations.ts'
import { readSchema } from './schema-introspection.ts'
import { startSupabase, type Supabase } from './start.ts'

const folder = path.join(import.meta.dirname, '../../supabase')
const migrationsDir = path.join(folder, 'migrations')
const typesFile = path.join(folder, 'types.ts')
const versionsFile = path.join(folder, 'schema-versions.ts')

/** Returns the contents of supabase/types.ts for a database with the present migrations. */
export async function generateTypes(query: Supabase['query']): Promise<string> {
  const style = await resolveConfig(typesFile)
  return format(databaseTypes(await readSchema(query)), { ...style, parser: 'typescript', plugins: [] })
}

/** Returns the contents of supabase/schema-versions.ts: what the code expects of its database. */
export async function generateVersions(): Promise<string> {
  const style = await resolveConfig(versionsFile)
  const versions = (await listMigrations(migrationsDir)).map(({ version }) => version)
  const text = `/** The migrations that this code needs, written by \`npm run types:db\`. */
export const schemaVersions: readonly string[] = ${JSON.stringify(versions)}`
  return format(text, { ...style, parser: 'typescript', plugins: [] })
}

/** `npm run types:db`: updates supabase/types.ts and supabase/schema-versions.ts from the migrations. */
async function run(): Promise<void> {
  const storageDir = await mkdtemp(path.join(tmpdir(), 'deskbell-types-'))
  const supabase = await startSupabase({
    storageDir,
    migrationsDir,
    keys: { publishable: 'unused', secret: 'unused', jwtSecret: 'unused'.repeat(6) },
    siteUrl: 'http://localhost',
  })
  await writeFile(typesFile, await generateTypes(supabase.query))
  await writeFile(versionsFile, await generateVersions())
  await supabase.close()
  await rm(storageDir, { recursive: true, force: true })
}

if (import.meta.main) await run()

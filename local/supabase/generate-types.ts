import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { format, resolveConfig } from 'prettier'
import { databaseTypes } from './database-types.ts'
import { generateRights } from './rights.ts'
import { readSchema } from './schema-introspection.ts'
import { startSupabase, type Supabase } from './start.ts'

const folder = path.join(import.meta.dirname, '../../supabase')
const schemasDir = path.join(folder, 'schemas')
const typesFile = path.join(folder, 'types.ts')
const fingerprintsFile = path.join(folder, 'schema-fingerprints.ts')
const rightsFile = path.join(folder, 'rights.txt')

/** Returns the contents of supabase/types.ts for a database. */
export async function generateTypes(query: Supabase['query']): Promise<string> {
  const style = await resolveConfig(typesFile)
  return format(databaseTypes(await readSchema(query)), { ...style, parser: 'typescript', plugins: [] })
}

/** Returns the contents of supabase/schema-fingerprints.ts: the schema that the code expects of its database. */
export async function generateFingerprints(query: Supabase['query']): Promise<string> {
  const style = await resolveConfig(fingerprintsFile)
  const [row] = await query<{ found: Record<string, string> }>('select public.schema_fingerprints() as found')
  const sorted = Object.entries(row?.found ?? {}).sort(([one], [other]) => (one < other ? -1 : 1))
  const text = `/** The objects of supabase/schemas, each with its fingerprint, written by \`npm run types:db\`. */
export const schemaFingerprints: Readonly<Record<string, string>> = ${JSON.stringify(Object.fromEntries(sorted))}`
  return format(text, { ...style, parser: 'typescript', plugins: [] })
}

/** `npm run types:db`: updates types.ts, schema-fingerprints.ts and rights.txt of supabase/ from its schemas. */
async function run(): Promise<void> {
  const storageDir = await mkdtemp(path.join(tmpdir(), 'deskbell-types-'))
  const supabase = await startSupabase({
    storageDir,
    migrationsDir: schemasDir,
    keys: { publishable: 'unused', secret: 'unused', jwtSecret: 'unused'.repeat(6) },
    siteUrl: 'http://localhost',
  })
  await writeFile(typesFile, await generateTypes(supabase.query))
  await writeFile(fingerprintsFile, await generateFingerprints(supabase.query))
  await writeFile(rightsFile, await generateRights(supabase.query))
  await supabase.close()
  await rm(storageDir, { recursive: true, force: true })
}

if (import.meta.main) await run()

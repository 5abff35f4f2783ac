import { createHash } from 'node:crypto'
import { copyFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createClient } from '@supabase/supabase-js'
import { listMigrations } from '../../local/supabase/migrations.ts'
import { readSchema, type Schema } from '../../local/supabase/schema-introspection.ts'
import { startSupabase, type Supabase } from '../../local/supabase/start.ts'
import { exampleOf } from '../support/payloads.ts'
import { migrationsDir, testKeys, testUrl } from '../support/supabase.ts'

/** The last release, as its databases are. */
export interface Release {
  /** The folder of the migrations as they were released. */
  migrationsDir: string
  /** SQL that writes at least one row into each table. */
  rows: string
}

/** A database without any migration, made once: one that starts from it is there in a second. */
let platform: Promise<Blob> | undefined

async function makePlatform(): Promise<Blob> {
  const folder = await mkdtemp(path.join(tmpdir(), 'deskbell-platform-'))
  await mkdir(path.join(folder, 'migrations'))
  await copyFile(path.join(migrationsDir, '../config.toml'), path.join(folder, 'config.toml'))
  const supabase = await startSupabase({
    storageDir: path.join(folder, 'storage'),
    migrationsDir: path.join(folder, 'migrations'),
    keys: testKeys,
    siteUrl: testUrl,
  })
  const snapshot = await supabase.dump()
  await supabase.close()
  await rm(folder, { recursive: true, force: true })
  return snapshot
}

type Row = Record<string, unknown>
/** The rows of each table. */
type Content = Map<string, Row[]>

/**
 * Rehearses an upgrade: makes a database of the last release with rows in every table, applies the newer migrations, and
 * compares it with a database that is made anew. The functions of the last release still run for some minutes after a
 * database is migrated, so their payloads must be accepted, too.
 * @param presentDir the folder of the present migrations
 * @returns what would go wrong, in sentences; none if the upgrade is safe
 */
export async function rehearse(release: Release, presentDir: string): Promise<string[]> {
  const storageDir = await mkdtemp(path.join(tmpdir(), 'deskbell-rehearsal-'))
  const start = (folder: string, snapshot: Blob): Promise<Supabase> =>
    startSupabase({ storageDir, migrationsDir: folder, keys: testKeys, siteUrl: testUrl, snapshot })
  try {
    const empty = await (platform ??= makePlatform())
    const old = await start(release.migrationsDir, empty)
    for (const statement of release.rows.split(/;\n/)) if (statement.trim()) await old.query(statement)
    const before = await contentOf(old)
    const sent = await readSchema(old.query)
    const unfilled = [...before]
      .filter(([, rows]) => rows.length === 0)
      .map(([table]) => `${table} has no row`)
    const snapshot = await old.dump()
    await old.close()

    const fresh = await start(presentDir, empty)
    const wanted = await fingerprintsOf(fresh)
    await fresh.close()

    const upgraded = await start(presentDir, snapshot)
    const problems = [
      ...unfilled,
      ...differences(await fingerprintsOf(upgraded), wanted),
      ...losses(before, await contentOf(upgraded)),
      ...(await refusals(upgraded, sent)),
    ]
    await upgraded.close()
    return problems
  } finally {
    await rm(storageDir, { recursive: true, force: true })
  }
}

async function fingerprintsOf({ query }: Supabase): Promise<Record<string, string>> {
  const [row] = await query<{ found: Record<string, string> }>('select public.schema_fingerprints() as found')
  return row?.found ?? {}
}

/** Returns the objects that an upgraded database has otherwise than a fresh one. */
function differences(found: Record<string, string>, wanted: Record<string, string>): string[] {
  const names = [...new Set([...Object.keys(found), ...Object.keys(wanted)])].sort()
  return names
    .filter((name) => found[name] !== wanted[name])
    .map((name) => `${name} is not what a fresh database has`)
}

/** Returns the rows of each table of ours. */
export async function contentOf({ query }: Supabase): Promise<Content> {
  const tables = await query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('public', 'private') and c.relkind in ('r', 'p') order by 1`,
  )
  const content: Content = new Map()
  for (const { name } of tables) {
    const rows = await query<{ row: Row }>(`select to_jsonb(t) as row from ${name} t`)
    content.set(
      name,
      rows.map(({ row }) => row),
    )
  }
  return content
}

/** Returns the rows that are gone or changed, in the columns that there still are. */
function losses(before: Content, after: Content): string[] {
  return [...before].flatMap(([table, rows]) => {
    const kept = after.get(table)
    if (!kept) return rows.length > 0 ? [`${table} is gone, with ${rows.length} rows`] : []
    const isKept = (row: Row): boolean =>
      kept.some((other) =>
        Object.keys(row).every(
          (column) => !(column in other) || JSON.stringify(other[column]) === JSON.stringify(row[column]),
        ),
      )
    return rows.filter((row) => !isKept(row)).map((row) => `${table} lost or changed ${JSON.stringify(row)}`)
  })
}

/** Returns the functions of the last release that are gone, or refuse the keys of the payload that the release sends. */
async function refusals(supabase: Supabase, release: Schema): Promise<string[]> {
  const client = createClient(testUrl, testKeys.secret, {
    auth: { persistSession: false, autoRefreshToken: false },
    global: { fetch: (input, init) => supabase.fetch(new Request(input, init)) },
  })
  const problems: string[] = []
  for (const { name, args, payloads } of release.functions.filter((each) => each.payloads.length > 0)) {
    const typeOf = (arg: string): string | undefined => payloads.find((each) => each.arg === arg)?.type
    const sent = args.map((arg) => [arg.name, exampleOf(release, typeOf(arg.name) ?? arg.type)] as const)
    const { error } = await client.rpc(name, Object.fromEntries(sent))
    if (error?.code === 'PGRST202' || /_payload: (missing|unknown)/.test(error?.message ?? ''))
      problems.push(`${name} refuses what the last release sends: ${error?.message}`)
  }
  return problems
}

/** Names the released migrations that were changed or removed since. Their hashes are of the whole file (SHA-256). */
export async function changedMigrations(
  released: Readonly<Record<string, string>>,
  presentDir: string,
): Promise<string[]> {
  const present = new Map<string, string>()
  for (const { file } of await listMigrations(presentDir))
    present.set(path.basename(file), await hashOf(file))
  return Object.entries(released).flatMap(([file, hash]) => (present.get(file) === hash ? [] : [file]))
}

export async function hashOf(file: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(file))
    .digest('hex')
}

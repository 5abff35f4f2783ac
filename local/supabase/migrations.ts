import { readFile, readdir } from 'node:fs/promises'
import path from 'node:path'
import { appliedVersions, ensureHistoryTable, listHistory, type Connection } from '@supabase/lite'
import type { SqlDatabase } from './sql-database.ts'

interface Migration {
  version: string
  name: string
  file: string
}

/** Returns the migrations of a directory in order; other files are ignored. */
export async function listMigrations(directory: string): Promise<Migration[]> {
  const files = (await readdir(directory)).sort()
  return files.flatMap((file) => {
    const [, version, name] = /^(\d+)_(.+)\.sql$/.exec(file) ?? []
    return version && name ? [{ version, name, file: path.join(directory, file) }] : []
  })
}

/**
 * Returns whether each applied migration is still in the directory, with the same statements. A database that has one from
 * before release 0.2.0, or one that was rewritten before its release, cannot be migrated.
 */
export async function followsMigrations(connection: Connection, directory: string): Promise<boolean> {
  await ensureHistoryTable(connection)
  const present = new Map<string, string>()
  for (const { version, file } of await listMigrations(directory)) {
    present.set(version, meaning(await readFile(file, 'utf8')))
  }
  const applied = await listHistory(connection)
  return applied.every(({ version, statements }) => present.get(version) === meaning(statements.join('\n')))
}

/** Returns the statements without comments and line breaks, which do not affect the schema. */
const meaning = (sql: string): string => sql.replace(/--.*$/gm, '').replace(/\s+/g, ' ').trim()

/**
 * Applies the migrations that the database lacks. Each runs in one transaction with its entry in the history table,
 * which is the table of the Supabase CLI.
 * @returns the versions of all applied migrations
 * @throws Error that names the migration that failed and was rolled back
 */
export async function applyMigrations(
  owner: SqlDatabase,
  connection: Connection,
  directory: string,
): Promise<string[]> {
  await ensureHistoryTable(connection)
  const done = new Set(await appliedVersions(connection))
  for (const { version, name, file } of await listMigrations(directory)) {
    if (done.has(version)) continue
    const sql = await readFile(file, 'utf8')
    try {
      await owner.transaction(async (tx) => {
        await tx.exec(sql)
        await tx.query(
          'insert into supabase_migrations.schema_migrations (version, name, statements) values ($1, $2, $3)',
          [version, name, [sql]],
        )
      })
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      throw new Error(`Migration ${version}_${name}: ${reason}`, { cause: error })
    }
    done.add(version)
  }
  return [...done].sort()
}

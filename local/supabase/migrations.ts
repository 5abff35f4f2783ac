import { readFile, readdir } from 'node:fs/promises'
import path from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { appliedVersions, ensureHistoryTable, recordVersion, type Connection } from '@supabase/lite'

interface Migration {
  version: string
  name: string
  file: string
}

/** The migrations of a directory in the order in which they run; other files are passed over. */
export async function listMigrations(directory: string): Promise<Migration[]> {
  const files = (await readdir(directory)).sort()
  return files.flatMap((file) => {
    const [, version, name] = /^(\d+)_(.+)\.sql$/.exec(file) ?? []
    return version && name ? [{ version, name, file: path.join(directory, file) }] : []
  })
}

/**
 * Applies what the database does not have yet, each migration in one transaction with its record, in the history
 * table that the Supabase CLI keeps as well.
 * @returns the versions that the database now has
 * @throws Error that names the migration which failed; that migration has left nothing behind
 */
export async function applyMigrations(
  pg: PGlite,
  connection: Connection,
  directory: string,
): Promise<string[]> {
  await ensureHistoryTable(connection)
  const done = new Set(await appliedVersions(connection))
  for (const { version, name, file } of await listMigrations(directory)) {
    if (done.has(version)) continue
    const sql = await readFile(file, 'utf8')
    await pg.exec('begin')
    try {
      await pg.exec(sql)
      await recordVersion(connection, { version, name, statements: [sql] })
      await pg.exec('commit')
    } catch (error) {
      await pg.exec('rollback')
      const reason = error instanceof Error ? error.message : String(error)
      throw new Error(`Migration ${version}_${name}: ${reason}`, { cause: error })
    }
    done.add(version)
  }
  return [...done].sort()
}

import { existsSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'

const markerOf = (dataDir: string): string => `${path.resolve(dataDir)}.ready`

/**
 * Prepares the directory of a database. If its first start was interrupted (it has no marker), the directory is emptied:
 * such a database cannot start again, and none of its writes was ever confirmed to a client.
 * @returns whether the database must be created; then call {@link markReady} afterwards
 */
export async function prepareDataDirectory(dataDir: string, log: (line: string) => void): Promise<boolean> {
  const made = existsSync(path.join(dataDir, 'PG_VERSION'))
  if (made && existsSync(markerOf(dataDir))) return false
  if (existsSync(dataDir)) {
    log('The first start of the database was interrupted; creating it again.')
    await rm(dataDir, { recursive: true, force: true })
  }
  await rm(markerOf(dataDir), { force: true })
  await mkdir(path.dirname(path.resolve(dataDir)), { recursive: true })
  return true
}

/** Writes a marker next to the directory: its first start was completed. */
export async function markReady(dataDir: string): Promise<void> {
  const draft = `${markerOf(dataDir)}.new`
  await writeFile(draft, 'The first start of this database was completed.\n')
  await rename(draft, markerOf(dataDir))
}

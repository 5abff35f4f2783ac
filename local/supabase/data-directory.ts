import { existsSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'

const markerOf = (dataDir: string): string => `${path.resolve(dataDir)}.ready`

/**
 * Makes a directory usable for a database. One that was abandoned during its first start (it has no marker) never
 * starts again, and nothing in it was ever acknowledged to anyone, so it is emptied.
 * @returns whether the database has yet to be made; then call {@link markReady} once it is
 */
export async function prepareDataDirectory(dataDir: string, log: (line: string) => void): Promise<boolean> {
  const made = existsSync(path.join(dataDir, 'PG_VERSION'))
  if (made && existsSync(markerOf(dataDir))) return false
  if (existsSync(dataDir)) {
    log('The database was left half-made by an interrupted first start; making it anew.')
    await rm(dataDir, { recursive: true, force: true })
  }
  await rm(markerOf(dataDir), { force: true })
  await mkdir(path.dirname(path.resolve(dataDir)), { recursive: true })
  return true
}

/** Records beside the directory that its first start went all the way through. */
export async function markReady(dataDir: string): Promise<void> {
  const draft = `${markerOf(dataDir)}.new`
  await writeFile(draft, 'The first start of this database was completed.\n')
  await rename(draft, markerOf(dataDir))
}

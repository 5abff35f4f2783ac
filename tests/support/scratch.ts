import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const excluded = new Set(['node_modules', 'dist', 'dist-functions', 'test-results', 'playwright-report'])
/** Of the names with a dot, those that the checks read. */
const included = new Set([
  '.ci',
  '.env.example',
  '.github',
  '.gitignore',
  '.prettierignore',
  '.prettierrc.json',
])

/**
 * Makes a copy of the project that may be changed, built and tested. Each package is linked on its own, so that the
 * build caches in node_modules belong to the copy.
 */
export function scratchCopy(): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'deskbell-scratch-'))
  for (const name of readdirSync('.')) {
    if (excluded.has(name) || (name.startsWith('.') && !included.has(name))) continue
    cpSync(name, join(folder, name), { recursive: true })
  }
  mkdirSync(join(folder, 'node_modules'))
  for (const name of readdirSync('node_modules')) {
    if (!name.startsWith('.') || name === '.bin')
      symlinkSync(resolve('node_modules', name), join(folder, 'node_modules', name))
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Makes a copy of the project that is removed when this process ends. */
export function scratchFolder(): string {
  const { folder, remove } = scratchCopy()
  process.once('exit', remove)
  return folder
}

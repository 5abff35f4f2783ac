import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const left = new Set(['node_modules', 'dist', 'tests', 'test-results', 'playwright-report'])

/**
 * A copy of the project that may be changed and built, gone when this process ends. Its packages are links, so
 * that what a build keeps beside them stays in the copy.
 */
export function makeScratch(): string {
  const scratch = mkdtempSync(join(tmpdir(), 'deskbell-bench-'))
  process.once('exit', () => rmSync(scratch, { recursive: true, force: true }))
  for (const name of readdirSync('.')) {
    if (left.has(name) || name.startsWith('.')) continue
    cpSync(name, join(scratch, name), { recursive: true })
  }
  mkdirSync(join(scratch, 'node_modules'))
  for (const name of readdirSync('node_modules')) {
    if (!name.startsWith('.')) symlinkSync(resolve('node_modules', name), join(scratch, 'node_modules', name))
  }
  return scratch
}

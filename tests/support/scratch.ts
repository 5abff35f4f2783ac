import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const sources = ['content', 'public', 'src', 'supabase', 'astro.config.mjs', 'package.json', 'tsconfig.json']

/**
 * A copy of what a build reads, to write other content into. Packages are linked, each for itself, so that what a build
 * keeps in node_modules stays in the copy.
 */
export function scratchCopy(): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'deskbell-scratch-'))
  for (const name of sources) cpSync(name, join(folder, name), { recursive: true })
  mkdirSync(join(folder, 'node_modules'))
  for (const name of readdirSync('node_modules')) {
    if (['.astro', '.cache', '.vite'].includes(name)) continue
    symlinkSync(resolve('node_modules', name), join(folder, 'node_modules', name))
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

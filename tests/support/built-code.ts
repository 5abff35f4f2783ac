import { globSync, readFileSync } from 'node:fs'
import { dist } from './built-pages.ts'

/** The files of code that the build wrote, as addresses. */
export const chunks = (): string[] =>
  globSync(`${dist}/_astro/*.js`)
    .map((file) => file.slice(dist.length).replaceAll('\\', '/'))
    .sort()

const codeOf = (address: string): string => readFileSync(`${dist}${address}`, 'utf8')
const neighbour = (name: string): string => `/_astro/${name}`

/** A file and all that it imports, at any depth, but not what it loads on use. */
export function withImports(address: string, found = new Set<string>()): Set<string> {
  if (found.has(address)) return found
  found.add(address)
  for (const [, name = ''] of codeOf(address).matchAll(/(?:\bfrom|\bimport) ?["'`]\.\/([^"'`]+)["'`]/g))
    withImports(neighbour(name), found)
  return found
}

/** What is loaded on use anywhere: the address of the file that an `import()` names. */
export const loadedOnUse = (): string[] => [
  ...new Set(
    chunks().flatMap((address) =>
      [...codeOf(address).matchAll(/import\(["'`]\.\/([^"'`]+)["'`]\)/g)].map(([, name = '']) =>
        neighbour(name),
      ),
    ),
  ),
]

/** The files that a page asks for by itself: its own scripts, and those of its island with all that they import. */
export function filesOf(html: string): { scripts: string[]; islands: string[] } {
  const [, modules = ''] = /data-modules="([^"]*)"/.exec(html) ?? []
  return {
    scripts: modules.split(',').map((script) => script.split(' ')[0] ?? ''),
    islands: [...html.matchAll(/data-files="([^"]*)"/g)].flatMap(([, files = '']) => files.split(' ')),
  }
}

/** The name that a file of code has in the source: `/_astro/search-dialog.BuxA4gjy.js` is `search-dialog`. */
export const nameOf = (address: string): string => address.replace(/^\/_astro\/([^.]+).*$/, '$1')

import { globSync, readFileSync } from 'node:fs'
import { dist } from './built-pages.ts'

/** Returns the URLs of the build's JavaScript files. */
const chunks = (): string[] =>
  globSync(`${dist}/_astro/*.js`)
    .map((file) => file.slice(dist.length).replaceAll('\\', '/'))
    .sort()

const codeOf = (url: string): string => readFileSync(`${dist}${url}`, 'utf8')
const neighbour = (name: string): string => `/_astro/${name}`

/** Returns a file and its direct and indirect imports, without dynamic imports. */
export function withImports(url: string, found = new Set<string>()): Set<string> {
  if (found.has(url)) return found
  found.add(url)
  for (const [, name = ''] of codeOf(url).matchAll(/(?:\bfrom|\bimport) ?["'`]\.\/([^"'`]+)["'`]/g))
    withImports(neighbour(name), found)
  return found
}

/** Returns the URLs of all files that an `import()` names. */
export const loadedOnUse = (): string[] => [
  ...new Set(
    chunks().flatMap((url) =>
      [...codeOf(url).matchAll(/import\(["'`]\.\/([^"'`]+)["'`]\)/g)].map(([, name = '']) => neighbour(name)),
    ),
  ),
]

/** Returns the files that a page loads by itself: its own scripts, and those of its islands with their imports. */
export function filesOf(html: string): { scripts: string[]; islands: string[] } {
  const [, modules = ''] = /data-modules="([^"]*)"/.exec(html) ?? []
  return {
    scripts: modules.split(' '),
    islands: [...html.matchAll(/<link rel="modulepreload" href="([^"]*)"/g)].map(([, url = '']) => url),
  }
}

/** Returns the source name of a JavaScript file: `search-dialog` for `/_astro/search-dialog.BuxA4gjy.js`. */
export const nameOf = (url: string): string => url.replace(/^\/_astro\/([^.]+).*$/, '$1')

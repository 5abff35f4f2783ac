import { readFileSync } from 'node:fs'
import { brotliCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { filesOf, loadedOnUse, nameOf, withImports } from '../support/built-code.ts'
import { builtPages, dist } from '../support/built-pages.ts'

/** The most files of code that a page of the app loads by itself. */
const mostFiles = 12
/** The most bytes of such a page and its code, compressed, without headers. */
const mostBytes: Record<string, number> = {
  '/checkout': 139_000,
  '/forgot-password': 133_000,
  '/login': 133_000,
  '/new-password': 133_000,
  '/onboarding': 160_000,
  '/resend': 133_000,
  '/signup': 133_000,
  '/portal': 164_000,
  '/admin': 182_000,
}
/** The tables of all countries' phone numbers, which a tab asks for with its fields for numbers. */
const phone = { files: 1, bytes: 50_000 }

/** The compressed bytes of each file, which many pages share: to compress takes longer than all else here. */
const sizes = new Map<string, number>()
function brotli(path: string): number {
  const size = sizes.get(path) ?? brotliCompressSync(readFileSync(`${dist}${path}`)).length
  sizes.set(path, size)
  return size
}

/** Returns the files that the code of a page imports on use, such as its tabs. */
const importedBy = (files: Iterable<string>): string[] => {
  const code = [...files].map((path) => readFileSync(`${dist}${path}`, 'utf8')).join('')
  return loadedOnUse().filter(
    (path) =>
      code.includes(`import("./${path.split('/').at(-1)}")`) ||
      code.includes(`import(\`./${path.split('/').at(-1)}\`)`),
  )
}

const appPages = builtPages().filter(({ isIsland }) => isIsland)

/** What a page loads by itself: its scripts, its island with all imports, and the agent's first file once it is idle. */
const ownFiles = (html: string): Set<string> => {
  const { scripts, islands } = filesOf(html)
  const register = html.includes(' data-voice-loaded=')
    ? loadedOnUse().filter((path) => nameOf(path) === 'register')
    : []
  return new Set(
    [...scripts, ...islands, ...register].filter(Boolean).flatMap((path) => [...withImports(path)]),
  )
}

test('every page with islands has a budget', () => {
  expect(appPages.map(({ path }) => path).sort()).toEqual(Object.keys(mostBytes).sort())
})

for (const { path, html, file } of appPages) {
  const own = ownFiles(html)
  const island = [...own].filter((each) => ['Portal', 'Admin'].includes(nameOf(each)))
  const tabs = island.length > 0 ? importedBy(island).filter((each) => !own.has(each)) : [undefined]

  test.each(tabs)(`${path} keeps to its files and bytes (%s)`, (tab) => {
    const files = new Set([...own, ...(tab ? withImports(tab) : [])])
    const more = tab && nameOf(tab) === 'AgentTab' ? phone : { files: 0, bytes: 0 }
    const bytes = [...files].reduce(
      (sum, each) => sum + brotli(each),
      brotliCompressSync(readFileSync(file)).length,
    )
    expect(files.size).toBeGreaterThan(6)
    expect(files.size + more.files, [...files].map(nameOf).join(' ')).toBeLessThanOrEqual(
      mostFiles + more.files,
    )
    expect(bytes).toBeLessThanOrEqual(mostBytes[path]!)
  })
}

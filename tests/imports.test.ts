import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'

const { imports: aliases } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  imports: Record<string, string>
}

/** The script of a file of source: of an Astro page, what stands between its fences and in its script elements. */
const scriptOf = (file: string): string => {
  const text = readFileSync(file, 'utf8')
  if (!file.endsWith('.astro')) return text
  const parts = text.matchAll(/^---$([^]*?)^---$|<script[^>]*>([^]*?)<\/script>/gm)
  return [...parts].map(([, fence, script]) => fence ?? script).join('\n')
}

/** The path that an import of this file names, or undefined if it names a package. */
function pathOf(file: string, specifier: string): string | undefined {
  const [name = ''] = specifier.split('?')
  if (name.startsWith('.')) return join(dirname(file), name)
  const [alias, path] =
    Object.entries(aliases).find(([alias]) =>
      alias.endsWith('*') ? name.startsWith(alias.slice(0, -1)) : name === alias,
    ) ?? []
  return path && alias && relative('.', path.replace('*', name.slice(alias.length - 1)))
}

const files = globSync('{src,functions}/**/*.{ts,tsx,astro}').filter((file) => !file.includes('.test.'))
const graph = new Map(
  files.map((file) => [
    file,
    ts
      .preProcessFile(scriptOf(file), true, true)
      .importedFiles.flatMap(({ fileName }) => pathOf(file, fileName) ?? []),
  ]),
)

test('every import leads to a file', () => {
  const lost = [...graph].flatMap(([file, paths]) =>
    paths.filter((path) => !existsSync(path)).map((path) => `${file} → ${path}`),
  )
  expect(graph.size).toBeGreaterThan(300)
  expect(lost).toEqual([])
})

test('no file imports itself in a circle', () => {
  const done = new Set<string>()
  const circles: string[] = []
  const visit = (file: string, above: readonly string[]): void => {
    const start = above.indexOf(file)
    if (start >= 0) circles.push([...above.slice(start), file].join(' → '))
    if (start >= 0 || done.has(file)) return
    for (const path of graph.get(file) ?? []) visit(path, [...above, file])
    done.add(file)
  }
  for (const file of files) visit(file, [])
  expect(circles).toEqual([])
})

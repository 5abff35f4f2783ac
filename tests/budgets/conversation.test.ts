import { globSync, readFileSync } from 'node:fs'
import { brotliCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'

test('a conversation loads at most 18 kB, with its styles and all that it imports and the page has not', () => {
  const files = new Set<string>()
  const follow = (file: string): void => {
    // Each page has loaded what is shared, with Vite's loader.
    if (files.has(file) || file.startsWith('shared.')) return
    files.add(file)
    const code = readFileSync(`dist/_astro/${file}`, 'utf8')
    for (const [, imported = ''] of code.matchAll(/(?:from|import)\s*\(?\s*["`']\.\/([^"`']+\.js)["`']/g))
      follow(imported)
  }
  const [entry = ''] = globSync('dist/_astro/register.*.js')
  follow(entry.replace('dist/_astro/', ''))
  expect([...files].filter((file) => file.startsWith('agent.'))).toHaveLength(1)
  const bytes = [...files].map((file) => brotliCompressSync(readFileSync(`dist/_astro/${file}`)).length)
  const sum = bytes.reduce((total, each) => total + each, 0)
  expect(sum, [...files].map((file, nth) => `${file} ${bytes[nth]}`).join('\n')).toBeLessThanOrEqual(18_000)
})

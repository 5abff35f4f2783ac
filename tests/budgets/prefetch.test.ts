import { globSync, readFileSync } from 'node:fs'
import { brotliCompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'

/** The speculation rules of a page. */
interface Rules {
  prefetch: readonly { where: { and: readonly Condition[] }; eagerness: string }[]
}
type Condition = { href_matches?: string; not?: Condition }

const rulesOf = (html: string): string =>
  /<script type="speculationrules">(.*?)<\/script>/s.exec(html)?.[1] ?? ''

const pages = globSync('dist/**/index.html').map((file) => {
  const html = readFileSync(file, 'utf8')
  return {
    path:
      file
        .replaceAll('\\', '/')
        .slice('dist'.length)
        .replace(/(.)?\/index\.html$/, '$1') || '/',
    html,
    isHidden: html.includes('<meta name="robots" content="noindex">'),
  }
})

const origin = 'https://deskbell.test'
const matches = (href: string, { href_matches, not }: Condition): boolean =>
  not ? !matches(href, not) : new URLPattern(href_matches ?? '/*', origin).test(href, origin)

describe.each(pages)('what $path lets a browser fetch ahead', ({ path, html }) => {
  const rules = rulesOf(html)
  const { prefetch } = JSON.parse(rules) as Rules
  const mayFetch = (href: string): boolean =>
    prefetch.some(({ where }) => where.and.every((condition) => matches(href, condition)))

  test('is the other pages that search engines see, and nothing else', () => {
    expect(pages.some(({ isHidden }) => isHidden)).toBe(true)
    for (const other of pages)
      expect(mayFetch(other.path), other.path).toBe(!other.isHidden && other.path !== path)
    for (const url of [
      '/checkout?plan=growth',
      '/portal/billing',
      '/audio/hotel.mp3',
      'https://elsewhere.test/pricing',
    ])
      expect(mayFetch(url), url).toBe(false)
  })

  test('waits for a sign of intent, and costs no script and 200 bytes', () => {
    expect(prefetch.map(({ eagerness }) => eagerness)).toEqual(['moderate'])
    expect(brotliCompressSync(rules).length).toBeLessThan(200)
  })
})

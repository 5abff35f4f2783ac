import { globSync, readFileSync } from 'node:fs'
import { brotliCompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'

/** What the built pages let a browser fetch ahead. The build is the test runner's. */
interface Rules {
  prefetch: readonly { where: { and: readonly Condition[] }; eagerness: string }[]
}
type Condition = { href_matches?: string; selector_matches?: string; not?: Condition }

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
const all = rulesOf(readFileSync('dist/index.html', 'utf8'))
const { prefetch } = JSON.parse(all) as Rules

const origin = 'https://deskbell.test'
const matches = (href: string, { href_matches, not }: Condition): boolean =>
  not
    ? !not.href_matches || !matches(href, not)
    : new URLPattern(href_matches ?? '/*', origin).test(href, origin)
const mayFetch = (href: string): boolean =>
  prefetch.some(({ where }) => where.and.every((condition) => matches(href, condition)))

describe('fetching ahead', () => {
  test('is for the pages that search engines see, and for no other', () => {
    expect(pages.some(({ isHidden }) => isHidden)).toBe(true)
    for (const { path, isHidden } of pages) expect(mayFetch(path), path).toBe(!isHidden)
    for (const address of [
      '/checkout?plan=growth',
      '/portal/billing',
      '/audio/hotel.mp3',
      'https://elsewhere.test/pricing',
    ])
      expect(mayFetch(address), address).toBe(false)
    expect(mayFetch('/faq#languages')).toBe(true)
  })

  test('waits for a sign of intent, on every page', () => {
    expect(prefetch.map(({ eagerness }) => eagerness)).toEqual(['moderate'])
    for (const { path, html } of pages) expect(rulesOf(html), path).toBe(all)
  })

  test('costs no script and 200 bytes', () => {
    expect(brotliCompressSync(all).length).toBeLessThan(200)
  })
})

import { readFileSync } from 'node:fs'
import { brotliCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { filesOf, loadedOnUse, nameOf, withImports } from '../support/built-code.ts'
import { builtPages, dist } from '../support/built-pages.ts'

const pages = builtPages()
/** The weight of the SDK by which a customer calls the agent from the browser, compressed. */
const mostBytes = 68_000

test('the SDK of the voice provider is loaded by the press alone, whole and within its weight', () => {
  const found = loadedOnUse().filter((url) => nameOf(url) === 'join-vapi')
  expect(found).toHaveLength(1)
  for (const { path, html } of pages) {
    const { scripts, islands } = filesOf(html)
    const loaded = new Set([...scripts, ...islands].filter(Boolean).flatMap((url) => [...withImports(url)]))
    expect(
      found.filter((url) => loaded.has(url)),
      path,
    ).toEqual([])
    for (const url of found) expect(html, path).not.toContain(url)
  }
  for (const url of found) {
    const code = readFileSync(`${dist}${url}`)
    expect(brotliCompressSync(code).length, url).toBeLessThanOrEqual(mostBytes)
  }
})

test('the portal’s content policy admits the provider’s calls, and no other page’s does', () => {
  const provider = /https:\/\/[a-z.*]*(?:daily\.co|vapi\.ai)/
  const admitting = pages.filter(({ policy }) => provider.test(policy))
  expect(admitting.map(({ path }) => path)).toEqual(['/portal'])
  const portal = admitting[0]!.policy
  expect(portal).toMatch(/connect-src [^;]* https:\/\/\*\.daily\.co wss:\/\/\*\.daily\.co;/)
  expect(portal).toMatch(/script-src [^;]* https:\/\/c\.daily\.co /)
  expect(portal).not.toMatch(/'unsafe-eval'|worker-src/)
})

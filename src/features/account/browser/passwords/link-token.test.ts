import { afterEach, expect, test, vi } from 'vitest'
import { forgetLinkToken, readLinkToken, takeLinkToken } from './link-token.ts'

/** Opens a page; the entry of the browser's history changes as the browser's does. */
function open(path: string, state: object | null = null) {
  const entry = { url: `https://desk.example${path}`, state }
  vi.stubGlobal('location', {
    get href() {
      return entry.url
    },
  })
  vi.stubGlobal('history', {
    get state() {
      return entry.state
    },
    replaceState: (state: object, _: string, url: string | URL = entry.url) =>
      Object.assign(entry, { state, url: String(url) }),
  })
  takeLinkToken()
  return entry
}
afterEach(() => vi.unstubAllGlobals())

test('181. A token leaves the URL, and a reload has it until it is used', () => {
  const entry = open('/signup?token=secret&from=mail#top', { typed: [] })
  expect(entry.url).toBe('https://desk.example/signup?from=mail#top')
  expect(readLinkToken()).toBe('secret')

  open('/signup', entry.state)
  expect(readLinkToken()).toBe('secret')
  forgetLinkToken()
  expect(readLinkToken()).toBeNull()
  expect(history.state).toEqual({ typed: [] })
})

test('a newer link takes the place of one that was not used', () => {
  open('/signup?token=second', { linkToken: 'first' })
  expect(readLinkToken()).toBe('second')
})

test.each(['/signup', '/signup?token=', '/checkout?plan=growth'])(
  '%s has no token, and stays as it is',
  (path) => {
    const entry = open(path)
    expect(entry).toEqual({ url: `https://desk.example${path}`, state: null })
    expect(readLinkToken()).toBeNull()
  },
)

import { beforeEach, describe, expect, test } from 'vitest'
import { createTokenSync } from './token-sync.ts'

const origin = 'https://deskbell.test'
const issuedAt = 1_790_000_000_000
const minute = 60_000

const tokenIssued = (at: number): string =>
  `e30.${btoa(JSON.stringify({ iat: at / 1000 })).replace(/=+$/, '')}.signature-${at}`

let told: { method: string; url: string; authorization: string | null }[]
let kept: Map<string, string>
let now: number

beforeEach(() => {
  told = []
  kept = new Map()
  now = issuedAt + minute
})

const sync = (url: string | undefined, answer = () => Promise.resolve(new Response())) =>
  createTokenSync({
    url,
    origin,
    storage: {
      read: (key) => kept.get(key) ?? null,
      write: (key, value) => Boolean(kept.set(key, value)),
      remove: (key) => void kept.delete(key),
    },
    fetch: (input, init) => {
      const request = new Request(String(input), init)
      told.push({
        method: request.method,
        url: request.url,
        authorization: request.headers.get('authorization'),
      })
      return answer()
    },
    now: () => now,
  })

const token = tokenIssued(issuedAt)
const posted = { method: 'POST', url: `${origin}/sync`, authorization: `Bearer ${token}` }

describe('token sync', () => {
  test('posts a new token, and deletes at sign-out', () => {
    const tokens = sync('/sync')
    tokens('SIGNED_IN', token)
    tokens('SIGNED_OUT', undefined)
    expect(told).toEqual([posted, { ...posted, method: 'DELETE' }])
  })

  test('deletes with the token that the page opened with, however old it is', () => {
    now = issuedAt + 50 * minute
    const tokens = sync('/sync')
    tokens('INITIAL_SESSION', token)
    tokens('SIGNED_OUT', undefined)
    expect(told).toEqual([{ ...posted, method: 'DELETE' }])
  })

  test('an opened page starts no session, and a changed account none either', () => {
    const tokens = sync('/sync')
    tokens('INITIAL_SESSION', token)
    tokens('USER_UPDATED', token)
    tokens('INITIAL_SESSION', undefined)
    expect(told).toEqual([])
  })

  test('takes an absolute URL on our own origin', () => {
    sync(`${origin}/sync`)('SIGNED_IN', token)
    expect(told).toEqual([posted])
  })

  test.each([
    ['no configured URL', undefined],
    ['an empty URL', ''],
    ['another origin', 'https://elsewhere.test/sync'],
    ['another origin in disguise', '//elsewhere.test/sync'],
  ])('sends nothing: %s', (_name, url) => {
    const tokens = sync(url)
    tokens('SIGNED_IN', token)
    tokens('SIGNED_OUT', undefined)
    expect(told).toEqual([])
  })

  test('skips a token that is older than five minutes', () => {
    now = issuedAt + 5 * minute + 1
    sync('/sync')('SIGNED_IN', token)
    expect(told).toEqual([])
    now = issuedAt + 5 * minute
    sync('/sync')('SIGNED_IN', token)
    expect(told).toEqual([posted])
  })

  test.each(['', 'a.b', 'a.!.c', 'e30.e30.c'])('skips what is no token: %o', (text) => {
    sync('/sync')('SIGNED_IN', text)
    expect(told).toEqual([])
  })

  test('sends one sign-in once, on the next page too', () => {
    sync('/sync')('SIGNED_IN', token)
    sync('/sync')('SIGNED_IN', token)
    expect(told).toEqual([posted])
  })

  test('sends a refreshed token, and a new sign-in after a sign-out', () => {
    const tokens = sync('/sync')
    tokens('SIGNED_IN', token)
    tokens('TOKEN_REFRESHED', tokenIssued(issuedAt + minute))
    tokens('SIGNED_OUT', undefined)
    tokens('SIGNED_IN', token)
    expect(told.map(({ method }) => method)).toEqual(['POST', 'POST', 'DELETE', 'POST'])
  })

  test('a failure of the request is ignored', async () => {
    const tokens = sync('/sync', () => Promise.reject(new TypeError('Failed to fetch')))
    tokens('SIGNED_IN', token)
    await expect.poll(() => told).toHaveLength(1)
  })
})

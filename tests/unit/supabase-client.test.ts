import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { dropSession, endSession, signIn } from '#clients/session.ts'
import { openBrowserPage, origin } from '../support/browser-page.ts'

const token = `e30.${btoa(JSON.stringify({ iat: 1_700_000_000, exp: 4_000_000_000 }))}.signature`
const session = {
  access_token: token,
  refresh_token: 'refresh',
  token_type: 'bearer',
  expires_at: 4_000_000_000,
  expires_in: 3600,
  user: { id: 'a1', email: 'guest@hotel.example' },
}

const answers: Record<string, () => Response> = {}
const page = openBrowserPage(
  ({ url }) => answers[new URL(url).pathname.split('/').at(-1) ?? '']?.() ?? new Response(),
)
page.localStorage.setItem('deskbell_auth', JSON.stringify(session))

const told = () =>
  page.requests
    .filter(({ url }) => url === `${origin}/token-sync`)
    .map(({ method, headers }) => [method, headers.get('authorization')])

beforeEach(() => page.requests.splice(0))
afterAll(() => vi.unstubAllGlobals())

test('a page that does nothing but sign out tells the token sync, with the token it opened with', async () => {
  answers.logout = () => new Response(null, { status: 204 })
  expect(await endSession('local')).toMatchObject({ ok: true })
  expect(told()).toEqual([['DELETE', `Bearer ${token}`]])
})

test('a session dropped while the provider is out of order is over here, and told once', async () => {
  answers.token = () => Response.json(session)
  answers.logout = () => Response.json({ code: 500, msg: 'The line is busy' }, { status: 500 })
  await signIn('guest@hotel.example', 'front-desk-1')
  await dropSession('global')
  expect(page.localStorage.getItem('deskbell_auth')).toBeNull()
  expect(told()).toEqual([['DELETE', `Bearer ${token}`]])
})

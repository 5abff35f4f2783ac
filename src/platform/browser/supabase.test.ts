import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { dropSession, endSession, signIn } from '#account/browser/session.ts'
import { openBrowserPage, origin, storedSession } from '../../../tests/support/browser-page.ts'

const session = storedSession('a1')
const token = session.access_token

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

test('a page that only signs out sends the end of the session, with the token it was opened with', async () => {
  answers.logout = () => new Response(null, { status: 204 })
  expect(await endSession('local')).toMatchObject({ ok: true })
  expect(told()).toEqual([['DELETE', `Bearer ${token}`]])
})

test('a session dropped while the provider fails is over in this browser, and its end is sent once', async () => {
  answers.token = () => Response.json(session)
  answers.logout = () => Response.json({ code: 500, msg: 'The line is busy' }, { status: 500 })
  await signIn('guest@hotel.example', 'front-desk-1')
  await dropSession('global')
  expect(page.localStorage.getItem('deskbell_auth')).toBeNull()
  expect(told()).toEqual([['DELETE', `Bearer ${token}`]])
})

import { storageKey } from '#site'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { openBrowserPage, origin, storedSession } from '../../../tests/support/browser-page.ts'

const session = storedSession('a1')
const token = session.access_token

const answers: Record<string, () => Response> = {}
vi.resetModules()
const page = openBrowserPage(
  ({ url }) => answers[new URL(url).pathname.split('/').at(-1) ?? '']?.() ?? new Response(),
)
page.localStorage.setItem(storageKey('auth'), JSON.stringify(session))
const { dropSession, endSession, signIn } = await import('#account/browser/session.ts')
const { filesOf, realtime, supabase } = await import('./supabase.ts')

const told = () =>
  page.requests
    .filter(({ url }) => url === `${origin}/token-sync`)
    .map(({ method, headers }) => [method, headers.get('authorization')])

beforeEach(() => page.requests.splice(0))
afterAll(() => vi.unstubAllGlobals())

test('realtime has the times of the specification', async () => {
  const { heartbeatIntervalMs, timeout, reconnectAfterMs } = await realtime()
  expect([heartbeatIntervalMs, timeout]).toEqual([30_000, 10_000])
  expect([1, 2, 3, 4, 5].map(reconnectAfterMs)).toEqual([1_000, 2_000, 5_000, 10_000, 10_000])
})

test('a request carries the token of the user who is signed in, and no other', async () => {
  page.requests.splice(0)
  answers.user = () => Response.json(session.user)
  await supabase().auth.updateUser({ password: 'front-desk-2' })
  await supabase().from('users').select('id')
  await (await filesOf('voice-samples'))?.download('a1/1.wav')
  expect(page.requests.map(({ headers }) => [headers.get('authorization'), headers.has('apikey')])).toEqual(
    Array(3).fill([`Bearer ${token}`, true]),
  )
})

test('a session is refreshed when three ticks of 30 s remain (decision 17)', async () => {
  answers.token = () => Response.json(session)
  const expiring = (seconds: number) => ({ ...session, expires_at: Math.floor(Date.now() / 1000) + seconds })
  for (const [seconds, refreshes] of [
    [100, 0],
    [80, 1],
  ] as const) {
    page.requests.splice(0)
    page.localStorage.setItem(storageKey('auth'), JSON.stringify(expiring(seconds)))
    await supabase().auth.getSession()
    expect(page.requests.filter(({ url }) => url.includes('/token?'))).toHaveLength(refreshes)
  }
  page.localStorage.setItem(storageKey('auth'), JSON.stringify(session))
})

test('a 5xx of the provider is said in our words, a 4xx in its own (decision 17)', async () => {
  const messageOf = async (status: number) => {
    answers.token = () => Response.json({ code: status, msg: 'Database error querying schema' }, { status })
    const signedIn = await signIn('guest@hotel.example', 'front-desk-1')
    return signedIn.ok ? undefined : signedIn.failure.message
  }
  for (const status of [500, 502, 503, 504])
    expect(await messageOf(status)).toBe(
      'We could not reach the server. Check your connection and try again.',
    )
  expect(await messageOf(400)).toBe('Database error querying schema')
})

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
  expect(page.localStorage.getItem(storageKey('auth'))).toBeNull()
  expect(told()).toEqual([['DELETE', `Bearer ${token}`]])
})

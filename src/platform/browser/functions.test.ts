import { afterEach, describe, expect, test, vi } from 'vitest'
import { subscribeAnswer } from '#checkout/domain/contracts.ts'
import { invokeFunction } from './functions.ts'

afterEach(() => vi.unstubAllGlobals())

const requests: Request[] = []
const serverAnswers = (answer: () => Response) => {
  requests.length = 0
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    requests.push(new Request(`https://deskbell.test${path}`, init))
    return answer()
  })
}
const invoke = (accessToken?: string) =>
  invokeFunction('create-stripe-subscription', { body: { a: 1 }, answer: subscribeAnswer, accessToken })

describe('invoking a function', () => {
  test('posts JSON and returns the answer', async () => {
    const answer = { status: 'active', clientSecret: null, token: 'hash' }
    serverAnswers(() => Response.json(answer))
    expect(await invoke('jwt')).toEqual({ ok: true, value: answer })
    const [request] = requests
    expect(request?.method).toBe('POST')
    expect(request?.url).toBe('https://deskbell.test/.netlify/functions/create-stripe-subscription')
    expect(request?.headers.get('content-type')).toBe('application/json')
    expect(request?.headers.get('authorization')).toBe('Bearer jwt')
    expect(await request?.json()).toEqual({ a: 1 })
  })

  test('without a session it carries no authorization', async () => {
    serverAnswers(() => Response.json({}))
    await invoke()
    expect(requests[0]?.headers.has('authorization')).toBe(false)
  })

  test('returns the failure that the server names', async () => {
    const error = { code: 'card_declined', message: 'Your card was declined.' }
    serverAnswers(() => Response.json({ error }, { status: 402 }))
    expect(await invoke()).toEqual({ ok: false, failure: { ...error, answered: true } })
  })

  test.each([
    ['a page instead of JSON', () => new Response('<html>', { status: 502 })],
    ['a code that is not in the contract', () => Response.json({ error: { code: 'odd' } }, { status: 500 })],
    ['a success that is not in the contract', () => Response.json({ status: 'paid' })],
  ])('%s is an unreadable answer', async (_name, answer) => {
    serverAnswers(answer)
    expect(await invoke()).toMatchObject({ ok: false, failure: { code: 'internal', answered: false } })
  })

  test('a network error is no exception', async () => {
    serverAnswers(() => {
      throw new TypeError('Failed to fetch')
    })
    expect(await invoke()).toMatchObject({
      ok: false,
      failure: { code: 'provider_unavailable', answered: false },
    })
  })
})

import { afterEach, describe, expect, test, vi } from 'vitest'
import { subscribeAnswer } from '#checkout/domain/contracts.ts'
import { callFunction } from './functions.ts'

afterEach(() => vi.unstubAllGlobals())

const requests: Request[] = []
const serverAnswers = (answer: () => Response) => {
  requests.length = 0
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    requests.push(new Request(`https://deskbell.test${path}`, init))
    return answer()
  })
}
const call = (accessToken?: string) =>
  callFunction('create-stripe-subscription', { body: { a: 1 }, answer: subscribeAnswer, accessToken })

describe('a call of a function', () => {
  test('posts JSON and reads the answer that the contract names', async () => {
    const answer = { status: 'active', clientSecret: null, token: 'hash' }
    serverAnswers(() => Response.json(answer))
    expect(await call('jwt')).toEqual({ ok: true, value: answer })
    const [request] = requests
    expect(request?.method).toBe('POST')
    expect(request?.url).toBe('https://deskbell.test/.netlify/functions/create-stripe-subscription')
    expect(request?.headers.get('content-type')).toBe('application/json')
    expect(request?.headers.get('authorization')).toBe('Bearer jwt')
    expect(await request?.json()).toEqual({ a: 1 })
  })

  test('without a session it carries no authorization', async () => {
    serverAnswers(() => Response.json({}))
    await call()
    expect(requests[0]?.headers.has('authorization')).toBe(false)
  })

  test('gives the failure that the server names', async () => {
    const error = { code: 'card_declined', message: 'Your card was declined.' }
    serverAnswers(() => Response.json({ error }, { status: 402 }))
    expect(await call()).toEqual({ ok: false, failure: { ...error, answered: true } })
  })

  test.each([
    ['a page instead of JSON', () => new Response('<html>', { status: 502 })],
    ['a code that is not in the contract', () => Response.json({ error: { code: 'odd' } }, { status: 500 })],
    ['a success that is not in the contract', () => Response.json({ status: 'paid' })],
  ])('%s is an answer it cannot read', async (_name, answer) => {
    serverAnswers(answer)
    expect(await call()).toMatchObject({ ok: false, failure: { code: 'internal', answered: false } })
  })

  test('no network is no exception', async () => {
    serverAnswers(() => {
      throw new TypeError('Failed to fetch')
    })
    expect(await call()).toMatchObject({
      ok: false,
      failure: { code: 'provider_unavailable', answered: false },
    })
  })
})

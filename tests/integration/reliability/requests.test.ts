import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { localPriceId } from '../../../local/environment.ts'
import { chargesOf, freshEmail } from '../../support/money.ts'
import { startWorld, type World } from '../../support/world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.close())
beforeEach(() => void world.callsToStripe())

describe('what clients send to create-stripe-subscription', () => {
  test('14. A price sent by the client → ignored; 15. ` A@X.com ` equals `a@x.com`', async () => {
    const email = freshEmail()
    const answer = await world.post('create-stripe-subscription', {
      email: ` ${email.toUpperCase()} `,
      planId: 'pro',
      paymentMethodId: await world.card('4242424242424242'),
      priceId: localPriceId('starter'),
      amount: 1,
    })
    expect(answer.json.status).toBe('active')
    expect(await chargesOf(world, email)).toMatchObject([{ amount: 1500_00 }])
  })

  test.each(['__proto__', 'constructor', 'enterprise', 'unknown', '', null, 1, ['starter'], undefined])(
    '13. planId %j → 400, no provider call',
    async (planId) => {
      const email = freshEmail()
      const body = { email, planId, paymentMethodId: 'pm_1' }
      const { status, json } = await world.post('create-stripe-subscription', body)
      expect(status).toBe(400)
      expect(json.error).toMatchObject({ code: 'invalid_plan' })
      expect(world.callsToStripe()).toEqual([])
      expect(await world.sql('select from public.checkouts where email = $1', [email])).toEqual([])
    },
  )

  const good = JSON.stringify({ email: 'a@example.com', planId: 'growth', paymentMethodId: 'pm_1' })
  const json = { 'content-type': 'application/json' }
  test.each<[string, number, string, RequestInit]>([
    ['GET', 405, 'method_not_allowed', { method: 'GET' }],
    [
      'text/plain',
      415,
      'unsupported_media_type',
      { method: 'POST', headers: { 'content-type': 'text/plain' } },
    ],
    ['no Origin', 403, 'forbidden_origin', { method: 'POST', headers: json, body: good }],
    [
      'a foreign Origin',
      403,
      'forbidden_origin',
      { method: 'POST', headers: { ...json, origin: 'https://evil.example' }, body: good },
    ],
  ])('18. %s → %i', async (_name, status, code, init) => {
    const answer = await world.call('create-stripe-subscription', init)
    expect(answer.status).toBe(status)
    expect(answer.json.error).toMatchObject({ code })
    expect(answer.headers.get('allow')).toBe(status === 405 ? 'POST' : null)
    expect(world.callsToStripe()).toEqual([])
  })

  const large = JSON.stringify({ email: 'x'.repeat(1_000_000) })
  test.each<[string, number, string, string, Record<string, string>]>([
    ['a megabyte', 413, 'body_too_large', large, {}],
    ['a megabyte that says it is small', 413, 'body_too_large', large, { 'content-length': '10' }],
    ['a small one that says it is large', 413, 'body_too_large', good, { 'content-length': '1000000' }],
    ['broken JSON', 400, 'invalid_request', '{"email":', {}],
    ['null', 400, 'invalid_request', 'null', {}],
    ['an empty body', 400, 'invalid_request', '', {}],
    ['no e-mail', 400, 'invalid_request', JSON.stringify({ planId: 'growth', paymentMethodId: 'pm_1' }), {}],
    ['no payment method', 400, 'invalid_request', JSON.stringify({ email: 'a@b.co', planId: 'growth' }), {}],
  ])('18. %s → %i', async (_name, status, code, body, headers) => {
    const answer = await world.post('create-stripe-subscription', body, headers)
    expect(answer.status).toBe(status)
    expect(answer.json.error).toMatchObject({ code })
    expect(world.callsToStripe()).toEqual([])
  })
})

test.each(['create-billing-portal-session', 'request-password-reset'] as const)(
  '%s makes the same checks',
  async (name) => {
    const answers = [
      await world.call(name, { method: 'GET' }),
      await world.post(name, '{}', { 'content-type': 'text/plain' }),
      await world.post(name, {}, { origin: 'https://evil.example' }),
      await world.post(name, { filler: 'x'.repeat(20_000) }),
      await world.post(name, '{'),
    ]
    expect(answers.map(({ status }) => status)).toEqual([405, 415, 403, 413, 400])
  },
)

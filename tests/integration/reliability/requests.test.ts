import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { localPriceId } from '../../../local/environment.ts'
import { chargesOf, freshEmail } from '../../support/money.ts'
import { captureLog } from '../../support/log.ts'
import { centsOf } from '../../support/plan-facts.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
beforeEach(() => world.countCallsToStripe())

describe('requests to create-stripe-subscription', () => {
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
    expect(await chargesOf(world, email)).toMatchObject([{ amount: centsOf('pro') }])
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

test('a field that only bots fill in → 400, no provider call', async () => {
  const { status, json } = await world.post('create-stripe-subscription', {
    email: freshEmail(),
    planId: 'growth',
    paymentMethodId: 'pm_1',
    leaveEmpty: 'https://pills.example',
  })
  expect(status).toBe(400)
  expect(json.error).toMatchObject({ code: 'invalid_request' })
  expect(world.callsToStripe()).toEqual([])
})

test('a body in chunks that never ends → 413, read no further than the limit', async () => {
  let sent = 0
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 1024
      controller.enqueue(new Uint8Array(1024).fill(32))
    },
  })
  const init = { method: 'POST', body, duplex: 'half' as const }
  const answer = await world.call('create-stripe-subscription', {
    ...init,
    headers: { 'content-type': 'application/json', origin: world.origin, 'content-length': '12' },
  })
  expect(answer.status).toBe(413)
  expect(sent).toBeLessThan(64 * 1024)
})

const flooded: [string, object, number][] = [
  ['create-stripe-subscription', { planId: 'growth', paymentMethodId: 'pm_unknown' }, 30],
  ['request-password-reset', {}, 10],
  ['resend-link', {}, 10],
]
test.each(flooded)('19. A flood from one address → 429, no provider call: %s', async (name, body, limit) => {
  captureLog()
  const address = { 'x-nf-client-connection-ip': '203.0.113.9' }
  await world.sql(`update private.settings set value = 3 where name like '%per\\_address'`)
  const ask = (headers: Record<string, string>) => world.post(name, { ...body, email: freshEmail() }, headers)
  for (let nth = 0; nth < 3; nth++) expect((await ask(address)).status).not.toBe(429)
  await world.countCallsToStripe()
  const refused = await ask(address)
  expect(refused.status).toBe(429)
  expect(refused.json.error).toMatchObject({ code: 'rate_limited' })
  const wait = Number(refused.headers.get('retry-after'))
  expect(wait).toBeGreaterThan(0)
  expect(wait).toBeLessThanOrEqual(600)
  expect(world.callsToStripe()).toEqual([])
  expect((await ask({})).status, 'others are let through').not.toBe(429)

  // An invalid request does not count, and after the period the count starts again.
  await world.sql(`update private.rate_limits set ends_at = now() - interval '1 second'`)
  for (let nth = 0; nth < 5; nth++) expect((await world.post(name, {}, address)).status).toBe(400)
  expect((await ask(address)).status).not.toBe(429)

  const kept = await world.sql<{ key: string }>('select key from private.rate_limits')
  expect(kept.length).toBeGreaterThan(0)
  for (const { key } of kept) expect(key).not.toMatch(/@|203\.0/)
  await world.sql(`update private.settings set value = $1 where name like '%per\\_address'`, [limit])
})

test('19. A flood for one e-mail from many addresses → 429', async () => {
  const email = freshEmail()
  for (let nth = 0; nth < 3; nth++) {
    expect((await world.post('resend-link', { email })).status).toBe(200)
  }
  expect((await world.post('resend-link', { email: email.toUpperCase() })).status).toBe(429)
})

test('45. 10 000 random bodies at every endpoint → no 5xx, no stack trace, no e-mail or token in a log line', async () => {
  const log = captureLog()
  const secret = 'leak-me@example.com'
  const names = [
    'call-report',
    'booking-times',
    'check-voice-sample',
    'create-stripe-subscription',
    'create-billing-portal-session',
    'create-lead',
    'delete-account',
    'list-invoices',
    'pay-invoice',
    'publish',
    'request-password-reset',
    'resend-link',
    'resend-payment-link',
    'replay-webhook-event',
    'find-calendars',
    'read-calendars',
    'read-page',
    'start-test-call',
    'retry-agent',
    'ring-vapi',
    'stripe-webhook',
    'update-my-agent',
    'vapi-events',
  ] as const
  const keys = ['email', 'planId', 'paymentMethodId', 'leaveEmpty', 'eventId', 'checkoutId', '__proto__']
  // Never a complete order: valid ones reach the providers and are tested elsewhere.
  const value = fc.oneof(fc.constant(secret), fc.jsonValue({ maxDepth: 2 }), fc.constant('growth'))
  const body = fc.oneof(
    fc.string(),
    fc.json({ maxDepth: 3 }),
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
    fc
      .dictionary(fc.constantFrom(...keys), value, { maxKeys: 4 })
      .map(({ email, ...rest }) =>
        JSON.stringify(typeof email === 'string' ? { ...rest, to: email } : { ...rest, email }),
      ),
  )
  const headers = fc.record(
    {
      'content-type': fc.constantFrom(
        'application/json',
        'application/json; charset=utf-8',
        'text/plain',
        '',
      ),
      origin: fc.constantFrom(world.origin, 'null', 'https://evil.example'),
      authorization: fc.constantFrom('Bearer', 'Bearer x y', 'Basic YTpi', `${secret}`),
      'stripe-signature': fc.constantFrom('t=1,v1=00', 't=,v1=', secret),
      'content-length': fc.constantFrom('0', '-1', 'many', '99999999999'),
    },
    { requiredKeys: [] },
  )
  const seen = new Set<number>()
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...names), body, headers, async (name, sent, given) => {
      const answer = await world.post(name, sent, given)
      seen.add(answer.status)
      expect(answer.status).toBeGreaterThanOrEqual(400)
      expect(answer.status).toBeLessThan(500)
      expect(answer.text).not.toMatch(/\.ts:\d|at \w+ \(|node_modules/)
      expect(answer.json.error).toMatchObject({ code: expect.any(String), message: expect.any(String) })
    }),
    { numRuns: 10_000 },
  )
  expect([...seen].sort()).toEqual(expect.arrayContaining([400, 401, 403, 413, 415]))
  expect(log.text()).not.toContain('leak-me')
})

test('45. A failure inside → 500 without a stack trace, no e-mail or token in a log line', async () => {
  const log = captureLog()
  const email = 'leak-me@example.com'
  await world.sql(`create function public.out_of_order() returns trigger language plpgsql as
    $$ begin raise exception 'out of order: %', new.email; end $$`)
  await world.sql(`create trigger out_of_order before insert on public.checkouts
    for each row execute function public.out_of_order()`)
  const answer = await world.subscribe(email, await world.card('4242424242424242'))
  await world.sql('drop function public.out_of_order cascade')
  expect(answer.status).toBe(500)
  expect(answer.text).not.toMatch(/\.ts:\d|at \w+ \(|node_modules|leak-me|out of order/)
  expect(log.notices()).toMatchObject([{ level: 'error', query: 'begin_checkout' }])
  // The embedded database has its own log.
  expect(JSON.stringify(log.entries())).not.toMatch(/leak-me|pm_/)
})

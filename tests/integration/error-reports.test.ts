import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { HostContext } from '#platform/server/current-request.ts'
import { startErrorService } from '../support/error-service.ts'
import { captureLog } from '../support/log.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()
let service: Awaited<ReturnType<typeof startErrorService>>
let minute = 0
beforeAll(async () => {
  service = await startErrorService()
})
beforeEach(() => {
  process.env.SENTRY_DSN = service.dsn
  // Each test has a minute of its own, because their number in a minute is limited.
  minute += 10
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minute * 60_000 })
})
afterEach(() => {
  expect(service.problems.splice(0)).toEqual([])
  service.events.length = service.bodies.length = 0
  Object.assign(service.settings, { status: 200, headers: {} })
  delete process.env.SENTRY_DSN
  vi.useRealTimers()
})
afterAll(() => service.close())

const id = '01K35C2ECE182BC4316B190AE8'
const email = 'ada@hotel.example'

/** Sends a request with the host's context, and waits for what the function goes on doing after its response. */
async function call(name: Parameters<typeof world.callWith>[0], body: unknown) {
  const tasks: Promise<unknown>[] = []
  const context: HostContext = { requestId: id, waitUntil: (task) => void tasks.push(task) }
  const answer = await world.callWith(name, body, context)
  return { answer, tasks, done: () => Promise.all(tasks) }
}

/** Runs a task while every request to a function fails inside. */
async function broken<Value>(task: () => Promise<Value>): Promise<Value> {
  await world.sql('alter table private.settings rename to gone')
  try {
    return await task()
  } finally {
    await world.sql('alter table private.gone rename to settings')
  }
}

test('a failure in a function: one event, with the request’s id and the deployment, and no personal data', async () => {
  captureLog()
  vi.stubEnv('COMMIT_REF', '0f8fad5bd9cb469fa16570867728950e')
  vi.stubEnv('CONTEXT', 'production')
  const { answer, done } = await broken(() => call('resend-link', { email }))
  expect(answer.status).toBe(500)
  await done()
  vi.unstubAllEnvs()
  expect(service.events).toMatchObject([
    {
      platform: 'node',
      level: 'error',
      release: '0f8fad5bd9cb469fa16570867728950e',
      environment: 'production',
      transaction: 'resend-link',
      tags: { event: 'resend-link', request_id: id, query: 'take_rate_limit' },
      exception: { values: [{ type: 'DatabaseError', value: expect.stringMatching(/^database /) }] },
    },
  ])
  const frames = service.events[0]?.exception.values[0]?.stacktrace?.frames
  expect(frames?.at(-1)).toMatchObject({ filename: 'database.ts', function: 'runSql' })
  expect(service.bodies.join()).not.toContain(email)
})

test('an answer from 500 on without an exception is reported too, and one below is not', async () => {
  captureLog()
  await world.sql(`update private.reconciliation set recorded_at = now() - interval '1 day'`)
  const tasks: Promise<unknown>[] = []
  const health = (await import('../../functions/health.ts')).default
  const answer = await health(new Request(`${world.origin}/.netlify/functions/health`), {
    waitUntil: (task) => void tasks.push(task),
  })
  expect(answer.status).toBe(503)
  await Promise.all(tasks)
  expect(service.events).toMatchObject([
    { transaction: 'health', exception: { values: [{ type: 'AnsweredError', value: 'answered 503' }] } },
  ])
  const refused = await call('resend-link', {})
  expect(refused.answer.status).toBe(400)
  expect(refused.tasks).toEqual([])
})

test('138. The error service does not answer → the answer does not wait, and the report is given up', async () => {
  const log = captureLog()
  service.settings.status = null
  const { answer, tasks, done } = await broken(() => call('resend-link', { email }))
  expect(answer.status).toBe(500)
  expect(tasks).toHaveLength(1)
  await done()
  await vi.waitFor(() =>
    expect(log.notices().at(-1)).toMatchObject({
      level: 'warn',
      event: 'error-report',
      code: 'TimeoutError',
    }),
  )
})

test.each([
  ['', 'no address'],
  ['nonsense', 'an address that is none'],
])('without an error service nothing is sent, and nothing fails: %j, %s', async (dsn) => {
  const log = captureLog()
  process.env.SENTRY_DSN = dsn
  const { answer, tasks } = await broken(() => call('resend-link', { email }))
  expect([answer.status, tasks]).toEqual([500, []])
  expect(log.notices()).toHaveLength(1)
  expect(service.bodies).toEqual([])
})

test('a service that asks for silence gets it, and so many reports a minute are the most', async () => {
  captureLog()
  Object.assign(service.settings, { status: 429, headers: { 'retry-after': '30' } })
  const fail = () => broken(async () => (await call('resend-link', { email })).done())
  await fail()
  await fail()
  expect(service.bodies).toHaveLength(1)
  vi.setSystemTime(Date.now() + 61_000)
  service.settings.status = 200
  await broken(() =>
    Promise.all(Array.from({ length: 25 }, async () => (await call('resend-link', { email })).done())),
  )
  expect(service.events).toHaveLength(20)
})

const thrown = {
  name: 'TypeError',
  message: `"Ada Lovelace" wrote from ${email}, +1 202 555 0134, https://x.example/?token=secret`,
  stack: `TypeError: ${email}\n    at submit (https://agents.example/_astro/Portal.x1.js?token=secret:12:34)\n    at https://js.stripe.com/v3/x.js:1:2`,
  page: '/portal/billing',
}

test('139. An error of a page → one event and one line, without what may be personal', async () => {
  const log = captureLog()
  const { answer, done } = await call('report-error', thrown)
  expect(answer.status).toBe(204)
  await done()
  expect(service.events).toMatchObject([
    {
      platform: 'javascript',
      transaction: '/portal/billing',
      tags: { event: 'browser-error', request_id: id },
      exception: {
        values: [
          {
            type: 'TypeError',
            value: '[text] wrote from [e-mail] [number], https://x.example/',
            stacktrace: {
              frames: [{ filename: 'js.stripe.com/v3/x.js' }, { function: 'submit', lineno: 12, colno: 34 }],
            },
          },
        ],
      },
    },
  ])
  expect(log.notices()).toMatchObject([{ level: 'warn', event: 'browser-error', page: '/portal/billing' }])
  for (const written of [log.text(), service.bodies.join()])
    expect(written).not.toMatch(/Ada|hotel\.example|202 555|secret/)
})

const document = (): string => `${world.origin}/portal/billing?token=secret`
const violation = (more: object = {}) => ({
  type: 'csp-violation',
  age: 5,
  url: document(),
  user_agent: 'x',
  body: {
    documentURL: document(),
    blockedURL: 'https://tracker.example/x.js?u=secret',
    effectiveDirective: 'script-src-elem',
    originalPolicy: "default-src 'self'",
    disposition: 'enforce',
    sample: 'secret',
    sourceFile: `${world.origin}/_astro/x.js?secret`,
    lineNumber: 7,
    ...more,
  },
})
const sendAs = (type: string, body: unknown, more: Record<string, string> = {}) =>
  world.call('report-error', {
    method: 'POST',
    headers: { 'content-type': type, ...more },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

test.each([
  ['application/reports+json', () => [violation(), { type: 'deprecation', body: {} }]],
  [
    'application/csp-report',
    () => ({
      'csp-report': {
        'document-uri': document(),
        'blocked-uri': 'https://tracker.example/x.js?u=secret',
        'violated-directive': 'script-src-elem',
        'source-file': `${world.origin}/_astro/x.js`,
        'line-number': 7,
      },
    }),
  ],
])('a violation of the content policy, as %s', async (type, body) => {
  const log = captureLog()
  expect((await sendAs(type, body())).status).toBe(204)
  await vi.waitFor(() => expect(service.events).toHaveLength(1))
  expect(service.events).toMatchObject([
    {
      level: 'warning',
      transaction: '/portal/billing',
      tags: { event: 'csp-violation', at: '/_astro/x.js:7' },
      exception: {
        values: [{ type: 'CSP', value: 'script-src-elem refused https://tracker.example' }],
      },
    },
  ])
  expect(log.notices()).toMatchObject([{ event: 'csp-violation' }])
  expect(log.text() + service.bodies.join()).not.toContain('secret')
})

test('violations of other sites, and by extensions of the browser, are left out', async () => {
  const log = captureLog()
  const found = [
    violation({ documentURL: 'https://elsewhere.example/' }),
    violation({ blockedURL: 'chrome-extension://abc/x.js' }),
    violation({ sourceFile: 'moz-extension://abc/x.js' }),
  ]
  expect((await sendAs('application/reports+json', found)).status).toBe(204)
  expect(log.notices()).toEqual([])
})

test('reports are limited in form, size, origin and number', async () => {
  const log = captureLog()
  const origin = { origin: world.origin }
  expect((await world.call('report-error', { method: 'GET' })).status).toBe(405)
  expect((await sendAs('text/plain', thrown, origin)).status).toBe(415)
  expect((await sendAs('application/json', thrown)).status).toBe(403)
  expect((await sendAs('application/json', thrown, { origin: 'https://elsewhere.example' })).status).toBe(403)
  expect((await sendAs('application/json', '{', origin)).status).toBe(400)
  expect((await sendAs('application/json', { ...thrown, stack: 'x'.repeat(4001) }, origin)).status).toBe(400)
  expect((await sendAs('application/reports+json', 'x'.repeat(20_000))).status).toBe(413)
  expect((await sendAs('application/csp-report', { 'csp-report': {} })).status).toBe(400)
  await world.sql(`update private.settings set value = 2 where name = 'report_per_address'`)
  const one = { ...origin, 'x-nf-client-connection-ip': '198.51.100.9' }
  const statuses = []
  for (let count = 0; count < 3; count += 1)
    statuses.push((await sendAs('application/json', thrown, one)).status)
  expect(statuses).toEqual([204, 204, 429])
  expect(log.notices()).toHaveLength(2)
})

import { afterEach, expect, test, vi } from 'vitest'
import { schemaProblem } from '../../setup/schema.ts'
import { localEnvironment } from '../../local/environment.ts'
import { freshEmail, rowWithStatus } from '../support/money.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()
afterEach(() => vi.useRealTimers())

const address = { 'x-nf-client-connection-ip': '198.51.100.7' }
const health = (headers: Record<string, string> = {}) => world.call('health', { method: 'GET', headers })

test('a working site: the times of the last event and of the last reconciliation, and nothing secret', async () => {
  await world.work('graces')
  const before = await health()
  expect([before.status, before.json]).toEqual([
    200,
    {
      status: 'ok',
      database: 'ok',
      schema: 'current',
      lastWebhook: null,
      lastReconciliation: null,
      lastClock: expect.any(String),
    },
  ])
  const email = freshEmail()
  await world.subscribe(email, await world.card('4242424242424242', email))
  await rowWithStatus(world, email, 'active')
  await world.work('reconciliation')
  const { status, json } = await health()
  expect(status).toBe(200)
  for (const time of [json.lastWebhook, json.lastReconciliation])
    expect(Date.now() - Date.parse(String(time))).toBeLessThan(60_000)
})

test('no reconciliation for three hours: 503', async () => {
  await world.sql(`update private.reconciliation set recorded_at = now() - interval '181 minutes'`)
  const { status, json } = await health()
  expect([status, json.status, json.database]).toEqual([503, 'failing', 'ok'])
  await world.sql(`update private.reconciliation set recorded_at = now()`)
})

test('240. The clock has not run for five minutes: 503, and 200 once it runs again', async () => {
  await world.sql(`update private.clock set ran_at = now() - interval '301 seconds'`)
  const { status, json } = await health()
  expect([status, json.status, json.database]).toEqual([503, 'failing', 'ok'])
  await world.work('graces')
  expect((await health()).status).toBe(200)
})

test('a database that lacks an object, or has another one of its name: 503, and a deployment stops and names it', async () => {
  const environment = localEnvironment({ port: Number(new URL(world.origin).port), given: {} })
  expect(await schemaProblem(environment)).toBeUndefined()
  // Each statement is what an edited or forgotten migration, or a hand, may leave behind, and what undoes it.
  for (const [change, named, undo] of [
    [
      'alter table private.webhook_alarm rename column mailed_at to told_at',
      'missing: column private.webhook_alarm.mailed_at',
      'alter table private.webhook_alarm rename column told_at to mailed_at',
    ],
    [
      'grant select on private.settings to anon',
      'different: table private.settings',
      'revoke select on private.settings from anon',
    ],
    [
      'grant execute on function public.webhook_silence() to public',
      'different: function public.webhook_silence()',
      'revoke execute on function public.webhook_silence() from public',
    ],
    [
      'alter table public.faqs disable row level security',
      'different: table public.faqs',
      'alter table public.faqs enable row level security',
    ],
    [
      'alter table private.webhook_alarm alter column mailed_at set default now()',
      'different: column private.webhook_alarm.mailed_at',
      'alter table private.webhook_alarm alter column mailed_at drop default',
    ],
    [
      'alter function public.webhook_silence() security invoker',
      'different: function public.webhook_silence()',
      'alter function public.webhook_silence() security definer',
    ],
  ] as const) {
    await world.sql(change)
    expect((await health()).json, change).toMatchObject({ status: 'failing', schema: 'different' })
    expect((await schemaProblem(environment))?.split('\n  ').slice(1), change).toEqual([named])
    await world.sql(undo)
  }
  expect((await health()).json).toMatchObject({ status: 'ok', schema: 'current' })
})

test('objects that the migrations do not make concern nobody', async () => {
  const environment = localEnvironment({ port: Number(new URL(world.origin).port), given: {} })
  await world.sql('create table public.of_a_fork (id integer primary key)')
  await world.sql('alter table public.calls add column of_a_fork text')
  expect((await health()).json).toMatchObject({ status: 'ok', schema: 'current' })
  expect(await schemaProblem(environment)).toBeUndefined()
})

test('182. A database with other limits than the catalogue stops a deployment', async () => {
  const environment = localEnvironment({ port: Number(new URL(world.origin).port), given: {} })
  await world.sql(`update private.plan_limits set lines = 2 where plan = 'pro'`)
  expect(await schemaProblem(environment)).toContain('pro: 3 agents, 2 lines; starter')
  await world.sql(`update private.plan_limits set lines = 3 where plan = 'pro'`)
  expect(await schemaProblem(environment)).toBeUndefined()
})

test('a database that does not answer: 503 without a reason that a stranger could use', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  await world.sql('alter function public.health() rename to health_gone')
  const { status, json } = await health()
  expect([status, json]).toEqual([
    503,
    {
      status: 'failing',
      database: 'unreachable',
      schema: 'unknown',
      lastWebhook: null,
      lastReconciliation: null,
      lastClock: null,
    },
  ])
  await world.sql('alter function public.health_gone() rename to health')
})

test('one address may ask so often, and only by GET', async () => {
  await world.sql(`update private.settings set value = 2 where name = 'health_per_address'`)
  const statuses = [await health(address), await health(address), await health(address)].map(
    ({ status }) => status,
  )
  expect(statuses).toEqual([200, 200, 429])
  const posted = await world.call('health', { method: 'POST' })
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET'])
})

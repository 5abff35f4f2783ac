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
  const before = await health()
  expect([before.status, before.json]).toEqual([
    200,
    { status: 'ok', database: 'ok', migrations: 'current', lastWebhook: null, lastReconciliation: null },
  ])
  const email = freshEmail()
  await world.subscribe(email, await world.card('4242424242424242', email))
  await rowWithStatus(world, email, 'active')
  await world.post('reconcile-payments', {})
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

test('a database that lacks a migration: 503, and a deployment stops; one that has more: neither', async () => {
  const environment = localEnvironment({ port: Number(new URL(world.origin).port), given: {} })
  expect(await schemaProblem(environment)).toBeUndefined()
  const [last] = await world.sql<{ version: string; name: string }>(
    `delete from supabase_migrations.schema_migrations
     where version = (select max(version) from supabase_migrations.schema_migrations) returning version, name`,
  )
  expect((await health()).json).toMatchObject({ status: 'failing', migrations: 'behind' })
  expect(await schemaProblem(environment)).toContain(`The database lacks the migrations ${last?.version}.`)
  await world.sql(
    `insert into supabase_migrations.schema_migrations (version, name) values ($1, $2), ('20990101', 'of_a_fork')`,
    [last?.version, last?.name],
  )
  expect((await health()).json).toMatchObject({ status: 'ok', migrations: 'current' })
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
      migrations: 'unknown',
      lastWebhook: null,
      lastReconciliation: null,
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

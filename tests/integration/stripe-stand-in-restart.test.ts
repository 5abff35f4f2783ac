import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  order,
  publishableKey,
  purchase,
  sdk,
  secretKey,
  startBench,
  startEndpoint,
  type Endpoint,
} from '../support/stripe-stand-in.ts'

let directory: string
let stateFile: string
let endpoint: Endpoint
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'stripe-stand-in-'))
  stateFile = join(directory, 'deep', 'stripe.json')
  endpoint = await startEndpoint()
})
afterEach(async () => {
  await endpoint.close()
  await rm(directory, { recursive: true, force: true })
})
const start = () => startBench({ stateFile, endpoint })

test('confirmed data survives a restart, with keys and clock', async () => {
  const first = await start()
  const bought = await purchase(first)
  const named = await first.stripe.customers.create({ email: 'kept@example.com' }, { idempotencyKey: 'kept' })
  await first.control('clock', { advanceSeconds: 3600 })
  const { now } = first.standIn.summary()
  await first.close()

  const second = await start()
  const active = await second.stripe.subscriptions.retrieve(bought.subscription.id)
  expect(active.status).toBe('active')
  const again = await second.stripe.customers.create(
    { email: 'kept@example.com' },
    { idempotencyKey: 'kept' },
  )
  expect(again.id).toBe(named.id)
  expect(second.standIn.summary().now).toBeGreaterThanOrEqual(now)
  expect((await second.stripe.prices.list()).data).toHaveLength(3)
  await second.close()
})

test('a line that a kill cut off is ignored, and the file is continued', async () => {
  const first = await start()
  await first.stripe.customers.create({ email: 'whole@example.com' })
  await first.close()
  await appendFile(stateFile, '[["customers","cus_cut",{"id":"cus_')

  const second = await start()
  const { data } = await second.stripe.customers.list()
  expect(data.map((customer) => customer.email)).toEqual(['whole@example.com'])
  await second.stripe.customers.create({ email: 'later@example.com' })
  await second.close()

  const third = await start()
  expect((await third.stripe.customers.list()).data).toHaveLength(2)
  await third.close()
})

test('undelivered webhooks are sent after the restart', async () => {
  const first = await start()
  endpoint.answers.push(503)
  await order(first.stripe)
  await expect
    .poll(() => first.standIn.summary().events.find((event) => event.delivery)?.delivery?.lastResponse)
    .toBe('503')
  await first.close()
  expect(endpoint.events).toEqual([])

  const second = await start()
  await expect
    .poll(() => endpoint.events.map((event) => event.type), { timeout: 10_000 })
    .toEqual(['customer.subscription.created'])
  await second.close()
})

test('confirmed data survives a kill', async () => {
  const script = `
    import { serve } from '@hono/node-server'
    import { startStripe } from '${new URL('../../local/stripe/start.ts', import.meta.url).href}'
    const standIn = startStripe({
      stateFile: ${JSON.stringify(stateFile)},
      publicUrl: 'http://localhost',
      secretKey: '${secretKey}',
      publishableKey: '${publishableKey}',
      webhook: { url: '${endpoint.url}', secret: 'whsec_other' },
      catalogue: [],
    })
    serve({ fetch: standIn.fetch, port: 0 }, ({ port }) => console.log(port))`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: join(import.meta.dirname, '../..'),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [port] = (await once(child.stdout, 'data')) as [Buffer]
  const stripe = sdk(`http://localhost:${port.toString().trim()}`, secretKey)
  const answered: string[] = []
  const asking = Array.from({ length: 40 }, async () => {
    const { id } = await stripe.customers.create()
    if (answered.push(id) === 10) child.kill('SIGKILL')
  })
  await Promise.allSettled(asking)

  const after = await start()
  const kept = (await after.stripe.customers.list({ limit: 100 })).data.map((customer) => customer.id)
  expect(answered.length).toBeGreaterThanOrEqual(10)
  expect(kept).toEqual(expect.arrayContaining(answered))
  await after.close()
})

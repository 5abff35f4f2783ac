import { afterAll, beforeAll, expect, test } from 'vitest'
import { syncPortal } from '../../setup/portal.ts'
import { syncPrices } from '../../setup/stripe.ts'
import { exactPrice, plans } from '#plans/domain/plans.ts'
import { money } from '#platform/domain/text/numbers.ts'
import { site, storageKey } from '#site'
import { centsOf, stripeCurrency } from '../support/plan-facts.ts'
import { run } from '../support/run.ts'
import { scratchFolder } from '../support/scratch.ts'
import { secretKey, startBench, type Bench } from '../support/stripe-stand-in.ts'

let bench: Bench
beforeAll(async () => {
  bench = await startBench({ sells: [] })
})
afterAll(() => bench.close())

const variables = ['STRIPE_PRICE_STARTER', 'STRIPE_PRICE_GROWTH', 'STRIPE_PRICE_PRO']
const held = async (): Promise<number> => (await bench.stripe.prices.list({ limit: 100 })).data.length

test('missing prices are created, once', async () => {
  expect(await held()).toBe(0)
  const first = await syncPrices({}, bench.stripe)
  expect(first.problems).toEqual([])
  expect(first.created).toEqual(variables)
  for (const { id, name, priceCents, minutes, period } of plans.filter(
    ({ priceCents }) => priceCents !== null,
  )) {
    const price = await bench.stripe.prices.retrieve(first.prices[`STRIPE_PRICE_${id.toUpperCase()}`] ?? '', {
      expand: ['product'],
    })
    expect(price).toMatchObject({
      active: true,
      currency: stripeCurrency,
      unit_amount: priceCents,
      recurring: { interval: period, interval_count: 1 },
      lookup_key: storageKey(id),
      metadata: { plan: id, minutes: String(minutes) },
      product: { name: `${site.name} ${name}`, active: true, metadata: { plan: id } },
    })
  }

  expect(await syncPrices({}, bench.stripe)).toEqual({ prices: first.prices, created: [], problems: [] })
  expect(await syncPrices(first.prices, bench.stripe)).toEqual({
    prices: first.prices,
    created: [],
    problems: [],
  })
  expect(await held()).toBe(3)
})

test('the portal’s configuration is created once, lets customers change card and read invoices, and is mended', async () => {
  const { configuration, change } = await syncPortal(bench.stripe)
  expect(change).toBe('created')
  const { configurations, sessions } = bench.stripe.billingPortal
  const { features } = await configurations.retrieve(configuration)
  const enabled = Object.entries(features).flatMap(([name, feature]) => (feature.enabled ? [name] : []))
  expect(enabled).toEqual(['invoice_history', 'payment_method_update'])
  expect(await syncPortal(bench.stripe)).toEqual({ configuration, change: null })
  await configurations.update(configuration, { features: { invoice_history: { enabled: false } } })
  expect(await syncPortal(bench.stripe)).toEqual({ configuration, change: 'changed' })
  expect(await syncPortal(bench.stripe)).toEqual({ configuration, change: null })

  const { id: customer } = await bench.stripe.customers.create({ email: 'a@example.com' })
  const { url } = await sessions.create({ customer, configuration })
  expect((await fetch(`${url}/cancel`, { method: 'POST' })).status).toBe(422)
  // One that the operator has put aside is made anew.
  await configurations.update(configuration, { active: false })
  await expect(sessions.create({ customer, configuration })).rejects.toThrow('inactive')
  expect((await syncPortal(bench.stripe)).change).toBe('created')
})

test('a price that differs from the catalogue is reported and not changed', async () => {
  const { prices } = await syncPrices({}, bench.stripe)
  const { product } = await bench.stripe.prices.retrieve(prices.STRIPE_PRICE_PRO ?? '')
  const foreign = stripeCurrency === 'eur' ? 'usd' : 'eur'
  const dearer = await bench.stripe.prices.create({
    product: String(product),
    currency: foreign,
    unit_amount: centsOf('pro') + 100_00,
    recurring: { interval: 'month' },
    lookup_key: storageKey('pro'),
    transfer_lookup_key: true,
  })
  const before = await held()
  const problems = [
    `STRIPE_PRICE_PRO: ${money(dearer.unit_amount ?? 0, foreign)} a month at Stripe, ${exactPrice(centsOf('pro'))} a month in src/features/plans/domain/plans.ts`,
  ]
  expect(await syncPrices({}, bench.stripe)).toMatchObject({ created: [], problems })
  expect(await syncPrices({ STRIPE_PRICE_PRO: dearer.id }, bench.stripe)).toMatchObject({
    created: [],
    problems,
  })
  expect(await syncPrices({ STRIPE_PRICE_PRO: 'price_unknown' }, bench.stripe)).toMatchObject({
    created: [],
    problems: ['STRIPE_PRICE_PRO: Stripe does not know it'],
  })
  expect(await held()).toBe(before)

  await bench.stripe.prices.update(dearer.id, { active: false })
  const mended = await syncPrices({}, bench.stripe)
  expect(mended).toMatchObject({ created: ['STRIPE_PRICE_PRO'], problems: [] })
  const made = await bench.stripe.prices.retrieve(mended.prices.STRIPE_PRICE_PRO ?? '')
  expect(made).toMatchObject({ product, unit_amount: centsOf('pro'), lookup_key: storageKey('pro') })

  await bench.stripe.products.update(String(product), { active: false })
  expect((await syncPrices({}, bench.stripe)).problems).toEqual([
    'STRIPE_PRICE_PRO: its product is not active at Stripe',
  ])
  await bench.stripe.products.update(String(product), { active: true })
})

test('the command prints the variables for the environment, and exits with 1 if something is wrong', async () => {
  const command = 'node setup/stripe.ts'
  const folder = scratchFolder()
  const environment = { STRIPE_SECRET_KEY: secretKey, STRIPE_API_URL: bench.url }
  const { prices } = await syncPrices({}, bench.stripe)

  const good = await run(command, { ...environment, PUBLIC_SITE_URL: 'https://agents.example' }, folder)
  expect(good.stdout).toContain(variables.map((name) => `${name}=${prices[name]}\n`).join(''))
  expect(good.stdout).toMatch(/^STRIPE_PORTAL_CONFIGURATION=bpc_\w+/m)
  expect(good.stdout).toContain('https://agents.example/.netlify/functions/stripe-webhook')
  expect(good.stdout).toContain('  invoice.paid\n')
  expect([good.status, good.stderr]).toEqual([0, ''])

  const bad = await run(
    command,
    { ...environment, STRIPE_PRICE_GROWTH: prices.STRIPE_PRICE_PRO ?? '' },
    folder,
  )
  expect([bad.status, bad.stderr]).toEqual([
    1,
    `STRIPE_PRICE_GROWTH: ${exactPrice(centsOf('pro'))} a month at Stripe, ${exactPrice(centsOf('growth'))} a month in src/features/plans/domain/plans.ts\n`,
  ])

  const wrongKey = await run(command, { ...environment, STRIPE_SECRET_KEY: 'sk_test_of_nobody' }, folder)
  expect([wrongKey.status, wrongKey.stdout]).toEqual([1, ''])
  expect(wrongKey.stderr).toMatch(/^Invalid API Key provided.*\n$/)

  const noKey = await run(command, {}, folder)
  expect([noKey.status, noKey.stderr.split(':')[0]]).toEqual([1, 'STRIPE_SECRET_KEY is missing'])
})

test('the stand-in’s catalogue needs no new prices', async () => {
  const machine = await startBench()
  const { created, problems } = await syncPrices({}, machine.stripe)
  expect({ created, problems }).toEqual({ created: [], problems: [] })
  await machine.close()
})

import { readFileSync } from 'node:fs'
import { parse } from 'smol-toml'
import Stripe from 'stripe'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { checkPrices } from '../../../setup/prices.ts'
import { localEnvironment } from '../../../local/environment.ts'
import { exactPrice } from '#plans/domain/plans.ts'
import { centsOf, stripeCurrency } from '../../support/plan-facts.ts'
import { worldPort } from '../../support/ports.ts'
import { run } from '../../support/run.ts'
import { secretKey, startBench, type Bench } from '../../support/stripe-stand-in.ts'

let bench: Bench
beforeAll(async () => {
  bench = await startBench()
})
afterAll(() => bench.close())

const prices = localEnvironment({ port: worldPort, given: {} })

test('20. A catalogue price equal to the provider’s price → the check passes', async () => {
  expect(await checkPrices(prices, bench.stripe)).toEqual([])
})

test('20. A catalogue price that differs from the provider’s price → the check at build fails', async () => {
  const { product } = await bench.stripe.prices.retrieve(prices.STRIPE_PRICE_GROWTH ?? '')
  const sold = centsOf('growth')
  const make = (changes: Partial<Stripe.PriceCreateParams>) =>
    bench.stripe.prices.create({
      product: String(product),
      currency: stripeCurrency,
      unit_amount: sold,
      recurring: { interval: 'month' },
      ...changes,
    })
  const problemsWith = async (price: string) =>
    checkPrices({ ...prices, STRIPE_PRICE_GROWTH: price }, bench.stripe)

  expect(await problemsWith((await make({ unit_amount: sold - 1_00 })).id)).toEqual([
    `STRIPE_PRICE_GROWTH: ${exactPrice(sold - 1_00)} a month at Stripe, ${exactPrice(sold)} a month in src/features/plans/domain/plans.ts`,
  ])
  expect(await problemsWith((await make({ recurring: { interval: 'year' } })).id)).toEqual([
    `STRIPE_PRICE_GROWTH: ${exactPrice(sold)} a year at Stripe, ${exactPrice(sold)} a month in src/features/plans/domain/plans.ts`,
  ])
  expect(await problemsWith('price_unknown')).toEqual(['STRIPE_PRICE_GROWTH: Stripe does not know it'])
  expect(await problemsWith('')).toEqual(['STRIPE_PRICE_GROWTH: not set'])
})

test.each([
  [{ billing_scheme: 'tiered' }, {}, 'tiered pricing at Stripe, not per_unit'],
  [{}, { usage_type: 'metered' }, 'metered usage at Stripe, not licensed'],
] as const)(
  '71. A price of the right amount, charged by %o %o → the check at build fails',
  async (changes, recurring, problem) => {
    const growth = await bench.stripe.prices.retrieve(prices.STRIPE_PRICE_GROWTH ?? '', {
      expand: ['product'],
    })
    const retrieve = bench.stripe.prices.retrieve.bind(bench.stripe.prices)
    const changed = { ...growth, ...changes, recurring: { ...growth.recurring!, ...recurring } }
    const spy = vi
      .spyOn(bench.stripe.prices, 'retrieve')
      .mockImplementation((id, ...rest) =>
        id === growth.id ? Promise.resolve(changed) : retrieve(id, ...rest),
      )
    expect(await checkPrices(prices, bench.stripe)).toEqual([`STRIPE_PRICE_GROWTH: ${problem}`])
    spy.mockRestore()
  },
)

test('20. A deployment whose prices are not in order → fails before it builds', async () => {
  const { build } = parse(readFileSync('netlify.toml', 'utf8')) as unknown as { build: { command: string } }
  const deployment = await run(build.command, {
    ...prices,
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_API_URL: bench.url,
    STRIPE_PRICE_GROWTH: 'price_unknown',
  })
  expect([deployment.status, deployment.stderr]).toEqual([
    1,
    'STRIPE_PRICE_GROWTH: Stripe does not know it\n',
  ])
})

test('20. A deployment without one of its variables → fails before it builds, and names it', async () => {
  const { build } = parse(readFileSync('netlify.toml', 'utf8')) as unknown as { build: { command: string } }
  const deployment = await run(build.command, { ...prices, STRIPE_WEBHOOK_SECRET: '' })
  expect([deployment.status, deployment.stderr]).toEqual([1, 'STRIPE_WEBHOOK_SECRET is missing\n'])
})

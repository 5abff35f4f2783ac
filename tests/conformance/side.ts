import { setTimeout as sleep } from 'node:timers/promises'
import { Stripe } from 'stripe'
import { startBench, type Bench } from '../support/stripe-stand-in.ts'

/** The key of a Stripe account in test mode. Without it the tests ask the stand-in. */
const key = process.env.STRIPE_CONFORMANCE_KEY
if (key && !key.startsWith('sk_test_')) throw new Error('STRIPE_CONFORMANCE_KEY has to be a key of test mode')

export const isStripe = Boolean(key)

/** What a test needs: an account with a time of its own, either Stripe's or the stand-in's. */
export interface Side {
  stripe: Stripe
  prices: Record<'starter' | 'growth' | 'pro', string>
  /** Creates a customer whose time can be advanced. */
  customer(params?: Stripe.CustomerCreateParams): Promise<Stripe.Customer>
  /** Advances the time of the customers, in seconds since 1970. */
  advance(to: number): Promise<void>
  /** Returns the types of the events about an object, by its id, oldest first. */
  eventsOf(id: string): Promise<string[]>
  /** The stand-in's own controls and pages. */
  bench: Bench
  close(): Promise<void>
}

export const openSide = (): Promise<Side> => (key ? openStripe(key) : openStandIn())

const eventsOf =
  (stripe: Stripe) =>
  async (id: string): Promise<string[]> => {
    const { data } = await stripe.events.list({ limit: 100 })
    return data
      .filter(({ data: { object } }) => 'id' in object && object.id === id)
      .map(({ type }) => type)
      .reverse()
  }

async function openStandIn(): Promise<Side> {
  const bench = await startBench()
  const { stripe } = bench
  return {
    stripe,
    prices: await createPrices(stripe),
    customer: (params = {}) => stripe.customers.create({ email: 'conformance@example.com', ...params }),
    advance: async (to) => void (await bench.control('clock', { to })),
    eventsOf: eventsOf(stripe),
    bench,
    close: () => bench.close(),
  }
}

let stripePrices: Promise<Side['prices']> | undefined

async function openStripe(secretKey: string): Promise<Side> {
  const stripe = new Stripe(secretKey, { maxNetworkRetries: 2, timeout: 30_000 })
  const prices = await (stripePrices ??= createPrices(stripe))
  const clock = await stripe.testHelpers.testClocks.create({ frozen_time: Math.floor(Date.now() / 1000) })
  return {
    stripe,
    prices,
    customer: (params = {}) =>
      stripe.customers.create({ email: 'conformance@example.com', test_clock: clock.id, ...params }),
    async advance(to) {
      await stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: to })
      for (let nth = 0; nth < 120; nth++) {
        const { status } = await stripe.testHelpers.testClocks.retrieve(clock.id)
        if (status === 'ready') return
        await sleep(1000)
      }
      throw new Error('The test clock is not ready after two minutes')
    },
    eventsOf: eventsOf(stripe),
    get bench(): Bench {
      throw new Error('Stripe has no controls')
    },
    // With the clock Stripe deletes its customers and all that belongs to them.
    close: async () => void (await stripe.testHelpers.testClocks.del(clock.id)),
  }
}

async function createPrices(stripe: Stripe): Promise<Side['prices']> {
  const create = async (name: string, unit_amount: number): Promise<string> => {
    const { id } = await stripe.prices.create({
      currency: 'usd',
      unit_amount,
      product_data: { name: `Conformance ${name}` },
      recurring: { interval: 'month' },
    })
    return id
  }
  return {
    starter: await create('Starter', 100_00),
    growth: await create('Growth', 500_00),
    pro: await create('Pro', 1500_00),
  }
}

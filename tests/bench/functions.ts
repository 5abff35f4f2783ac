import { randomUUID } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { local } from '../../local/environment.ts'
import type { Table } from './table.ts'
import { openShop, type SentEvent, type Shop } from '../simulator/shop.ts'

/** The number of requests of each kind. */
const requests = 100

interface Line {
  name: string
  atOnce: number
  /** The median, in milliseconds. */
  p50: number
  /** The 99th percentile, in milliseconds. */
  p99: number
  aSecond: number
}

/** Runs the tasks, `atOnce` at the same time, and times each one. */
async function measure(name: string, atOnce: number, tasks: readonly (() => Promise<void>)[]): Promise<Line> {
  const waiting = [...tasks]
  const durations: number[] = []
  const startedAt = performance.now()
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const start = performance.now()
      await next()
      durations.push(performance.now() - start)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  const seconds = (performance.now() - startedAt) / 1000
  durations.sort((one, other) => one - other)
  const at = (share: number): number => durations[Math.ceil(durations.length * share) - 1] ?? 0
  return { name, atOnce, p50: at(0.5), p99: at(0.99), aSecond: tasks.length / seconds }
}

/** Prepares orders, with their payment methods already created. */
const orders = (shop: Shop, count: number) =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const card = { 'card[number]': '4242424242424242', 'card[exp_month]': '12', 'card[exp_year]': '2049' }
      const form = { type: 'card', ...card, 'card[cvc]': '123' }
      const method = await shop.stripe('POST', 'payment_methods', form, local.stripePublishableKey)
      const email = `${randomUUID()}@example.com`
      return { email, planId: 'growth', paymentMethodId: String(method.id) }
    }),
  )

const buy = (shop: Shop, order: object) => async () => {
  const answer = await shop.invoke('create-stripe-subscription', order)
  if (answer?.status !== 200) throw new Error(`create-stripe-subscription answered ${answer?.status}`)
}
const deliver = (shop: Shop, event: SentEvent) => async () => {
  const answer = await shop.deliver(event)
  if (answer?.status !== 200) throw new Error(`stripe-webhook answered ${answer?.status}`)
}

/**
 * Measures p50, p99 and throughput of the two payment functions, with the real database and a Stripe that answers at
 * once. The events of the purchases are delivered after all purchases, so that nothing else runs at the same time.
 */
export async function* benchFunctions(): AsyncGenerator<Table> {
  const { error, info } = console
  console.error = console.info = () => undefined
  const shop = await openShop()
  const lines: Line[] = []
  try {
    for (const atOnce of [1, 20]) {
      await shop.openAccount()
      const bought = (await orders(shop, requests)).map((order) => buy(shop, order))
      lines.push(await measure('create-stripe-subscription', atOnce, bought))
      const events = await shop.takeEvents()
      lines.push(
        await measure(
          'stripe-webhook',
          atOnce,
          events.map((event) => deliver(shop, event)),
        ),
      )
    }
  } finally {
    await shop.close()
    Object.assign(console, { error, info })
  }
  yield {
    title: `Functions with database and a Stripe that answers at once, ${requests} calls each, ms`,
    columns: ['function', 'at once', 'p50', 'p99', 'a second'],
    rows: lines.map(({ name, atOnce, p50, p99, aSecond }) => [
      name,
      String(atOnce),
      p50.toFixed(0),
      p99.toFixed(0),
      aSecond.toFixed(1),
    ]),
    missed: [],
  }
}

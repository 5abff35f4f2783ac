import { randomUUID } from 'node:crypto'
import { local } from '../../local/environment.ts'
import { columns, measure, rowsOf, type Line } from './measure.ts'
import type { Table } from './table.ts'
import { openShop, type SentEvent, type Shop } from '../simulator/shop.ts'

/** The number of requests of each kind. */
const requests = 100

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
  const { error, info, warn } = console
  console.error = console.info = console.warn = () => undefined
  const shop = await openShop()
  const lines: Line[] = []
  try {
    for (const atOnce of [1, 20]) {
      await shop.empty()
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
    Object.assign(console, { error, info, warn })
  }
  yield {
    title: `Functions with database and a Stripe that answers at once, ${requests} calls each, ms`,
    columns,
    rows: rowsOf(lines),
    missed: [],
  }
}

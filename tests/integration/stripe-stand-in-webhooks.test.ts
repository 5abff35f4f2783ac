import { afterEach, beforeEach, expect, test } from 'vitest'
import { centsOf } from '../support/plan-facts.ts'
import { order, purchase, startBench, type Bench } from '../support/stripe-stand-in.ts'

let bench: Bench
beforeEach(async () => {
  bench = await startBench()
})
afterEach(() => bench.close())

test('a purchase sends signed events of the enabled types', async () => {
  const { subscription } = await purchase(bench)
  const types = await bench.arrived()
  expect(types.toSorted()).toEqual([
    'customer.subscription.created',
    'customer.subscription.updated',
    'invoice.paid',
  ])
  const updated = bench.endpoint.events.find((event) => event.type === 'customer.subscription.updated')
  expect(updated?.data.object).toMatchObject({ id: subscription.id, status: 'active' })
  expect(updated?.data.previous_attributes).toMatchObject({ status: 'incomplete' })
  const all = await bench.stripe.events.list({ limit: 100 })
  expect(all.data.map((event) => event.type)).toContain('payment_intent.succeeded')
})

test('an event that the endpoint does not accept is sent again', async () => {
  bench.endpoint.answers.push(500)
  await order(bench.stripe)
  await expect
    .poll(() => bench.endpoint.events.map((event) => event.type), { timeout: 10_000 })
    .toEqual(['customer.subscription.created'])
  const [created] = bench.standIn.summary().events.filter((event) => event.delivery)
  await expect
    .poll(() => bench.standIn.summary().events.find((one) => one.id === created?.id)?.delivery)
    .toEqual({
      state: 'delivered',
      attempts: 2,
      lastResponse: '2xx',
    })
})

test('events can be held, and released in another order and more than once', async () => {
  await bench.control('webhooks', { mode: 'hold' })
  await purchase(bench)
  expect(await bench.arrived()).toEqual([])
  const left = await bench.control('webhooks', { release: 2, shuffle: true, duplicate: 3 })
  expect(left).toMatchObject({ held: 1 })
  expect(await bench.arrived()).toHaveLength(6)
  expect(new Set(bench.endpoint.events.map((event) => event.id)).size).toBe(2)

  await bench.control('webhooks', { drop: true })
  await bench.control('webhooks', { mode: 'send' })
  expect(await bench.arrived()).toHaveLength(6)
  const [event] = bench.endpoint.events
  await bench.control('webhooks', { resend: event?.id })
  expect(await bench.arrived()).toHaveLength(7)
})

test('a refund and a dispute send events', async () => {
  const { intent, customer } = await purchase(bench)
  await bench.control('refund', { payment_intent: intent, amount: 100_00 })
  await bench.control('dispute', { payment_intent: intent })
  const types = await bench.arrived()
  expect(types).toContain('charge.refunded')
  expect(types).toContain('charge.dispute.created')
  expect(types).toContain('charge.dispute.funds_withdrawn')
  const [charge] = (await bench.stripe.charges.list({ customer, expand: ['data.refunds'] })).data
  expect(charge).toMatchObject({ refunded: false, amount_refunded: 100_00, disputed: true })
  expect(charge?.refunds?.data).toHaveLength(1)
})

test('what is disputed cannot be refunded, and a dispute is won or lost once', async () => {
  const disputeOf = async (charge: string) => (await bench.stripe.disputes.list({ charge })).data[0]
  for (const [end, status] of [
    ['win-dispute', 'won'],
    ['lose-dispute', 'lost'],
  ] as const) {
    const { intent, customer } = await purchase(bench)
    const [charge] = (await bench.stripe.charges.list({ customer })).data
    const of = charge?.id ?? ''
    await bench.control('dispute', { payment_intent: intent })
    expect(await disputeOf(of)).toMatchObject({ amount: centsOf('growth'), status: 'needs_response' })
    const refund = () => bench.stripe.refunds.create({ charge: of })
    await expect(refund()).rejects.toMatchObject({ code: 'charge_disputed' })
    await bench.control(end, { payment_intent: intent })
    expect(await disputeOf(of)).toMatchObject({ status })
    const again = await fetch(`${bench.url}/test/${end}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ payment_intent: intent }),
    })
    expect(again.status).toBe(400)
    if (status === 'lost') await expect(refund()).rejects.toMatchObject({ code: 'charge_disputed' })
    else expect(await refund()).toMatchObject({ status: 'succeeded' })
  }
  const types = await bench.arrived()
  expect(types.filter((type) => type === 'charge.dispute.closed')).toHaveLength(2)
  expect(types.filter((type) => type === 'charge.dispute.funds_reinstated')).toHaveLength(1)
})

test('a control accepts only JSON, so that no other site’s page can call it', async () => {
  const answer = await fetch(`${bench.url}/test/clock`, { method: 'POST', body: '{"advanceSeconds":60}' })
  expect(answer.status).toBe(415)
})

import type { Stripe } from 'stripe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { minutePackage } from '#plans/domain/plans.ts'
import { centsOf, stripeCurrency } from '../support/plan-facts.ts'
import { card, purchase, startBench, type Bench, type Purchase } from '../support/stripe-stand-in.ts'

const day = 86_400

let bench: Bench
beforeAll(async () => {
  bench = await startBench()
})
afterAll(() => bench.close())

const subscriptionOf = ({ subscription }: Purchase) =>
  bench.stripe.subscriptions.retrieve(subscription.id, { expand: ['latest_invoice'] })
const endOf = (subscription: Stripe.Subscription) => subscription.items.data[0]?.current_period_end ?? 0
const paidCharges = async ({ customer }: Purchase) =>
  (await bench.stripe.charges.list({ customer, limit: 100 })).data.filter((charge) => charge.paid)
const advance = (seconds: number) => bench.control('clock', { advanceSeconds: seconds })
/** Moves the clock to one hour after the end of the period. */
const advanceToRenewal = async (bought: Purchase) =>
  bench.control('clock', { to: endOf(await subscriptionOf(bought)) + 3600 })

describe('renewals', () => {
  test('each month is charged when it begins', async () => {
    const bought = await purchase(bench)
    const before = await subscriptionOf(bought)
    await advance(100 * day)
    const after = await subscriptionOf(bought)
    expect(after.status).toBe('active')
    expect(endOf(after)).toBeGreaterThan(endOf(before) + 80 * day)
    expect(await paidCharges(bought)).toHaveLength(4)
    expect(after.latest_invoice).toMatchObject({ billing_reason: 'subscription_cycle', status: 'paid' })
  })

  test('a failed one leaves the subscription past due until a retry succeeds', async () => {
    const bought = await purchase(bench)
    await bench.control('fail-renewal', { subscription: bought.subscription.id })
    await advanceToRenewal(bought)
    const due = await subscriptionOf(bought)
    expect(due.status).toBe('past_due')
    expect(due.latest_invoice).toMatchObject({ status: 'open', attempt_count: 1 })
    expect(await bench.arrived()).toContain('invoice.payment_failed')
    await advance(4 * day)
    expect((await subscriptionOf(bought)).status).toBe('active')
    expect(await paidCharges(bought)).toHaveLength(2)
  })

  test('one that keeps failing ends with a cancellation', async () => {
    const bought = await purchase(bench, '4242424242424242')
    const bad = await card(bench.url, '4000000000000341')
    await bench.stripe.paymentMethods.attach(bad, { customer: bought.customer })
    await bench.stripe.subscriptions.update(bought.subscription.id, { default_payment_method: bad })
    await advanceToRenewal(bought)
    await advance(16 * day)
    expect(await subscriptionOf(bought)).toMatchObject({
      status: 'canceled',
      cancellation_details: { reason: 'payment_failed' },
    })
    expect(await paidCharges(bought)).toHaveLength(1)
  })

  test('a card that requires 3-D Secure every time waits for its holder', async () => {
    const bought = await purchase(bench, '4000002760003184')
    await bench.control('complete-3ds', { payment_intent: bought.intent })
    await advanceToRenewal(bought)
    const due = await bench.stripe.subscriptions.retrieve(bought.subscription.id, {
      expand: ['latest_invoice.confirmation_secret'],
    })
    expect(due.status).toBe('past_due')
    expect(await bench.arrived()).toContain('invoice.payment_action_required')
    const invoice = due.latest_invoice as Stripe.Invoice
    const intent = invoice.confirmation_secret?.client_secret.split('_secret_')[0] ?? ''
    expect((await bench.stripe.paymentIntents.retrieve(intent)).status).toBe('requires_action')
    await bench.control('complete-3ds', { payment_intent: intent })
    expect((await subscriptionOf(bought)).status).toBe('active')
  })

  test('a card that was authenticated once renews without 3-D Secure', async () => {
    const bought = await purchase(bench, '4000002500003155')
    await bench.control('complete-3ds', { payment_intent: bought.intent })
    await advanceToRenewal(bought)
    expect((await subscriptionOf(bought)).status).toBe('active')
    expect(await paidCharges(bought)).toHaveLength(2)
  })
})

describe('cancellation', () => {
  test('at the end of the period, or revoked before', async () => {
    const bought = await purchase(bench)
    const { id } = bought.subscription
    const ending = await bench.stripe.subscriptions.update(id, { cancel_at_period_end: true })
    expect(ending).toMatchObject({ status: 'active', cancel_at: endOf(ending) })
    const kept = await bench.stripe.subscriptions.update(id, { cancel_at_period_end: false })
    expect(kept).toMatchObject({ cancel_at: null, canceled_at: null })
    await bench.stripe.subscriptions.update(id, { cancel_at_period_end: true })
    await advanceToRenewal(bought)
    expect((await subscriptionOf(bought)).status).toBe('canceled')
    expect(await bench.arrived()).toContain('customer.subscription.deleted')
    expect(await paidCharges(bought)).toHaveLength(1)
  })

  test('immediately', async () => {
    const bought = await purchase(bench)
    const canceled = await bench.stripe.subscriptions.cancel(bought.subscription.id)
    expect(canceled.status).toBe('canceled')
    await expect(bench.stripe.subscriptions.cancel(bought.subscription.id)).rejects.toMatchObject({
      statusCode: 404,
    })
    const { customer } = bought
    expect((await bench.stripe.subscriptions.list({ customer })).data).toEqual([])
    expect((await bench.stripe.subscriptions.list({ customer, status: 'all' })).data).toHaveLength(1)
  })
})

describe('a change of plan', () => {
  test('costs the amount of its preview', async () => {
    const bought = await purchase(bench)
    await advance(10 * day)
    const before = await subscriptionOf(bought)
    const items = [{ id: before.items.data[0]?.id ?? '', price: 'price_local_pro' }]
    const proration_date = endOf(before) - 15 * day
    const preview = await bench.stripe.invoices.createPreview({
      subscription: before.id,
      subscription_details: { items, proration_date, proration_behavior: 'always_invoice' },
    })
    expect(preview.lines.data.map((line) => line.parent?.subscription_item_details?.proration)).toEqual([
      true,
      true,
    ])
    const half = (15 * day) / (endOf(before) - (before.items.data[0]?.current_period_start ?? 0))
    expect(preview.amount_due).toBe(Math.round(centsOf('pro') * half) - Math.round(centsOf('growth') * half))
    expect((await subscriptionOf(bought)).items.data[0]?.price.id).toBe('price_local_growth')

    const after = await bench.stripe.subscriptions.update(before.id, {
      items,
      proration_date,
      proration_behavior: 'always_invoice',
      payment_behavior: 'error_if_incomplete',
      expand: ['latest_invoice'],
    })
    expect(after.items.data[0]?.price.id).toBe('price_local_pro')
    expect(after.latest_invoice).toMatchObject({ status: 'paid', amount_paid: preview.amount_due })
  })

  test('without a successful payment changes nothing', async () => {
    const bought = await purchase(bench)
    const bad = await card(bench.url, '4000000000000341')
    await bench.stripe.paymentMethods.attach(bad, { customer: bought.customer })
    const before = await bench.stripe.subscriptions.update(bought.subscription.id, {
      default_payment_method: bad,
    })
    await expect(
      bench.stripe.subscriptions.update(before.id, {
        items: [{ id: before.items.data[0]?.id ?? '', price: 'price_local_pro' }],
        proration_behavior: 'always_invoice',
        payment_behavior: 'error_if_incomplete',
      }),
    ).rejects.toMatchObject({ statusCode: 402, code: 'card_declined' })
    expect(await bench.stripe.subscriptions.retrieve(before.id)).toEqual(
      expect.objectContaining({ status: 'active', items: before.items }),
    )
  })

  test('to a cheaper plan is credited to the invoices that follow', async () => {
    const bought = await purchase(bench, '4242424242424242', 'price_local_pro')
    const before = await subscriptionOf(bought)
    await bench.stripe.subscriptions.update(before.id, {
      items: [{ id: before.items.data[0]?.id ?? '', price: 'price_local_starter' }],
      proration_behavior: 'always_invoice',
    })
    const customer = (await bench.stripe.customers.retrieve(bought.customer)) as Stripe.Customer
    expect(customer.balance).toBeLessThan(centsOf('starter') - centsOf('pro') + 10_00)
    await advanceToRenewal(bought)
    expect(await paidCharges(bought)).toHaveLength(1)
    expect((await subscriptionOf(bought)).latest_invoice).toMatchObject({ status: 'paid', amount_due: 0 })
  })
})

test('a minute package is billed with the next invoice', async () => {
  const bought = await purchase(bench)
  await bench.stripe.invoiceItems.create({
    customer: bought.customer,
    subscription: bought.subscription.id,
    amount: minutePackage.cents,
    currency: stripeCurrency,
    description: '100 minutes',
  })
  const preview = await bench.stripe.invoices.createPreview({ subscription: bought.subscription.id })
  expect(preview.amount_due).toBe(centsOf('growth') + minutePackage.cents)
  await advanceToRenewal(bought)
  const [latest] = (await paidCharges(bought)).map((charge) => charge.amount)
  expect(latest).toBe(preview.amount_due)
  const pending = await bench.stripe.invoiceItems.list({ customer: bought.customer, pending: true })
  expect(pending.data).toEqual([])
  const paid = await bench.stripe.invoices.list({ customer: bought.customer })
  const payments = await bench.stripe.invoicePayments.list({ invoice: paid.data[0]?.id ?? '' })
  expect(payments.data[0]).toMatchObject({ status: 'paid', payment: { type: 'payment_intent' } })
})

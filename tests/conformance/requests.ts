import { randomUUID } from 'node:crypto'
import type { Stripe } from 'stripe'
import { expect } from 'vitest'
import { secretKey } from '../support/stripe-stand-in.ts'
import { confirm, createUnpaid, declining, intentOf, status, useCard } from './purchases.ts'
import { row } from './rows.ts'
import { isStripe } from './side.ts'

/** Rows about requests, whatever they are about. */

const someone = () => `conformance-${randomUUID()}@example.com`

row(47, 'parameters that are unknown, of a wrong type or missing are named', async ({ stripe }) => {
  const refused = async (path: string, params: object, more: object) =>
    expect(stripe.rawRequest('POST', path, params as Record<string, unknown>)).rejects.toEqual(
      status(400, more),
    )
  const email = someone()
  await refused('/v1/customers', { email, e_mail: 'y' }, { code: 'parameter_unknown', param: 'e_mail' })
  await refused(
    '/v1/subscriptions',
    { customer: 'cus_1', items: [{ prize: 'a' }] },
    { code: 'parameter_unknown', param: 'items[0][prize]' },
  )
  await refused(
    '/v1/subscriptions',
    { customer: 'cus_1', payment_behavior: 'sometimes' },
    { param: 'payment_behavior' },
  )
  await refused(
    '/v1/invoiceitems',
    { customer: 'cus_1', amount: 'lots' },
    { code: 'parameter_invalid_integer', param: 'amount' },
  )
  await refused('/v1/prices', { unit_amount: 100 }, { code: 'parameter_missing', param: 'currency' })
  expect((await stripe.customers.list({ email })).data).toEqual([])
})

row(48, 'an object that is missing is named: 404 for a path, 400 for a parameter', async (side) => {
  await expect(side.stripe.customers.retrieve('cus_none')).rejects.toEqual(
    status(404, { code: 'resource_missing', message: "No such customer: 'cus_none'" }),
  )
  const { id: customer } = await side.customer()
  await expect(
    side.stripe.subscriptions.create({ customer, items: [{ price: 'price_none' }] }),
  ).rejects.toEqual(status(400, { param: 'items[0][price]' }))
})

row(49, 'an unknown path is 404', async ({ stripe }) => {
  await expect(stripe.rawRequest('GET', '/v1/coupon')).rejects.toEqual(
    status(404, { message: expect.stringContaining('Unrecognized request URL') as string }),
  )
  if (isStripe) return
  // What Stripe alone has is 501, be it a whole resource or a request to one.
  await expect(stripe.coupons.list()).rejects.toEqual(status(501))
  await expect(stripe.products.list()).rejects.toEqual(status(501))
})

row(50, 'a key’s answer is given again, an error too; other parameters are refused', async (side) => {
  const { stripe } = side
  const email = someone()
  const create = (params: Stripe.CustomerCreateParams, key: string) =>
    stripe.customers.create(params, { idempotencyKey: `${key}:${email}` })
  const first = await create({ email }, 'one')
  const again = await create({ email }, 'one')
  expect(again.id).toBe(first.id)
  await expect(create({ email: someone() }, 'one')).rejects.toEqual(
    status(400, { type: 'StripeIdempotencyError' }),
  )
  // What is malformed has not begun, and its key is free.
  await expect(create({ email: 'none' }, 'mended')).rejects.toEqual(status(400, { code: 'email_invalid' }))
  const mended = await create({ email }, 'mended')
  expect(mended.email).toBe(email)
  await stripe.customers.del(first.id)
  await stripe.customers.del(mended.id)

  const unpaid = await createUnpaid(side)
  const customer = String(unpaid.customer)
  const payment_method = await useCard(side, customer, declining)
  const options = { idempotencyKey: `pay:${email}` }
  const pay = () => stripe.paymentIntents.confirm(intentOf(unpaid), { payment_method }, options)
  await expect(pay()).rejects.toEqual(status(402, { code: 'card_declined' }))
  await expect(pay()).rejects.toEqual(status(402, { code: 'card_declined' }))
  expect((await stripe.charges.list({ customer })).data).toHaveLength(1)
})

row(
  51,
  'a key in use is 409; one of a request that did not begin, or of yesterday, is free',
  async ({ bench, stripe }) => {
    const create = (key: string) => stripe.customers.create({ email: key }, { idempotencyKey: key })
    const made = async (email: string) => (await stripe.customers.list({ email })).data
    await bench.control('fail-next', { path: 'POST /v1/customers', delaySeconds: 0.5 })
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => create('slow@example.com')))
    const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason as object] : []))
    expect(refused).toEqual([1, 2].map(() => status(409, { code: 'idempotency_key_in_use' })))
    expect(await made('slow@example.com')).toHaveLength(1)

    await bench.control('fail-next', { path: '/v1/customers', status: 500 })
    await expect(create('again@example.com')).rejects.toEqual(status(500))
    const [first] = [await create('again@example.com'), await create('again@example.com')]
    expect(await made('again@example.com')).toEqual([first])
    await bench.control('clock', { advanceSeconds: 25 * 3600 })
    expect((await create('again@example.com')).id).not.toBe(first.id)
  },
  'stand-in',
)

row(52, 'lists are newest first, and the SDK pages over them', async (side) => {
  const { stripe } = side
  const { id: customer } = await side.customer()
  const made: string[] = []
  for (let nth = 1; nth <= 5; nth++) {
    made.unshift((await stripe.invoiceItems.create({ customer, amount: 100 * nth, currency: 'usd' })).id)
  }
  const page = await stripe.invoiceItems.list({ customer, limit: 2 })
  expect(page).toMatchObject({ has_more: true, url: '/v1/invoiceitems' })
  const all = await stripe.invoiceItems.list({ customer, limit: 2 }).autoPagingToArray({ limit: 9 })
  expect(all.map(({ id }) => id)).toEqual(made)
  await expect(stripe.invoiceItems.list({ customer, starting_after: 'ii_none' })).rejects.toEqual(status(400))
})

row(53, 'metadata is merged, and a deleted customer is shown as deleted', async (side) => {
  const { id } = await side.customer({ metadata: { a: '1', b: '2' } })
  const changed = await side.stripe.customers.update(id, { metadata: { b: '', c: 3 } })
  expect(changed.metadata).toEqual({ a: '1', c: '3' })
  await side.stripe.customers.del(id)
  expect(await side.stripe.customers.retrieve(id)).toMatchObject({ id, deleted: true })
})

row(54, 'a lookup key is one price’s, and moves if it is told to', async ({ stripe }) => {
  const lookup_key = randomUUID()
  const create = (more: Partial<Stripe.PriceCreateParams> = {}) =>
    stripe.prices.create({
      currency: 'usd',
      unit_amount: 25_00,
      lookup_key,
      product_data: { name: 'Conformance' },
      ...more,
    })
  const first = await create()
  expect(first.unit_amount_decimal?.toString()).toBe('2500')
  await expect(create()).rejects.toEqual(status(400))
  const second = await create({ transfer_lookup_key: true })
  const held = await stripe.prices.list({ lookup_keys: [lookup_key], expand: ['data.product'] })
  expect(held.data).toMatchObject([{ id: second.id, product: { name: 'Conformance' } }])
})

row(
  55,
  'a malformed request is no internal error',
  async ({ bench, stripe }) => {
    for (const [path, body] of [
      ['customers', `${'a[b]'.repeat(500)}=1`],
      ['customers', '__proto__[admin]=1&email=x@example.com'],
      ['customers/%E0%A4%A', 'email=%E0%A4%A&&=&[=]&a[]=1'],
    ] as const) {
      const answer = await fetch(`${bench.url}/v1/${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secretKey}` },
        body,
      })
      expect(await answer.json()).toMatchObject({ error: { type: 'invalid_request_error' } })
    }
    expect((await stripe.customers.list()).data).toEqual([])
  },
  'stand-in',
)

row(
  56,
  'what no handler has read is refused, with all that it did',
  async (side) => {
    const { stripe } = side
    const unpaid = await createUnpaid(side)
    const customer = String(unpaid.customer)
    const refused = (name: string) =>
      status(501, { message: expect.stringContaining(`does not model \`${name}`) as string })
    // An empty list reads no object, and an unknown range of it is refused all the same.
    await expect(stripe.disputes.list({ charge: 'ch_1', created: { gt: 1 } })).rejects.toEqual(
      refused('created[gt]=1'),
    )
    await expect(
      stripe.customers.update(customer, { metadata: { a: '1' }, invoice_settings: { footer: 'Thanks' } }),
    ).rejects.toEqual(refused('invoice_settings[footer]=Thanks'))
    expect(await stripe.customers.retrieve(customer)).toMatchObject({ metadata: {} })
    // A declined charge is kept, unless it was another charge that was asked for.
    const payment_method = await useCard(side, customer, declining)
    await expect(
      stripe.paymentIntents.confirm(intentOf(unpaid), { payment_method, receipt_email: 'a@example.com' }),
    ).rejects.toEqual(refused('receipt_email='))
    expect((await stripe.charges.list({ customer })).data).toEqual([])
    await expect(confirm(side, intentOf(unpaid), payment_method)).rejects.toEqual(status(402))
  },
  'stand-in',
)

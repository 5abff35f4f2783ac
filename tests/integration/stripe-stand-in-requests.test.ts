import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { storageKey } from '#site'
import { centsOf, planName, stripeCurrency } from '../support/plan-facts.ts'
import { card, order, sdk, secretKey, startBench, type Bench } from '../support/stripe-stand-in.ts'

let bench: Bench
beforeAll(async () => {
  bench = await startBench()
})
afterAll(() => bench.close())
beforeEach(() => bench.control('reset'))

const headers = {
  authorization: `Bearer ${secretKey}`,
  'content-type': 'application/x-www-form-urlencoded',
}
const post = (path: string, body: string) =>
  fetch(`${bench.url}${path}`, { method: 'POST', headers, body }).then(
    (answer) => answer.json() as Promise<{ error: Record<string, unknown> }>,
  )

describe('parameters', () => {
  test('those unknown to the stripe package are refused, and nothing changes', async () => {
    const { error } = await post('/v1/customers', 'email=x@example.com&e_mail=y')
    expect(error).toMatchObject({
      type: 'invalid_request_error',
      code: 'parameter_unknown',
      message: 'Received unknown parameter: e_mail',
      param: 'e_mail',
    })
    const nested = await post('/v1/subscriptions', 'customer=cus_1&items[0][prize]=a')
    expect(nested.error.param).toBe('items[0][prize]')
    const prototype = await post('/v1/customers', '__proto__[admin]=1&email=x@example.com')
    expect(prototype.error.param).toBe('__proto__')
    expect((await bench.stripe.customers.list({ email: 'x@example.com' })).data).toEqual([])
  })

  test('values of the wrong type are refused', async () => {
    const { error } = await post('/v1/subscriptions', 'customer=cus_1&payment_behavior=sometimes')
    expect(error).toMatchObject({ param: 'payment_behavior' })
    const amount = await post('/v1/invoiceitems', 'customer=cus_1&amount=lots')
    expect(amount.error).toMatchObject({ code: 'parameter_invalid_integer', param: 'amount' })
    const missing = await post('/v1/prices', 'unit_amount=100')
    expect(missing.error).toMatchObject({ code: 'parameter_missing', param: 'currency' })
  })

  test('a missing object is named', async () => {
    await expect(bench.stripe.customers.retrieve('cus_none')).rejects.toMatchObject({
      statusCode: 404,
      code: 'resource_missing',
      message: "No such customer: 'cus_none'",
    })
    const { id: customer } = await bench.stripe.customers.create()
    await expect(
      bench.stripe.subscriptions.create({ customer, items: [{ price: 'price_none' }] }),
    ).rejects.toMatchObject({ statusCode: 400, param: 'items[0][price]' })
  })

  test('malformed requests are refused without an internal error', async () => {
    const deep = await post('/v1/customers', `${'a[b]'.repeat(500)}=1`)
    expect(deep.error.type).toBe('invalid_request_error')
    const path = await post('/v1/customers/%E0%A4%A', 'email=%E0%A4%A&&=&[=]&a[]=1')
    expect(path.error.type).toBe('invalid_request_error')
  })

  test('an unknown path is 404, and one that Stripe alone has is 501', async () => {
    await expect(bench.stripe.rawRequest('GET', '/v1/coupon')).rejects.toMatchObject({
      statusCode: 404,
      message: expect.stringContaining('Unrecognized request URL') as string,
    })
    await expect(bench.stripe.coupons.list()).rejects.toMatchObject({ statusCode: 501 })
  })
})

describe('idempotency', () => {
  const retries = () => sdk(bench.url, secretKey, 2)

  test('the same key returns the first response again', async () => {
    const first = await bench.stripe.customers.create({ email: 'one@example.com' }, { idempotencyKey: 'k1' })
    const again = await bench.stripe.customers.create({ email: 'one@example.com' }, { idempotencyKey: 'k1' })
    expect(again.id).toBe(first.id)
    const { requests } = await bench.control<{ requests: object[] }>('requests')
    expect(requests.at(-1)).toMatchObject({ idempotencyKey: 'k1', status: 200, replayed: true })
    expect((await bench.stripe.customers.list({ email: 'one@example.com' })).data).toHaveLength(1)
  })

  test('an error is returned again, too', async () => {
    const { customer, intent } = await order(bench.stripe)
    const payment_method = await card(bench.url, '4000000000000341')
    await bench.stripe.paymentMethods.attach(payment_method, { customer })
    const confirm = () =>
      bench.stripe.paymentIntents.confirm(intent, { payment_method }, { idempotencyKey: `c-${intent}` })
    await expect(confirm()).rejects.toMatchObject({ code: 'card_declined' })
    await expect(confirm()).rejects.toMatchObject({ code: 'card_declined' })
    expect((await bench.stripe.charges.list({ customer })).data).toHaveLength(1)
  })

  test('a malformed request is not stored under its key', async () => {
    const options = { idempotencyKey: 'mended' }
    await expect(bench.stripe.customers.create({ email: 'none' }, options)).rejects.toMatchObject({
      code: 'email_invalid',
    })
    const customer = await bench.stripe.customers.create({ email: 'some@example.com' }, options)
    expect(customer.email).toBe('some@example.com')
  })

  test('the same key with other parameters is refused', async () => {
    await bench.stripe.customers.create({ email: 'two@example.com' }, { idempotencyKey: 'k2' })
    await expect(
      bench.stripe.customers.create({ email: 'three@example.com' }, { idempotencyKey: 'k2' }),
    ).rejects.toMatchObject({ statusCode: 400, type: 'StripeIdempotencyError' })
  })

  test('a key that is in use is 409 for other requests', async () => {
    await bench.control('fail-next', { path: 'POST /v1/customers', delaySeconds: 0.5 })
    const create = () =>
      bench.stripe.customers.create({ email: 'slow@example.com' }, { idempotencyKey: 'slow' })
    const outcomes = await Promise.allSettled([create(), create(), create()])
    const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason as object] : []))
    expect(refused).toHaveLength(2)
    for (const error of refused) {
      expect(error).toMatchObject({ statusCode: 409, code: 'idempotency_key_in_use' })
    }
    expect((await bench.stripe.customers.list({ email: 'slow@example.com' })).data).toHaveLength(1)
  })

  test('a 500 before the request began is retried with the same key', async () => {
    await bench.control('fail-next', { path: '/v1/customers', status: 500 })
    await retries().customers.create({ email: 'again@example.com' }, { idempotencyKey: 'again' })
    expect((await bench.stripe.customers.list({ email: 'again@example.com' })).data).toHaveLength(1)
  })

  test('a response that was lost after the work was done is returned again', async () => {
    await bench.control('fail-next', { path: '/v1/customers', timeout: true })
    await retries().customers.create({ email: 'lost@example.com' }, { idempotencyKey: 'lost' })
    expect((await bench.stripe.customers.list({ email: 'lost@example.com' })).data).toHaveLength(1)
  })

  test('a key expires after a day', async () => {
    const first = await bench.stripe.customers.create({}, { idempotencyKey: 'day' })
    await bench.control('clock', { advanceSeconds: 25 * 3600 })
    const later = await bench.stripe.customers.create({}, { idempotencyKey: 'day' })
    expect(later.id).not.toBe(first.id)
  })
})

describe('lists and updates', () => {
  test('pages are newest first, and the SDK iterates over them', async () => {
    const email = 'many@example.com'
    const made: string[] = []
    for (let i = 0; i < 5; i++) made.push((await bench.stripe.customers.create({ email })).id)
    const page = await bench.stripe.customers.list({ email, limit: 2 })
    expect(page).toMatchObject({ has_more: true, url: '/v1/customers' })
    const seen: string[] = []
    for await (const customer of bench.stripe.customers.list({ email, limit: 2 })) seen.push(customer.id)
    expect(seen).toEqual(made.toReversed())
    const before = await bench.stripe.customers.list({ email, limit: 2, ending_before: seen[3] ?? '' })
    expect(before.data.map((customer) => customer.id)).toEqual([seen[1], seen[2]])
    expect((await bench.stripe.customers.list({ email: 'MANY@example.com' })).data).toEqual([])
  })

  test('metadata is merged, and an empty value removes its name', async () => {
    const { id } = await bench.stripe.customers.create({ metadata: { a: '1', b: '2' } })
    const changed = await bench.stripe.customers.update(id, { metadata: { b: '', c: 3 } })
    expect(changed.metadata).toEqual({ a: '1', c: '3' })
  })

  test('a deleted customer is shown as deleted', async () => {
    const { id } = await bench.stripe.customers.create()
    await bench.stripe.customers.del(id)
    expect(await bench.stripe.customers.retrieve(id)).toMatchObject({ id, deleted: true })
  })

  test('the catalogue has prices, and a new one is found by its lookup key', async () => {
    const { stripe } = bench
    const [growth] = (
      await stripe.prices.list({ lookup_keys: [storageKey('growth')], expand: ['data.product'] })
    ).data
    expect(growth).toMatchObject({
      id: 'price_local_growth',
      unit_amount: centsOf('growth'),
      currency: stripeCurrency,
      recurring: { interval: 'month' },
      product: { name: planName('growth') },
    })
    const product = await stripe.products.create({ name: 'Minutes' })
    const price = await stripe.prices.create({
      product: product.id,
      unit_amount: 25_00,
      currency: stripeCurrency,
      lookup_key: 'minutes_100',
    })
    expect(price.unit_amount_decimal?.toString()).toBe('2500')
    const found = await stripe.prices.list({ lookup_keys: ['minutes_100'] })
    expect(found.data.map((one) => one.id)).toEqual([price.id])
  })

  test('requests are counted', async () => {
    await bench.control('requests', { reset: true })
    await bench.stripe.customers.list()
    const seen = (await (await fetch(`${bench.url}/test/requests`)).json()) as object
    expect(seen).toMatchObject({
      count: 1,
      requests: [{ method: 'GET', path: '/v1/customers', status: 200 }],
    })
  })
})

import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Stripe } from 'stripe'
import { expect } from 'vitest'
import { publishableKey, sdk, startBench, startEndpoint } from '../support/stripe-stand-in.ts'
import { buy, confirm, createUnpaid, day, intentOf, invoiceOf, status } from './purchases.ts'
import { row } from './rows.ts'

/** Rows about what Stripe does out of its API's sight: keys of browsers, webhooks, pages, its own restarts. */

row(
  68,
  'a wrong key is refused, and a publishable one reads a payment by its secret alone',
  async (side) => {
    const { url } = side.bench
    await expect(sdk(url, 'sk_test_wrong').customers.list()).rejects.toEqual(status(401))
    const browser = sdk(url, publishableKey)
    await expect(browser.customers.list()).rejects.toMatchObject({ code: 'secret_key_required' })
    const client_secret = invoiceOf(await createUnpaid(side)).confirmation_secret?.client_secret ?? ''
    const [id = ''] = client_secret.split('_secret_')
    await expect(browser.paymentIntents.retrieve(id)).rejects.toEqual(status(400))
    await expect(
      browser.paymentIntents.retrieve(id, { client_secret: `${id}_secret_guess` }),
    ).rejects.toEqual(status(400))
    expect((await browser.paymentIntents.retrieve(id, { client_secret })).id).toBe(id)
  },
  'stand-in',
)

row(
  69,
  'an event is signed, sent until it is accepted, and held if a test says so',
  async (side) => {
    const { bench } = side
    bench.endpoint.answers.push(500)
    const unpaid = await createUnpaid(side)
    await expect
      .poll(() => bench.endpoint.events.map(({ type }) => type), { timeout: 10_000 })
      .toEqual(['customer.subscription.created'])
    const delivery = () => bench.standIn.summary().events.find((one) => one.delivery)?.delivery
    await expect.poll(delivery).toEqual({ state: 'delivered', attempts: 2, lastResponse: '2xx' })

    await bench.control('webhooks', { mode: 'hold' })
    await confirm(side, intentOf(unpaid), 'pm_card_visa')
    expect(await bench.arrived()).toHaveLength(1)
    await bench.control('webhooks', { mode: 'send' })
    expect((await bench.arrived()).toSorted()).toEqual([
      'customer.subscription.created',
      'customer.subscription.updated',
      'invoice.paid',
    ])
    const updated = bench.endpoint.events.find(({ type }) => type === 'customer.subscription.updated')
    expect(updated?.data).toMatchObject({
      object: { id: unpaid.id, status: 'active' },
      previous_attributes: { status: 'incomplete' },
    })
    const all = await side.stripe.events.list({ limit: 100 })
    expect(all.data.map(({ type }) => type)).toContain('payment_intent.succeeded')
  },
  'stand-in',
)

row(
  70,
  'the portal shows plan, card and invoices, takes a card that is good, and is open for an hour',
  async (side) => {
    const { bench, stripe } = side
    const bought = await buy(side)
    const open = async () => {
      const { url } = await stripe.billingPortal.sessions.create({
        customer: bought.customer,
        return_url: 'https://deskbell.test/portal/billing',
      })
      return url
    }
    const url = await open()
    const answer = await fetch(url)
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
    const page = await answer.text()
    for (const shown of ['Conformance Starter', '$100.00', 'Visa •••• 4242', 'Paid']) {
      expect(page).toContain(shown)
    }
    expect(page).toContain('conformance@example.com')
    expect(page).toContain('href="https://deskbell.test/portal/billing"')
    expect(page).not.toMatch(/ style=|<script/)

    const replace = (number: string) =>
      fetch(`${url}/card`, {
        method: 'POST',
        body: new URLSearchParams({ number, exp: '12/34', cvc: '123' }),
      })
    const refused = await replace('4000000000000002')
    expect(refused.status).toBe(422)
    expect(await refused.text()).toContain('Your card was declined.')
    expect(await (await replace('5555 5555 5555 4444')).text()).toContain('Mastercard •••• 4444')

    await bench.control('fail-renewal', { subscription: bought.id })
    await side.advance(bought.end + 2 * day)
    expect(await (await fetch(await open())).text()).toContain('The last payment failed')
    for (const gone of [url, `${bench.url}/portal/bps_none`]) {
      const late = await fetch(gone)
      expect(late.status).toBe(404)
      expect(await late.text()).toContain('This link has expired')
    }
  },
  'stand-in',
)

row(
  71,
  'a control takes JSON alone, so that no other site’s page can call it',
  async ({ bench }) => {
    const answer = await fetch(`${bench.url}/test/clock`, { method: 'POST', body: '{"advanceSeconds":60}' })
    expect(answer.status).toBe(415)
  },
  'stand-in',
)

row(
  72,
  'after a restart all is there: objects, keys, the clock, and webhooks that were not accepted',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'stripe-stand-in-'))
    const stateFile = join(folder, 'deep', 'stripe.json')
    const endpoint = await startEndpoint()
    const start = () => startBench({ stateFile, endpoint })
    const create = (stripe: Stripe) =>
      stripe.customers.create({ email: 'kept@example.com' }, { idempotencyKey: 'kept' })
    const first = await start()
    const { id } = await create(first.stripe)
    await first.control('clock', { advanceSeconds: 3600 })
    const { now } = first.standIn.summary()
    endpoint.answers.push(503)
    const { data } = await first.stripe.prices.list()
    const subscription = await first.stripe.subscriptions.create({
      customer: id,
      items: [{ price: data[0]?.id ?? '' }],
      payment_behavior: 'default_incomplete',
    })
    await expect
      .poll(() => first.standIn.summary().events.find((one) => one.delivery)?.delivery?.lastResponse)
      .toBe('503')
    await first.close()
    expect(endpoint.events).toEqual([])
    // A kill has cut the last line off.
    await appendFile(stateFile, '[["customers","cus_cut",{"id":"cus_')

    const second = await start()
    expect((await create(second.stripe)).id).toBe(id)
    expect((await second.stripe.customers.list()).data).toHaveLength(1)
    expect((await second.stripe.subscriptions.retrieve(subscription.id)).status).toBe('incomplete')
    expect(second.standIn.summary().now).toBeGreaterThanOrEqual(now)
    expect((await second.stripe.prices.list()).data).toHaveLength(data.length)
    await expect
      .poll(() => endpoint.events.map(({ type }) => type), { timeout: 10_000 })
      .toEqual(['customer.subscription.created'])
    const { id: later } = await second.stripe.customers.create({ email: 'later@example.com' })
    await second.close()

    const third = await start()
    expect((await third.stripe.customers.retrieve(later)).id).toBe(later)
    await third.close()
    await endpoint.close()
    await rm(folder, { recursive: true })
  },
  'stand-in',
)

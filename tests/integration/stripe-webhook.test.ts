import type Stripe from 'stripe'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { local } from '../../local/environment.ts'
import { eventually } from '../support/eventually.ts'
import { freshEmail, hasAccount, rowWithStatus, subscriptionRow, subscriptionsOf } from '../support/money.ts'
import { startWorld, type Answer, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.close())
afterEach(() => world.sendWebhooks())

const paying = '4242424242424242'

/** Posts an event as Stripe does. */
const deliver = (event: object, options: { secret?: string; timestamp?: number } = {}): Promise<Answer> => {
  const payload = JSON.stringify(event)
  const { secret = local.stripeWebhookSecret, timestamp = Math.floor(Date.now() / 1000) } = options
  const signature = world.stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp })
  return world.post('stripe-webhook', payload, { 'stripe-signature': signature })
}

const eventsOf = async (type: string, id: string): Promise<Stripe.Event[]> =>
  (await world.stripe.events.list({ type, limit: 100 })).data.filter(
    ({ data }) => 'id' in data.object && data.object.id === id,
  )

const inbox = async (id: string): Promise<Record<string, unknown> | undefined> =>
  (await world.sql('select * from public.webhook_events where id = $1', [id]))[0]

/** A subscription that was paid, with all its events in. */
const paidSubscription = async (email = freshEmail()): Promise<{ email: string; id: string }> => {
  const answer = await world.subscribe(email, await world.card(paying))
  expect(answer.json.status).toBe('active')
  const { stripe_subscription_id: id } = await rowWithStatus(world, email, 'active')
  await world.settled()
  return { email, id }
}

describe('what is refused', () => {
  const event = {
    id: 'evt_forged',
    object: 'event',
    type: 'customer.subscription.deleted',
    data: { object: {} },
  }

  test('a missing, wrong or old signature: 400, and nothing is written', async () => {
    const old = Math.floor(Date.now() / 1000) - 301
    const payload = JSON.stringify(event)
    const answers = [
      await world.post('stripe-webhook', event),
      await world.post('stripe-webhook', event, { 'stripe-signature': 't=1,v1=00' }),
      await world.post('stripe-webhook', event, { 'stripe-signature': 'garbage' }),
      await deliver(event, { secret: 'whsec_of_somebody_else' }),
      await deliver(event, { timestamp: old }),
      await world.post('stripe-webhook', `${payload} `, {
        'stripe-signature': world.stripe.webhooks.generateTestHeaderString({
          payload,
          secret: local.stripeWebhookSecret,
        }),
      }),
    ]
    for (const answer of answers) {
      expect(answer.status).toBe(400)
      expect(answer.json).toEqual({
        error: { code: 'invalid_signature', message: 'The signature is missing or wrong.' },
      })
    }
    expect(await inbox('evt_forged')).toBeUndefined()
  })

  test('everything, where no secret is configured', async () => {
    delete process.env.STRIPE_WEBHOOK_SECRET
    const signed = await deliver(event)
    const withEmptySecret = await world.post('stripe-webhook', event, { 'stripe-signature': 't=1,v1=00' })
    process.env.STRIPE_WEBHOOK_SECRET = local.stripeWebhookSecret
    expect([signed.status, withEmptySecret.status]).toEqual([400, 400])
    expect(await inbox('evt_forged')).toBeUndefined()
  })

  test('GET: 405; more than an event can be: 413', async () => {
    expect((await world.call('stripe-webhook', { method: 'GET' })).status).toBe(405)
    expect((await deliver({ ...event, filler: 'x'.repeat(300_000) })).status).toBe(413)
  })
})

describe('what is told', () => {
  test('an event that is not tracked: 200, and nothing is written', async () => {
    const answer = await deliver({ ...stranger, id: 'evt_untracked', type: 'tax.settings.updated' })
    expect(answer.status).toBe(200)
    expect(await inbox('evt_untracked')).toBeUndefined()
  })

  test('an event without a subscription of ours: recorded as handled', async () => {
    const answer = await deliver({ ...stranger, id: 'evt_charge', type: 'invoice.paid' })
    expect(answer.status).toBe(200)
    expect(await inbox('evt_charge')).toMatchObject({ handled_at: expect.anything(), error: null })
  })

  test('one event ten times at once and once more later: one effect', async () => {
    await world.holdWebhooks()
    const email = freshEmail()
    await world.subscribe(email, await world.card(paying))
    const [subscription] = await subscriptionsOf(world, email)
    const [event] = await eventsOf('customer.subscription.updated', subscription?.id ?? '')
    expect(event).toBeDefined()
    const answers = await Promise.all(Array.from({ length: 10 }, () => deliver(event ?? {})))
    expect(answers.map(({ status }) => status)).toEqual(Array<number>(10).fill(200))
    const row = await subscriptionRow(world, email)
    expect(row).toMatchObject({ status: 'active', stripe_subscription_id: subscription?.id })
    expect(await inbox(event?.id ?? '')).toMatchObject({ attempts: 10, error: null })

    world.callsToStripe()
    expect((await deliver(event ?? {})).status).toBe(200)
    expect(world.callsToStripe()).toEqual([])
    const rows = await world.sql('select from public.user_subscriptions where user_id = $1', [row?.user_id])
    expect(rows).toHaveLength(1)
    expect(await world.sql('select from public.webhook_events where id = $1', [event?.id])).toHaveLength(1)
  })

  test('deleted before updated: ends canceled', async () => {
    await world.holdWebhooks()
    const email = freshEmail()
    await world.subscribe(email, await world.card(paying))
    const [subscription] = await subscriptionsOf(world, email)
    const id = subscription?.id ?? ''
    await world.stripe.subscriptions.cancel(id)
    const [deleted] = await eventsOf('customer.subscription.deleted', id)
    const [updated] = await eventsOf('customer.subscription.updated', id)
    const [created] = await eventsOf('customer.subscription.created', id)
    for (const event of [deleted, updated, created]) {
      expect((await deliver(event ?? {})).status).toBe(200)
      expect(await subscriptionRow(world, email)).toMatchObject({ status: 'canceled' })
    }
  })

  test('a renewal fails: payment_failed; it pays: active, with the new period', async () => {
    const { email, id } = await paidSubscription()
    const before = await rowWithStatus(world, email, 'active')
    await world.failRenewal(id)
    await world.advanceClock(32)
    await rowWithStatus(world, email, 'payment_failed')
    expect(await hasAccount(world, email)).toBe(true)

    const { latest_invoice: invoice } = await world.stripe.subscriptions.retrieve(id)
    await world.stripe.invoices.pay(String(invoice))
    const after = await rowWithStatus(world, email, 'active')
    expect(Date.parse(after.current_period_end)).toBeGreaterThan(Date.parse(before.current_period_end))
  })

  test('a blocked user pays: still blocked; a finished onboarding stays finished', async () => {
    const { email, id } = await paidSubscription()
    await world.sql(
      `update public.user_subscriptions set admin_status = 'blocked', onboarding_completed = true
       where stripe_subscription_id = $1`,
      [id],
    )
    const before = await rowWithStatus(world, email, 'blocked')
    await world.advanceClock(32)
    await eventually(async () => {
      const row = await rowWithStatus(world, email, 'blocked')
      expect(Date.parse(row.current_period_end)).toBeGreaterThan(Date.parse(before.current_period_end))
      expect(row).toMatchObject({ billing_status: 'active', onboarding_completed: true })
    })
  })

  test('the database is down: 500, and the next delivery succeeds', async () => {
    await world.holdWebhooks()
    const email = freshEmail()
    await world.subscribe(email, await world.card(paying))
    const [subscription] = await subscriptionsOf(world, email)
    const [event] = await eventsOf('customer.subscription.updated', subscription?.id ?? '')
    await world.sql('alter table public.user_subscriptions rename to out_of_order')
    const failed = await deliver(event ?? {})
    await world.sql('alter table public.out_of_order rename to user_subscriptions')
    expect(failed.status).toBe(500)
    expect(failed.json).toEqual({
      error: { code: 'internal', message: 'Something went wrong on our side. Please try again.' },
    })
    expect(await inbox(event?.id ?? '')).toMatchObject({
      handled_at: null,
      error: expect.stringContaining('database'),
    })

    expect((await deliver(event ?? {})).status).toBe(200)
    expect(await inbox(event?.id ?? '')).toMatchObject({
      handled_at: expect.anything(),
      error: null,
      attempts: 2,
    })
    expect(await subscriptionRow(world, email)).toMatchObject({ status: 'active' })
  })

  test('an attempt that was never paid runs out: the e-mail is free again', async () => {
    const email = freshEmail()
    await world.subscribe(email, await world.card('4000000000000341'))
    await rowWithStatus(world, email, 'payment_failed')
    await world.advanceClock(1)
    await eventually(async () =>
      expect(await world.sql('select from auth.users where email = $1', [email])).toEqual([]),
    )
    expect((await world.subscribe(email, await world.card(paying))).json.status).toBe('active')
    await rowWithStatus(world, email, 'active')
  })
})

const stranger = { object: 'event', data: { object: { object: 'charge', id: 'ch_1' } } }

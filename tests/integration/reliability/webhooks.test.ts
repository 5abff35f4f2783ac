import type Stripe from 'stripe'
import { afterEach, describe, expect, test } from 'vitest'
import { local } from '../../../local/environment.ts'
import { eventually } from '../../support/eventually.ts'
import { captureLog } from '../../support/log.ts'
import {
  cards,
  freshEmail,
  hasAccount,
  isEntitled,
  rowWithStatus,
  subscriptionRow,
  subscriptionsOf,
  type SubscriptionRow,
} from '../../support/money.ts'
import { isTracked } from '#billing/server/webhook/webhook-event.ts'
import { Random } from '../../simulator/random.ts'
import { signedInAdmin } from '../../support/admin.ts'
import { centsOf, stripeCurrency } from '../../support/plan-facts.ts'
import { useWorld, type Answer } from '../../support/world.ts'

const world = useWorld()
const { paying } = cards
afterEach(() => world.sendWebhooks())

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

/** Returns a paid subscription whose events have all been processed. */
const paidSubscription = async (email = freshEmail()): Promise<{ email: string; id: string }> => {
  const answer = await world.subscribe(email, await world.card(paying))
  expect(answer.json.status).toBe('active')
  const { stripe_subscription_id: id } = await rowWithStatus(world, email, 'active')
  await world.settled()
  return { email, id }
}

describe('refused', () => {
  const event = {
    id: 'evt_forged',
    object: 'event',
    type: 'customer.subscription.deleted',
    data: { object: { object: 'subscription', id: 'sub_forged' } },
  }

  test('21. Bad, missing or old (> 300 s) signature → 400, nothing written', async () => {
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

  test('22. No webhook secret configured → the endpoint refuses everything', async () => {
    delete process.env.STRIPE_WEBHOOK_SECRET
    const answers = [
      await deliver(event),
      await deliver(event, { secret: '' }),
      await deliver(event, { secret: 'undefined' }),
    ]
    process.env.STRIPE_WEBHOOK_SECRET = local.stripeWebhookSecret
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400])
    expect(await inbox('evt_forged')).toBeUndefined()
  })

  test.each([
    null,
    5,
    [],
    {},
    { id: 'evt_1' },
    { id: 5, type: 'invoice.paid' },
    { id: 'evt_1', type: null },
    { id: 'evt_\0', type: 'tax.settings.updated' },
    { ...event, data: undefined },
    { ...event, data: null },
    { ...event, data: { object: null } },
    { ...event, data: { object: { object: 'subscription', id: 5 } } },
    { ...event, data: { object: { object: 'subscription', id: 'sub_\0' } } },
    { ...event, type: 'charge.refunded', data: { object: {} } },
  ])('73. A signed event that is malformed (%j) → 400, nothing written', async (malformed) => {
    const answer = await deliver(malformed as object)
    expect([answer.status, answer.json]).toEqual([
      400,
      { error: { code: 'invalid_request', message: 'The event is malformed.' } },
    ])
    expect(await inbox('evt_forged')).toBeUndefined()
  })

  test('GET: 405; a body larger than any event: 413', async () => {
    expect((await world.call('stripe-webhook', { method: 'GET' })).status).toBe(405)
    expect((await deliver({ ...event, filler: 'x'.repeat(300_000) })).status).toBe(413)
  })
})

describe('accepted', () => {
  test('27. Unknown event type or API version → 200, logged', async () => {
    const log = captureLog()
    const untracked = await deliver({ ...stranger, id: 'evt_untracked', type: 'tax.settings.updated' })
    const old = await deliver({
      id: 'evt_old',
      object: 'event',
      api_version: '2019-05-16',
      type: 'invoice.paid',
      data: { object: { object: 'invoice', id: 'in_1', subscription: 'sub_1' } },
    })
    expect([untracked.status, old.status]).toEqual([200, 200])
    expect(await inbox('evt_untracked')).toBeUndefined()
    expect(await inbox('evt_old')).toMatchObject({ outcome: 'gone' })
    expect(log.notices()).toMatchObject([
      { ignored: 'tax.settings.updated' },
      { outcome: 'gone', stripe_event: 'evt_old' },
    ])
  })

  test.each([
    ['customer.subscription.updated', 'subscription', 'sub_nobodys'],
    ['invoice.paid', 'invoice', 'in_nobodys'],
    ['charge.refunded', 'charge', 'ch_nobodys'],
    ['charge.dispute.closed', 'dispute', 'dp_nobodys'],
    ['radar.early_fraud_warning.created', 'radar.early_fraud_warning', 'issfr_nobodys'],
  ])(
    '192. A signed event whose object Stripe does not know → 200, recorded as such: %s',
    async (type, object, id) => {
      const answer = await deliver({
        id: `evt_of_${id}`,
        object: 'event',
        type,
        data: { object: { object, id } },
      })
      expect(answer.status).toBe(200)
      expect(await inbox(`evt_of_${id}`)).toMatchObject({
        outcome: 'gone',
        handled_at: expect.anything(),
        error: null,
      })
    },
  )

  test('an event without a subscription of ours: recorded as handled', async () => {
    const answer = await deliver({ ...stranger, id: 'evt_charge', type: 'invoice.paid' })
    expect(answer.status).toBe(200)
    expect(await inbox('evt_charge')).toMatchObject({ handled_at: expect.anything(), error: null })
  })

  test('23. One event ten times in parallel → one effect', async () => {
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

    await world.countCallsToStripe()
    expect((await deliver(event ?? {})).status).toBe(200)
    expect(world.callsToStripe()).toEqual([])
    const rows = await world.sql('select from public.user_subscriptions where user_id = $1', [row?.user_id])
    expect(rows).toHaveLength(1)
    expect(await world.sql('select from public.webhook_events where id = $1', [event?.id])).toHaveLength(1)
  })

  test('25. `invoice.paid` before the function has returned → converges', async () => {
    const email = freshEmail()
    const seen: (SubscriptionRow | undefined)[] = []
    const unread = world.afterCall('POST payment_intents/', async () => {
      await world.settled()
      seen.push(await subscriptionRow(world, email))
    })
    const answer = await world.subscribe(email, await world.card(paying))
    unread()
    expect(seen).toMatchObject([{ status: 'active' }])
    expect(answer.json).toMatchObject({ status: 'active', token: expect.any(String) })
    const verified = await world
      .client()
      .auth.verifyOtp({ token_hash: String(answer.json.token), type: 'signup' })
    expect(verified.error).toBeNull()
    expect(await subscriptionRow(world, email)).toMatchObject({ status: 'active' })
    const [checkout] = await world.sql('select state, lease from public.checkouts where email = $1', [email])
    expect(checkout).toEqual({ state: 'paid', lease: null })
  })

  test.each(['refund', 'dispute', 'fraud-warning'] as const)(
    '30. Refund or dispute → flagged to the admin: %s',
    async (how) => {
      const { email, id } = await paidSubscription()
      const { latest_invoice } = await world.stripe.subscriptions.retrieve(id, {
        expand: ['latest_invoice.confirmation_secret'],
      })
      const secret = (latest_invoice as Stripe.Invoice).confirmation_secret?.client_secret ?? ''
      await world.complain(how, secret.replace(/_secret_.*$/, ''))
      const { user_id } = await rowWithStatus(world, email, 'active')
      await eventually(async () =>
        expect(
          await world.sql('select kind, amount, currency from public.payment_flags where user_id = $1', [
            user_id,
          ]),
        ).toEqual([
          {
            kind: how.replace('fraud-', 'early_fraud_'),
            amount: centsOf('growth'),
            currency: stripeCurrency,
          },
        ]),
      )
      const { client: admin } = await signedInAdmin(world)
      const shown = await admin.from('payment_flags').select('stripe_subscription_id').eq('user_id', user_id)
      expect(shown.data).toEqual([{ stripe_subscription_id: id }])
      await world.settled()
      const events = await admin.from('payment_events').select('type, email').eq('email', email)
      expect(events.data?.filter(({ type }) => /charge|radar/.test(type))).toHaveLength(
        // Stripe tells of the dispute, and of the money.
        how === 'dispute' ? 2 : 1,
      )
      const stranger = await world.client().from('payment_flags').select('*')
      expect(stranger.error?.code).toBe('42501')
    },
  )

  test('a paid subscription without an account → 500 until it has one again', async () => {
    await world.holdWebhooks()
    const email = freshEmail()
    await world.subscribe(email, await world.card(paying))
    const [subscription] = await subscriptionsOf(world, email)
    await world.sql('delete from auth.users where email = $1', [email])
    const [event] = await eventsOf('customer.subscription.updated', subscription?.id ?? '')
    expect((await deliver(event ?? {})).status).toBe(500)
    expect(await inbox(event?.id ?? '')).toMatchObject({ handled_at: null, error: 'account_missing' })

    const { token } = await signedInAdmin(world)
    const [{ id = '' } = {}] = await world.sql<{ id: string }>(
      `update public.checkouts set state = 'paid' where email = $1 returning id`,
      [email],
    )
    const resent = await world.post(
      'resend-payment-link',
      { checkoutId: id },
      { authorization: `Bearer ${token}` },
    )
    expect(resent.json).toEqual({ mailed: true })
    expect(world.mails().filter(({ to }) => to === email)).toHaveLength(1)
    expect(await subscriptionRow(world, email)).toMatchObject({ status: 'active' })
    expect((await deliver(event ?? {})).status).toBe(200)
  })

  test('44. Webhook events in random order, each three times → the same end state as in order', async () => {
    await world.holdWebhooks()
    const emails = Array.from({ length: 12 }, () => freshEmail())
    const began = Math.floor(Date.now() / 1000) - 1
    for (const [index, email] of emails.entries()) {
      await world.subscribe(email, await world.card(index % 3 === 0 ? '4000000000000341' : paying))
      if (index % 3 === 0) await world.subscribe(email, await world.card(paying))
      const [subscription] = await subscriptionsOf(world, email)
      if (index % 4 === 1) await world.stripe.subscriptions.cancel(subscription?.id ?? '')
      if (index % 4 === 2) await world.failRenewal(subscription?.id ?? '')
    }
    const eventsSoFar = async () => {
      const events: Stripe.Event[] = []
      for await (const event of world.stripe.events.list({ limit: 100, created: { gte: began } })) {
        if (isTracked(event.type)) events.unshift(event)
      }
      return events
    }
    // The first events make the card that paid the customer's default, which renewals charge.
    for (const event of await eventsSoFar()) await deliver(event)
    await world.sql('delete from public.webhook_events')
    await world.advanceClock(32)
    const events = await eventsSoFar()
    const state = () =>
      world.sql(
        `select u.email, s.plan, s.status, s.stripe_status, s.stripe_subscription_id, s.minutes_limit,
           s.current_period_start, s.current_period_end, c.state,
           exists (select from public.users a where a.id = u.id) as is_listed
         from auth.users u join public.user_subscriptions s on s.user_id = u.id
           join public.checkouts c on c.user_id = u.id
         where u.email = any ($1) order by u.email`,
        [emails],
      )
    for (const event of events) expect((await deliver(event)).status).toBe(200)
    const inOrder = await state()
    expect(inOrder).toHaveLength(emails.length)
    expect(new Set(inOrder.map(({ status }) => status))).toEqual(
      new Set(['active', 'canceled', 'payment_failed']),
    )

    await world.sql(
      'delete from public.user_subscriptions s using auth.users u where u.id = s.user_id and u.email = any ($1)',
      [emails],
    )
    await world.sql('delete from public.users where email = any ($1)', [emails])
    await world.sql(`update public.checkouts set state = 'open' where email = any ($1)`, [emails])
    await world.sql('delete from public.webhook_events')
    const random = new Random(44)
    const sent = random.shuffled([...events, ...events, ...events])
    for (let nth = 0; nth < sent.length; nth += 10) {
      const answers = await Promise.all(sent.slice(nth, nth + 10).map((event) => deliver(event)))
      for (const { status } of answers) expect(status).toBe(200)
    }
    expect(await state()).toEqual(inOrder)
  })

  test('24. `deleted` before `updated` → ends canceled', async () => {
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

  test('24. `deleted` overtakes `updated` → ends canceled', async () => {
    await world.holdWebhooks()
    const email = freshEmail()
    await world.subscribe(email, await world.card(paying))
    const [subscription] = await subscriptionsOf(world, email)
    const id = subscription?.id ?? ''
    const [updated] = await eventsOf('customer.subscription.updated', id)
    const unread = world.afterCall(`GET subscriptions/${id}`, async () => {
      await world.stripe.subscriptions.cancel(id)
      const [deleted] = await eventsOf('customer.subscription.deleted', id)
      expect((await deliver(deleted ?? {})).status).toBe(200)
    })
    expect((await deliver(updated ?? {})).status).toBe(200)
    unread()
    expect(await subscriptionRow(world, email)).toMatchObject({ status: 'canceled' })
    expect(await inbox(updated?.id ?? '')).toMatchObject({ outcome: 'stale' })
  })

  test('28. Renewal fails → payment_failed; pays → active, with the new period', async () => {
    const { email, id } = await paidSubscription()
    const before = await rowWithStatus(world, email, 'active')
    await world.failRenewal(id)
    await world.advanceClock(32)
    await rowWithStatus(world, email, 'payment_failed')
    expect(await hasAccount(world, email)).toBe(true)
    expect(await isEntitled(world, email), 'for a grace period').toBe(true)
    await world.sql(
      `update public.user_subscriptions set past_due_since = now() - interval '8 days' where user_id = $1`,
      [before.user_id],
    )
    expect(await isEntitled(world, email)).toBe(false)

    const { latest_invoice: invoice } = await world.stripe.subscriptions.retrieve(id)
    await world.stripe.invoices.pay(String(invoice))
    const after = await rowWithStatus(world, email, 'active')
    expect(Date.parse(after.current_period_end)).toBeGreaterThan(Date.parse(before.current_period_end))
  })

  test('a cancelled subscription runs until its period ends, and continues if the customer keeps it', async () => {
    const { email, id } = await paidSubscription()
    const cancelAt = async () => (await subscriptionRow(world, email))?.cancel_at
    const { cancel_at: end } = await world.stripe.subscriptions.update(id, { cancel_at_period_end: true })
    await eventually(async () => expect(Date.parse(String(await cancelAt()))).toBe((end ?? 0) * 1000))
    expect(await isEntitled(world, email)).toBe(true)
    await world.stripe.subscriptions.update(id, { cancel_at_period_end: false })
    await eventually(async () => expect(await cancelAt()).toBeNull())
    await world.stripe.subscriptions.update(id, { cancel_at_period_end: true })
    await world.advanceClock(32)
    await rowWithStatus(world, email, 'canceled')
    expect(await isEntitled(world, email)).toBe(false)
  })

  test('29. A blocked user pays → still blocked, not entitled; a finished onboarding stays finished', async () => {
    const { email, id } = await paidSubscription()
    await world.sql(
      `update public.user_subscriptions
       set admin_status = 'blocked', billing_status = 'payment_failed', onboarding_completed = true
       where stripe_subscription_id = $1`,
      [id],
    )
    const before = await rowWithStatus(world, email, 'blocked')
    await world.advanceClock(32)
    await eventually(async () => {
      const row = await rowWithStatus(world, email, 'blocked')
      expect(Date.parse(row.current_period_end)).toBeGreaterThan(Date.parse(before.current_period_end))
      expect(row).toMatchObject({ billing_status: 'active', onboarding_completed: true })
      expect(await isEntitled(world, email)).toBe(false)
    })
  })

  test('26. Database down → 500, the retry succeeds', async () => {
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
      error: {
        code: 'internal',
        message: `Something went wrong on our side. Please try again, and write to us if it goes on. Reference: ${failed.headers.get('x-request-id')}`,
      },
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

  test('36. incomplete_expired → the unconfirmed user is removed, the e-mail is free again', async () => {
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

import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import { cards, freshEmail, rowWithStatus, subscriptionsOf } from '../support/money.ts'
import { eventually } from '../support/eventually.ts'
import { subscriber } from '../support/plan-change.ts'
import { centsOf, minutesOf as minutesIn, planName, stripeCurrency } from '../support/plan-facts.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()

interface Minutes {
  plan: string
  minutes_limit: number
  price_cents: number
  plan_minutes: number
  next_plan: string
  next_price_cents: number
  next_minutes: number
}

const minutesOf = async (user: string): Promise<Minutes | undefined> =>
  (
    await world.sql<Minutes>(
      `select plan, minutes_limit, price_cents, plan_minutes, next_plan, next_price_cents, next_minutes
       from public.user_subscriptions where user_id = $1`,
      [user],
    )
  )[0]

const grantsOf = (user: string) =>
  world.sql<{ plan: string; minutes: string; state: string; source: string }>(
    'select plan, minutes, state, source from public.minute_grants where user_id = $1 order by valid_from, amount desc',
    [user],
  )

/** Buys a plan, and waits until its events have been handled. */
async function customer(plan: string): Promise<{ user: string; subscription: Stripe.Subscription }> {
  const email = freshEmail()
  await world.subscribe(email, await world.card(cards.paying), plan)
  const { user_id: user } = await rowWithStatus(world, email, 'active')
  await world.settled()
  const [subscription] = await subscriptionsOf(world, email)
  if (!subscription) throw new Error('There is no subscription')
  return { user, subscription }
}

/** Changes the price at Stripe, and waits for the events. */
async function changePrice(
  { id, items }: Stripe.Subscription,
  price: string,
  how: 'always_invoice' | 'none',
): Promise<Stripe.Subscription> {
  const changed = await world.stripe.subscriptions.update(id, {
    items: [{ id: items.data[0]?.id ?? '', price }],
    proration_behavior: how,
  })
  await world.settled()
  return changed
}

const paymentOf = async (invoice: string): Promise<string> => {
  const { data } = await world.stripe.invoicePayments.list({ invoice })
  return String(data[0]?.payment.payment_intent)
}

test('85. An upgrade grants what its invoice charged for, and a full refund of it takes that back', async () => {
  const { user, subscription } = await customer('starter')
  expect(await minutesOf(user)).toMatchObject({
    plan: 'starter',
    minutes_limit: minutesIn('starter'),
    price_cents: centsOf('starter'),
  })
  const item = subscription.items.data[0]
  const length = (item?.current_period_end ?? 0) - (item?.current_period_start ?? 0)
  await world.advanceClock(length / 86_400 - 1)
  const changed = await changePrice(subscription, 'price_local_pro', 'always_invoice')

  const upgraded = await minutesOf(user)
  expect(upgraded).toMatchObject({ plan: 'pro', next_plan: 'pro', price_cents: centsOf('pro') })
  // About a day of the period is left: not the whole of Pro.
  const more = minutesIn('pro') - minutesIn('starter')
  const ofDay = (more * 86_400) / length
  expect(upgraded?.minutes_limit).toBeGreaterThanOrEqual(minutesIn('starter') + Math.floor(ofDay) - 2)
  expect(upgraded?.minutes_limit).toBeLessThanOrEqual(minutesIn('starter') + Math.ceil(ofDay))
  expect(await grantsOf(user)).toHaveLength(3)

  const payment = await paymentOf(String(changed.latest_invoice))
  await world.stripe.refunds.create({ payment_intent: payment, amount: 1_00 })
  const taken = (1_00 * more) / (centsOf('pro') - centsOf('starter'))
  await world.settled()
  expect(await minutesOf(user), 'a share of what the day has cost').toEqual({
    ...upgraded,
    minutes_limit: expect.closeTo((upgraded?.minutes_limit ?? 0) - taken, -1) as number,
  })
  expect((await minutesOf(user))?.minutes_limit).toBeLessThan(upgraded?.minutes_limit ?? 0)
  await world.stripe.refunds.create({ payment_intent: payment })
  await world.settled()
  expect(await minutesOf(user)).toMatchObject({
    plan: 'starter',
    next_plan: 'pro',
    minutes_limit: minutesIn('starter'),
  })
})

test('86. A refund of the whole period withdraws its minutes for good, whatever is read later', async () => {
  const { user, subscription } = await customer('growth')
  await world.stripe.refunds.create({ payment_intent: await paymentOf(String(subscription.latest_invoice)) })
  await world.settled()
  expect(await minutesOf(user)).toMatchObject({ plan: 'growth', minutes_limit: 0 })
  await world.stripe.subscriptions.update(subscription.id, { metadata: { note: 'read again' } })
  await world.settled()
  expect(await minutesOf(user)).toMatchObject({ minutes_limit: 0 })
  await world.advanceClock(32)
  await world.settled()
  expect(await minutesOf(user)).toMatchObject({ minutes_limit: minutesIn('growth') })
})

test('86. Minutes follow what is kept of a payment: refunded in part, disputed, won or lost, in whatever order events come', async () => {
  const refunded = await customer('growth')
  const fifth = Math.round(centsOf('growth') / 5)
  const kept = Math.floor(minutesIn('growth') * (1 - fifth / centsOf('growth')) + 1e-6)
  const payment = async ({ subscription }: typeof refunded) => paymentOf(String(subscription.latest_invoice))
  await world.stripe.refunds.create({ payment_intent: await payment(refunded), amount: fifth })
  await world.settled()
  expect(await minutesOf(refunded.user)).toMatchObject({ plan: 'growth', minutes_limit: kept })
  await world.complain('dispute', await payment(refunded))
  await world.settled()
  expect(await minutesOf(refunded.user)).toMatchObject({ minutes_limit: 0 })
  await world.complain('win-dispute', await payment(refunded))
  await world.settled()
  expect(await minutesOf(refunded.user)).toMatchObject({ plan: 'growth', minutes_limit: kept })

  const lost = await customer('growth')
  await world.complain('dispute', await payment(lost))
  await world.complain('lose-dispute', await payment(lost))
  await world.settled()
  expect(await minutesOf(lost.user)).toMatchObject({ minutes_limit: 0 })
  expect(await world.sql('select status from public.payment_flags where user_id = $1', [lost.user])).toEqual([
    { status: 'lost' },
  ])
  // An earlier reading of the payment says nothing any more.
  await world
    .admin()
    .rpc('note_kept_share', {
      p: {
        invoice: String(lost.subscription.latest_invoice),
        subscription: null,
        paid_at: null,
        share: 1,
        sequence: 1,
      },
    })
    .throwOnError()
  await world.stripe.subscriptions.update(lost.subscription.id, { metadata: { note: 'read again' } })
  await world.settled()
  expect(await minutesOf(lost.user)).toMatchObject({ minutes_limit: 0 })
  await world.advanceClock(32)
  await world.settled()
  expect(await minutesOf(lost.user)).toMatchObject({ minutes_limit: minutesIn('growth') })
})

test('a lower price from the next period on keeps plan and minutes until then', async () => {
  const { user, subscription } = await customer('growth')
  await changePrice(subscription, 'price_local_starter', 'none')
  expect(await minutesOf(user)).toEqual({
    plan: 'growth',
    minutes_limit: minutesIn('growth'),
    price_cents: centsOf('growth'),
    plan_minutes: minutesIn('growth'),
    next_plan: 'starter',
    next_price_cents: centsOf('starter'),
    next_minutes: minutesIn('starter'),
  })
  await world.advanceClock(32)
  await world.settled()
  expect(await minutesOf(user)).toMatchObject({
    plan: 'starter',
    minutes_limit: minutesIn('starter'),
    price_cents: centsOf('starter'),
  })
})

test('87. A customer of an older price keeps price and minutes at each renewal', async () => {
  const { user, subscription } = await customer('growth')
  const older = await world.stripe.prices.create({
    currency: stripeCurrency,
    unit_amount: 400_00,
    recurring: { interval: 'month' },
    product_data: { name: `${planName('growth')} as it was` },
    metadata: { plan: 'growth', minutes: '900' },
  })
  await changePrice(subscription, older.id, 'none')
  await world.advanceClock(32)
  await world.settled()
  expect(await minutesOf(user)).toEqual({
    plan: 'growth',
    minutes_limit: 900,
    price_cents: 400_00,
    plan_minutes: 900,
    next_plan: 'growth',
    next_price_cents: 400_00,
    next_minutes: 900,
  })
})

test('an owed renewal is an advance, and paid once it is paid', async () => {
  const { user, subscription } = await customer('growth')
  await world.failRenewal(subscription.id)
  await world.advanceClock(32)
  await world.settled()
  expect((await grantsOf(user)).map(({ state }) => state)).toEqual(['paid', 'advance'])
  expect(await minutesOf(user)).toMatchObject({ plan: 'growth', price_cents: centsOf('growth') })
  const { latest_invoice: invoice } = await world.stripe.subscriptions.retrieve(subscription.id)
  await world.stripe.invoices.pay(String(invoice))
  await eventually(async () =>
    expect((await grantsOf(user)).map(({ state }) => state)).toEqual(['paid', 'paid']),
  )
  expect(await minutesOf(user)).toMatchObject({ minutes_limit: minutesIn('growth') })
})

test('packages are used after the plan, are kept, and overuse is no debt', async () => {
  const { user, subscription, client } = await subscriber(world, 'starter', cards.paying)
  const month = (n: number) => `2026-0${n}-01T00:00:00Z`
  await world.sql('delete from public.minute_grants where user_id = $1', [user])
  const grant = (kind: string, n: number, minutes: number) =>
    world.sql(
      `insert into public.minute_grants
         (source, user_id, kind, stripe_subscription_id, invoice, minutes, period_start, valid_from, valid_to, state)
       values (gen_random_uuid()::text, $1, $2, $3, 'in', $4, $5, $5, $6, 'paid')`,
      [user, kind, subscription, minutes, month(n), month(n + 1)],
    )
  const use = (n: number, minutes: number) =>
    world.sql(
      `insert into public.minute_ledger (user_id, minutes, reason, provider_event_id, created_at)
       values ($1, $2, 'call', gen_random_uuid()::text, $3)`,
      [user, minutes, month(n)],
    )
  const in_ = async (n: number) => {
    await world.sql('update public.user_subscriptions set current_period_start = $2 where user_id = $1', [
      user,
      month(n),
    ])
    return (await world.sql('select * from private.minutes_of($1)', [user]))[0]
  }
  for (const n of [1, 2, 3, 4]) await grant('plan', n, 150)
  await grant('package', 1, 100)
  await use(1, 180)
  expect(await in_(1)).toEqual({ plan: 150, packages: 100, used: 180, minutes_limit: 250 })
  expect(await in_(2)).toEqual({ plan: 150, packages: 70, used: 0, minutes_limit: 220 })
  await use(2, 400)
  await grant('package', 3, 50)
  expect(await in_(3)).toEqual({ plan: 150, packages: 50, used: 0, minutes_limit: 200 })
  // Another subscription's packages are not this one's.
  await world.sql(
    `update public.minute_grants set stripe_subscription_id = 'sub_earlier' where user_id = $1 and kind = 'package'`,
    [user],
  )
  expect(await in_(4)).toEqual({ plan: 150, packages: 0, used: 0, minutes_limit: 150 })

  // What an advice about a cheaper plan goes by.
  const read = async () => (await client.rpc('my_minutes').throwOnError()).data as object
  const nothing = { voice: false, lines: 0, languages: 1 }
  expect(await read()).toMatchObject({ used_before: [180, 400, 0], in_use: nothing })
  await world.sql(
    `insert into public.voice_agents (account, user_id, voice) values ($1, $1, 'own')
     on conflict (account) do update set voice = 'own'`,
    [user],
  )
  await world.sql(`insert into public.phone_numbers (number, account) values ('+15550190001', $1)`, [user])
  const knowledge = { languages: ['en-US', 'de-DE'] }
  await client.from('agent_knowledge').upsert({ user_id: user, knowledge }).throwOnError()
  await use(3, 60)
  await in_(5)
  const { used_before, in_use } = (await read()) as Record<string, unknown>
  expect([used_before, in_use]).toEqual([[400, 60, 0], { voice: true, lines: 1, languages: 2 }])
})

test('88. Minutes that are bought bring no mail about those that were used before', async () => {
  const { user, subscription } = await customer('starter')
  const use = (minutes: number) =>
    world.sql(
      `insert into public.minute_ledger (user_id, minutes, reason, provider_event_id, created_at)
       select user_id, $2, 'call', gen_random_uuid()::text, current_period_start
       from public.user_subscriptions where user_id = $1`,
      [user, minutes],
    )
  const due = async () =>
    (await world.sql<{ due: unknown }>('select public.due_usage_alert($1) as due', [user]))[0]?.due
  const [starter, growth] = [minutesIn('starter'), minutesIn('growth')]
  await use(starter - 10)
  expect(await due()).toMatchObject({ percent: 80, limit: starter })
  const [used, reached] = [Math.ceil(0.6 * growth), Math.ceil(0.8 * growth)]
  await use(used - (starter - 10))
  await changePrice(subscription, 'price_local_growth', 'always_invoice')
  expect(await minutesOf(user)).toMatchObject({ minutes_limit: growth })
  expect(await due()).toBeNull()
  await use(reached - used)
  expect(await due()).toMatchObject({ percent: 80, limit: growth })
})

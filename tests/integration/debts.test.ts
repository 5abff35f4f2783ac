import { randomUUID } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { minutePackage } from '#plans/domain/plans.ts'
import { signedInAdmin } from '../support/admin.ts'
import { cards, rowWithStatus } from '../support/money.ts'
import { invoicesOf, subscriber, type Subscriber } from '../support/plan-change.ts'
import { centsOf, minutesOf, stripeCurrency } from '../support/plan-facts.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()
const starter = minutesOf('starter')
// All buyers of these tests have the same card, so no plan and no debt of one test may meet the next.
afterEach(async () => {
  const { data } = await world.stripe.subscriptions.list({ limit: 100 })
  for (const { id } of data) await world.stripe.subscriptions.cancel(id)
  await world.settled()
  await world.sql('delete from private.minute_debts')
})

/** Returns a Growth customer whose first month is paid, whose card is declined from then on, and who has bought packages. */
async function withPackages(count: number): Promise<Subscriber> {
  const owner = await subscriber(world, 'growth', cards.paying)
  for (let bought = 0; bought < count; bought++)
    expect((await owner.post('buy-package', { request: randomUUID() })).status).toBe(200)
  const { json } = await owner.post('create-billing-portal-session', { page: 'card' })
  const body = new URLSearchParams({ number: cards.declinedAtCharge, exp: '12 / 49', cvc: '123' })
  await fetch(`${String(json.url)}/card`, { method: 'POST', body, redirect: 'manual' })
  return owner
}

async function endPeriod({ subscription }: Subscriber): Promise<void> {
  const { items } = await world.stripe.subscriptions.retrieve(subscription)
  const [item] = items.data
  await world.advanceClock(((item?.current_period_end ?? 0) - (item?.current_period_start ?? 0)) / 86_400)
  await world.settled()
}

/** Returns a Growth customer whose first month is paid and ends now, and whose card is declined from then on. */
async function failing(packages = 0): Promise<Subscriber> {
  const owner = await withPackages(packages)
  await endPeriod(owner)
  return owner
}

/** Returns the same customer once the first renewal has been declined. */
async function owing(packages = 0): Promise<Subscriber> {
  const owner = await failing(packages)
  await world.advanceClock(0.1)
  await rowWithStatus(world, owner.email, 'payment_failed')
  await world.settled()
  return owner
}

const use = async ({ user }: Subscriber, minutes: number): Promise<void> =>
  void (await world.sql(
    `insert into public.minute_ledger (user_id, minutes, reason, provider_event_id, created_at)
     select user_id, $2, 'call', gen_random_uuid()::text, current_period_start
     from public.user_subscriptions where user_id = $1`,
    [user, minutes],
  ))

/** Lets the provider try the card for the last time, which ends the subscription. */
async function end({ email }: Subscriber): Promise<void> {
  await world.advanceClock(9)
  await rowWithStatus(world, email, 'canceled')
  await world.settled()
}

async function buyAgain({ email, post }: Subscriber, planId: string): Promise<void> {
  const paymentMethodId = await world.card(cards.paying)
  expect((await post('create-stripe-subscription', { email, planId, paymentMethodId })).status).toBe(200)
  await rowWithStatus(world, email, 'active')
  await world.settled()
}

/** Adds minutes to the period that was never paid: of a call that is reported late, or of a credit. */
const late = ({ user }: Subscriber, minutes: number) =>
  world.sql(
    `insert into public.minute_ledger (user_id, minutes, reason, provider_event_id, created_at)
     select d.user_id, $2, 'call', gen_random_uuid()::text, min(d.period_start)
     from private.minute_debts d where d.user_id = $1 group by d.user_id`,
    [user, minutes],
  )

/** Returns what the portal shows of the minutes. */
const shown = async ({ user, client }: Subscriber) => {
  const { data } = await client
    .from('subscription_overview')
    .select('minutes_limit, minutes_used, minutes_taken, minutes_owed')
    .eq('user_id', user)
    .single()
  return data
}

/** Returns what the admin sees of a customer who owes something. */
const owedBy = async (email: string | null): Promise<Record<string, unknown>[]> => {
  const admin = await signedInAdmin(world)
  const { data } = await admin.client.rpc('owing_accounts').throwOnError()
  return (data as Record<string, unknown>[]).filter((row) => row.email === email)
}

/** Pays an invoice at the provider, as its hosted page does. */
async function pay(invoice: unknown, { subscription }: Subscriber): Promise<void> {
  const { customer } = await world.stripe.subscriptions.retrieve(subscription)
  const card = await world.card(cards.otherPaying)
  await world.stripe.paymentMethods.attach(card, { customer: String(customer) })
  await world.stripe.invoices.pay(String(invoice), { payment_method: card })
  await world.settled()
}

test('185. A declined renewal grants a day’s minutes for each day of grace, and the whole once it is paid', async () => {
  const owner = await failing()
  expect(await shown(owner), 'while the charge is still to come').toMatchObject({
    minutes_limit: minutesOf('growth'),
  })
  await world.advanceClock(0.1)
  await rowWithStatus(world, owner.email, 'payment_failed')
  await world.settled()
  const daily = minutesOf('growth') / (await daysOfPeriod(owner))
  await use(owner, 60)
  const number = `+1555${String(Math.floor(Math.random() * 1e7)).padStart(7, '0')}`
  await world.sql(
    `insert into public.voice_agents (account, user_id) values ($1, $1) on conflict do nothing`,
    [owner.user],
  )
  await world.sql('insert into public.phone_numbers (number, account) values ($1, $2)', [number, owner.user])
  const decides = async () =>
    (
      await world.sql<{ facts: { minutes_limit: number; minutes_used: number; is_entitled: boolean } }>(
        `select public.ring_facts($1, '') as facts`,
        [number],
      )
    )[0]?.facts
  for (const [days, share] of [
    [0, 1],
    [2, 3],
    [5, 6],
  ] as const) {
    await world.sql(
      'update public.user_subscriptions set past_due_since = now() - make_interval(days => $2) where user_id = $1',
      [owner.user, days],
    )
    const minutes_limit = Math.floor(share * daily + 1e-6)
    expect(await shown(owner)).toMatchObject({ minutes_limit, minutes_used: 60 })
    expect(await decides()).toMatchObject({ minutes_limit, minutes_used: 60, is_entitled: true })
  }
  const mailed = await world.sql('select public.due_usage_alert($1) as due', [owner.user])
  expect(mailed, 'no mail each day that the day’s minutes are used up').toEqual([{ due: null }])

  const [row] = await owedBy(owner.email)
  expect(row).toMatchObject({ minutes: 60, amount: centsOf('growth') })
  await pay(row?.invoice, owner)
  await rowWithStatus(world, owner.email, 'active')
  expect(await shown(owner)).toEqual({
    minutes_limit: minutesOf('growth'),
    minutes_used: 60,
    minutes_taken: 0,
    minutes_owed: 0,
  })
})

const daysOfPeriod = async ({ user }: Subscriber): Promise<number> => {
  const [row] = await world.sql<{ days: number }>(
    `select extract(epoch from current_period_end - current_period_start)::float / 86400 as days
     from public.user_subscriptions where user_id = $1`,
    [user],
  )
  return row?.days ?? 0
}

test('186. Whoever buys again gives back the minutes that the unpaid period used, whichever plan it is', async () => {
  const owner = await owing()
  await use(owner, starter + 50)
  await end(owner)
  expect(await shown(owner)).toMatchObject({
    minutes_limit: 0,
    minutes_used: starter + 50,
    minutes_owed: starter + 50,
  })

  await buyAgain(owner, 'starter')
  const nothing = { minutes_limit: 0, minutes_used: 0, minutes_taken: starter, minutes_owed: 50 }
  expect(await shown(owner), 'the month has 50 less').toEqual(nothing)
  await use(owner, 10)
  await world.advanceClock(32)
  await world.settled()
  const second = { minutes_limit: starter - 50, minutes_used: 0, minutes_taken: 50, minutes_owed: 0 }
  expect(await shown(owner)).toEqual(second)
  await world.advanceClock(31)
  await world.settled()
  const third = { minutes_limit: starter, minutes_used: 0, minutes_taken: 0, minutes_owed: 0 }
  expect(await shown(owner)).toEqual(third)
})

test('186. A plan ends before it has given everything back → the next one gives the rest', async () => {
  const owner = await owing()
  await use(owner, starter + 50)
  await end(owner)
  await buyAgain(owner, 'starter')
  const { stripe_subscription_id: second } = await rowWithStatus(world, owner.email, 'active')
  await world.stripe.subscriptions.cancel(second)
  await rowWithStatus(world, owner.email, 'canceled')
  await world.settled()
  expect(await shown(owner)).toMatchObject({ minutes_owed: 50 })
  await buyAgain(owner, 'growth')
  expect(await shown(owner)).toEqual({
    minutes_limit: minutesOf('growth') - 50,
    minutes_used: 0,
    minutes_taken: 50,
    minutes_owed: 0,
  })
})

test('213. The payment of the plan that gives the minutes back is disputed → they are owed still, and the next period gives them back', async () => {
  const owner = await owing()
  await use(owner, 200)
  await end(owner)
  await buyAgain(owner, 'growth')
  expect(await shown(owner)).toMatchObject({ minutes_limit: minutesOf('growth') - 200, minutes_taken: 200 })
  const { stripe_subscription_id: second } = await rowWithStatus(world, owner.email, 'active')
  const { data } = await world.stripe.invoices.list({
    subscription: String(second),
    expand: ['data.payments'],
  })
  await world.complain('dispute', String(data[0]?.payments?.data[0]?.payment.payment_intent))
  await world.settled()
  expect(await shown(owner)).toMatchObject({ minutes_limit: 0, minutes_taken: 0, minutes_owed: 200 })

  await world.advanceClock(32)
  await world.settled()
  expect(await shown(owner)).toMatchObject({
    minutes_limit: minutesOf('growth') - 200,
    minutes_taken: 200,
    minutes_owed: 0,
  })
})

test('187. The same card with another e-mail gives the minutes back, also of an account that was deleted', async () => {
  const owner = await owing()
  await use(owner, starter + 50)
  await world.holdWebhooks()
  expect((await owner.post('delete-account', { email: owner.email })).status).toBe(200)
  await world.sendWebhooks()
  await world.settled()
  expect(await owedBy(null)).toMatchObject([
    { minutes: starter + 50, user_id: null, plan: 'growth', amount: centsOf('growth') },
  ])
  const [kept] = await world.sql<Record<string, unknown>>('select * from private.minute_debts')
  expect(JSON.stringify(kept)).not.toContain(owner.email)
  expect(kept?.card_hash).toMatch(/^[0-9a-f]{64}$/)

  await world.sql(`update private.minute_debts set since = now() - interval '364 days'`)
  await world.sql('select public.remove_unpaid_attempts()')
  const stranger = await subscriber(world, 'starter', cards.otherPaying)
  expect(await shown(stranger), 'another card').toMatchObject({ minutes_limit: starter, minutes_taken: 0 })
  const same = await subscriber(world, 'starter', cards.paying)
  expect(await shown(same)).toMatchObject({ minutes_limit: 0, minutes_taken: starter, minutes_owed: 50 })
  expect(await owedBy(null)).toEqual([])

  // Nobody gives back what another does; what that one leaves, when its account is deleted too, is still owed.
  const third = await subscriber(world, 'starter', cards.paying)
  expect(await shown(third)).toMatchObject({ minutes_limit: starter, minutes_taken: 0 })
  await world.holdWebhooks()
  expect((await same.post('delete-account', { email: same.email })).status).toBe(200)
  await world.sendWebhooks()
  await world.settled()
  const last = await subscriber(world, 'starter', cards.paying)
  expect(await shown(last)).toMatchObject({ minutes_limit: starter - 50, minutes_taken: 50, minutes_owed: 0 })
})

test('188. The owed renewal is paid after all, or its calls are credited → nothing more is owed than was used', async () => {
  const owner = await owing()
  await use(owner, 40)
  await end(owner)
  const [row] = await owedBy(owner.email)
  await late(owner, 25)
  expect(await shown(owner)).toMatchObject({ minutes_owed: 65 })
  await buyAgain(owner, 'growth')
  expect(await shown(owner)).toMatchObject({ minutes_limit: minutesOf('growth') - 65, minutes_taken: 65 })
  await late(owner, -5)
  expect(await shown(owner)).toMatchObject({ minutes_limit: minutesOf('growth') - 60, minutes_taken: 60 })

  await pay(row?.invoice, owner)
  expect(await shown(owner)).toMatchObject({
    minutes_limit: minutesOf('growth'),
    minutes_taken: 0,
    minutes_owed: 0,
  })
})

/** The minutes of a month of Growth, and what packages may cost in the first one. */
const growth = minutesOf('growth')
const most = Math.floor(centsOf('growth') / minutePackage.cents)

test('214. Packages are used and stand on a renewal that nobody pays → the next plan gives them back, until it is paid', async () => {
  const owner = await withPackages(most)
  await use(owner, growth + most * minutePackage.minutes - 40)
  await endPeriod(owner)
  await world.advanceClock(0.1)
  await rowWithStatus(world, owner.email, 'payment_failed')
  await world.settled()
  await use(owner, 20)
  const debt = {
    minutes: most * minutePackage.minutes - 20,
    amount: centsOf('growth') + most * minutePackage.cents,
  }
  expect(await owedBy(owner.email)).toMatchObject([debt])
  await end(owner)
  const [row, ...others] = await owedBy(owner.email)
  expect([row, others]).toMatchObject([debt, []])
  expect(await shown(owner)).toMatchObject({ minutes_owed: debt.minutes })

  await buyAgain(owner, 'growth')
  const taken = { minutes_limit: growth - debt.minutes, minutes_taken: debt.minutes, minutes_owed: 0 }
  expect(await shown(owner)).toMatchObject(taken)
  await pay(row?.invoice, owner)
  expect(await shown(owner)).toMatchObject({ minutes_limit: growth, minutes_taken: 0, minutes_owed: 0 })
})

test('214. A subscription ends with packages, and its last invoice is declined → they are given back, until it is void', async () => {
  const owner = await withPackages(2)
  await use(owner, growth + minutePackage.minutes + 10)
  expect((await owner.post('end-subscription', {})).status).toBe(200)
  await endPeriod(owner)
  await world.advanceClock(0.1)
  await rowWithStatus(world, owner.email, 'canceled')
  await world.settled()
  const [last] = await invoicesOf(world, owner.subscription)
  expect(last).toMatchObject({ status: 'open', total: 2 * minutePackage.cents })
  const debt = { minutes: minutePackage.minutes + 10, amount: 2 * minutePackage.cents, plan: 'growth' }
  expect(await owedBy(owner.email)).toMatchObject([{ ...debt, invoice: last?.id }])

  await buyAgain(owner, 'starter')
  expect(await shown(owner)).toMatchObject({
    minutes_limit: starter - debt.minutes,
    minutes_taken: debt.minutes,
  })
  await world.stripe.invoices.voidInvoice(String(last?.id))
  await world.settled()
  expect(await shown(owner)).toMatchObject({ minutes_limit: starter, minutes_taken: 0, minutes_owed: 0 })
})

test('270. A renewal and a package beside it are never paid → each minute is owed once', async () => {
  const owner = await withPackages(0)
  // Stripe has the package only once the renewal is a draft, which takes nothing more.
  for (let failure = 0; failure < 3; failure++) await world.failNextCall('POST /v1/invoiceitems')
  expect((await owner.post('buy-package', { request: randomUUID() })).json).toEqual({ status: 'under_way' })
  await endPeriod(owner)
  await world.hasten('packages')
  await world.work('packages')
  await world.advanceClock(0.1)
  await rowWithStatus(world, owner.email, 'payment_failed')
  await use(owner, minutePackage.minutes + 20)
  await end(owner)
  await world.settled()

  const owed = async () =>
    Object.fromEntries((await owedBy(owner.email)).map(({ amount, minutes }) => [amount, minutes]))
  const [renewal, last] = [centsOf('growth'), minutePackage.cents]
  expect(await owed()).toEqual({ [renewal]: 20, [last]: minutePackage.minutes })
  await late(owner, 5)
  expect(await owed()).toEqual({ [renewal]: 25, [last]: minutePackage.minutes })

  // The operator forgives the renewal: what is left is the package.
  const rows = await owedBy(owner.email)
  await world.stripe.invoices.voidInvoice(String(rows.find(({ amount }) => amount === renewal)?.invoice))
  await world.settled()
  await buyAgain(owner, 'growth')
  const taken = minutePackage.minutes
  expect(await shown(owner)).toMatchObject({
    minutes_limit: growth - taken,
    minutes_taken: taken,
    minutes_owed: 0,
  })
})

test('215. An account is deleted with packages, and its last invoice is declined → its card gives them back, until it is paid', async () => {
  const owner = await withPackages(2)
  await use(owner, growth + minutePackage.minutes + 10)
  const { customer } = await world.stripe.subscriptions.retrieve(owner.subscription)
  expect((await owner.post('delete-account', { email: owner.email })).status).toBe(200)
  await world.advanceClock(0.1)
  await world.settled()
  const { data } = await world.stripe.invoices.list({ customer: String(customer), status: 'open' })
  const last = String(data[0]?.id)
  const debt = minutePackage.minutes + 10
  const amount = 2 * minutePackage.cents
  expect(await owedBy(null)).toMatchObject([{ invoice: last, minutes: debt, amount }])

  const same = await subscriber(world, 'starter', cards.paying)
  await world.stripe.invoices.markUncollectible(last)
  await world.settled()
  expect(await shown(same)).toMatchObject({ minutes_limit: starter - debt, minutes_taken: debt })
  await pay(last, owner)
  expect(await shown(same)).toMatchObject({ minutes_limit: starter, minutes_taken: 0, minutes_owed: 0 })
})

test('189, 214. The subscription ends → the admin still sees who owes how much since when, until it is paid or forgiven', async () => {
  const owner = await owing(1)
  await use(owner, 40)
  const [during] = await owedBy(owner.email)
  const amount = centsOf('growth') + minutePackage.cents
  expect(during, 'of the package, ten minutes are left').toMatchObject({
    minutes: 40,
    amount,
    grace_ends: expect.any(String) as string,
  })
  await end(owner)
  const [after] = await owedBy(owner.email)
  expect(after).toMatchObject({
    invoice: during?.invoice,
    since: during?.since,
    minutes: 40,
    amount,
    currency: stripeCurrency,
    grace_ends: null,
    user_id: owner.user,
  })
  await world.stripe.invoices.voidInvoice(String(after?.invoice))
  await world.settled()
  expect(await owedBy(owner.email)).toEqual([])
  await buyAgain(owner, 'growth')
  expect(await shown(owner)).toMatchObject({ minutes_limit: minutesOf('growth'), minutes_taken: 0 })
})

/** Leaves what a function leaves that ends a subscription and dies once Stripe has made its last invoice. */
async function dyingEnd({ subscription }: Subscriber): Promise<string> {
  await world.holdWebhooks()
  const { customer } = await world.stripe.subscriptions.cancel(subscription)
  const owner = String(customer)
  const { data } = await world.stripe.invoiceItems.list({ customer: owner, pending: true })
  const { id } = await world.stripe.invoices.create(
    { customer: owner, pending_invoice_items_behavior: 'include', auto_advance: true },
    { idempotencyKey: `last-invoice:${data[0]?.id}` },
  )
  return id
}

test('250. A function dies once Stripe has made the last invoice → it is written down by the next reading', async () => {
  const owner = await withPackages(2)
  await use(owner, growth + minutePackage.minutes + 10)
  const invoice = await dyingEnd(owner)
  await world.sendWebhooks()
  await world.settled()
  const minutes = minutePackage.minutes + 10
  expect(await owedBy(owner.email)).toMatchObject([{ invoice, minutes }])
  await buyAgain(owner, 'growth')
  expect(await shown(owner)).toMatchObject({ minutes_limit: growth - minutes, minutes_taken: minutes })
})

test('250. A deletion dies once Stripe has made the last invoice, and is tried again → the card owes it', async () => {
  const owner = await withPackages(1)
  await use(owner, growth + 20)
  const invoice = await dyingEnd(owner)
  expect((await owner.post('delete-account', { email: owner.email })).status).toBe(200)
  expect(await owedBy(null)).toMatchObject([{ invoice, minutes: 20 }])
  await world.sendWebhooks()
})

/** Ends a plan at once, as the operator does. */
async function cancel({ email, subscription }: Subscriber): Promise<void> {
  await world.stripe.subscriptions.cancel(subscription)
  await rowWithStatus(world, email, 'canceled')
  await world.settled()
}

test('251. Another account with the same card has given a debt back → reading the ended subscription does not write it again', async () => {
  const owner = await owing()
  await use(owner, 40)
  await end(owner)
  const same = await subscriber(world, 'starter', cards.paying)
  expect(await shown(same)).toMatchObject({ minutes_limit: starter - 40, minutes_taken: 40 })
  await cancel(same)
  await world.stripe.subscriptions.update(owner.subscription, { metadata: { read: 'again' } })
  await world.settled()
  expect(await owedBy(owner.email)).toEqual([])
  expect(await shown(owner)).toMatchObject({ minutes_owed: 0 })
  const third = await subscriber(world, 'starter', cards.paying)
  expect(await shown(third)).toMatchObject({ minutes_limit: starter, minutes_taken: 0 })
})

/** Disputes the first payment of a subscription, or ends the dispute. */
async function complain(how: 'dispute' | 'win-dispute', subscription: string): Promise<void> {
  const { data } = await world.stripe.invoices.list({ subscription, expand: ['data.payments'] })
  await world.complain(how, String(data.at(-1)?.payments?.data[0]?.payment.payment_intent))
  await world.settled()
}

/** A customer whose debt a plan gave back that has ended since, and the subscription of that plan. */
async function givenBack() {
  const owner = await owing()
  await use(owner, 60)
  await end(owner)
  await buyAgain(owner, 'starter')
  const { stripe_subscription_id: giver } = await rowWithStatus(world, owner.email, 'active')
  await cancel({ ...owner, subscription: giver })
  return { owner, giver }
}

test('252. The payment of the plan that gave a debt back is disputed after its end → it is owed again, until the dispute is won', async () => {
  const { owner, giver: second } = await givenBack()
  expect(await owedBy(owner.email)).toEqual([])
  await complain('dispute', second)
  expect(await owedBy(owner.email), 'its last subscription').toMatchObject([{ minutes: 60 }])
  await complain('win-dispute', second)
  expect(await owedBy(owner.email)).toEqual([])

  await buyAgain(owner, 'growth')
  expect(await shown(owner)).toMatchObject({ minutes_limit: growth, minutes_owed: 0 })
  const { stripe_subscription_id: third } = await rowWithStatus(world, owner.email, 'active')
  expect(third).not.toBe(second)
})

test('252. The same with another plan bought since → its next period gives the debt back', async () => {
  const { owner, giver: second } = await givenBack()
  await buyAgain(owner, 'growth')
  await complain('dispute', second)
  expect(await shown(owner)).toMatchObject({ minutes_limit: growth, minutes_owed: 60 })
  await world.advanceClock(32)
  await world.settled()
  expect(await shown(owner)).toMatchObject({ minutes_limit: growth - 60, minutes_taken: 60, minutes_owed: 0 })
})

test('255. A call is reported late that two unpaid invoices of a period cover → it is owed once', async () => {
  const owner = await owing()
  await use(owner, 40)
  await end(owner)
  await world.sql(
    `insert into private.minute_debts
     select 'in_second', user_id, stripe_subscription_id, card_hash, plan, amount, 5, 0, now(), period_start, period_end
     from private.minute_debts where user_id = $1`,
    [owner.user],
  )
  await world.sql(
    `insert into public.minute_ledger (user_id, minutes, reason, provider_event_id, created_at)
     select d.user_id, 7, 'call', gen_random_uuid()::text, d.period_start
     from private.minute_debts d where d.user_id = $1 limit 1`,
    [owner.user],
  )
  expect(await shown(owner)).toMatchObject({ minutes_owed: 40 + 5 + 7 })
})

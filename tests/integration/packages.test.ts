import { randomUUID } from 'node:crypto'
import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import { local } from '../../local/environment.ts'
import type { MinutesState } from '#billing/domain/minutes/packages.ts'
import { minutePackage } from '#plans/domain/plans.ts'
import { reportCall } from '../support/call-report.ts'
import { cards, chargesOf } from '../support/money.ts'
import { invoicesOf, subscriber, type Subscriber } from '../support/plan-change.ts'
import { centsOf, minutesOf } from '../support/plan-facts.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()
const { minutes, cents } = minutePackage
/** How many packages cost no more than a month of Starter. */
const most = Math.floor(centsOf('starter') / cents)

const buy = ({ post }: Subscriber, request: string = randomUUID()) => post('buy-package', { request })

interface Package {
  state: string
  invoice: string | null
  minutes: number
}
const packagesOf = ({ user }: Subscriber) =>
  world.sql<Package>(
    'select state, invoice, minutes from public.minute_packages where user_id = $1 order by created_at',
    [user],
  )
const setCap = ({ user }: Subscriber, cap: number) =>
  world.sql('update public.user_subscriptions set spend_cap_cents = $2 where user_id = $1', [user, cap])
const use = ({ user }: Subscriber, used: number) =>
  world.sql(
    `insert into public.minute_ledger (user_id, minutes, reason, provider_event_id, created_at)
     select $1, $2, 'call', $3, s.current_period_start + interval '1 minute'
     from public.user_subscriptions s where s.user_id = $1`,
    [user, used, randomUUID()],
  )
const billDue = async () => {
  await world.hasten('packages')
  await world.work('packages')
}
const cover = async ({ user }: Subscriber): Promise<number> =>
  (
    await world
      .admin()
      .rpc('cover_ring', { p_user_id: user, p_minutes: minutes, p_cents: cents })
      .throwOnError()
  ).data as number

/** Returns the items that Stripe bills or will bill. */
async function itemsOf({ subscription }: Subscriber): Promise<Stripe.InvoiceItem[]> {
  const { customer } = await world.stripe.subscriptions.retrieve(subscription)
  return (await world.stripe.invoiceItems.list({ customer: String(customer), limit: 100 })).data
}

// First: the other tests advance Stripe’s clock, and reports are of real time.
test('156. A call of the last period is reported late → it leaves less of the package, until it is spam', async () => {
  const customer = await subscriber(world, 'starter', cards.paying)
  await buy(customer)
  await use(customer, minutesOf('starter'))
  const started_at = new Date().toISOString()
  await world.advanceClock(32)
  await world.settled()
  expect(await customer.row()).toMatchObject({ minutes_limit: minutesOf('starter') + minutes })
  const call_id = await reportCall(world.origin, customer.user, { started_at, seconds: 600 })
  expect(await customer.row()).toMatchObject({ minutes_limit: minutesOf('starter') + minutes - 10 })
  await reportCall(world.origin, customer.user, { call_id, started_at, seconds: 600, kind: 'spam' })
  expect(await customer.row()).toMatchObject({ minutes_limit: minutesOf('starter') + minutes })
})

test('a package is bought with one request, carried over, and billed by the next invoice', async () => {
  const customer = await subscriber(world, 'starter', cards.paying)
  await world.countCallsToStripe()
  expect((await buy(customer)).json).toEqual({ status: 'bought' })
  expect(world.callsToStripe()).toEqual(['POST invoiceitems'])
  expect(await customer.row()).toMatchObject({ minutes_limit: minutesOf('starter') + minutes })
  await use(customer, minutesOf('starter') + 10)
  await world.advanceClock(32)
  await world.settled()
  expect((await invoicesOf(world, customer.subscription))[0]).toMatchObject({
    status: 'paid',
    total: centsOf('starter') + cents,
  })
  const [bought] = await packagesOf(customer)
  expect(bought).toMatchObject({ state: 'paid' })
  // Ten of its minutes were used in the first period.
  expect(await customer.row()).toMatchObject({ minutes_limit: minutesOf('starter') + minutes - 10 })
})

test('136. The plan is given back in full → its packages stay, and are carried over', async () => {
  const customer = await subscriber(world, 'growth', cards.paying)
  const [charge] = await chargesOf(world, customer.email)
  expect((await buy(customer)).status).toBe(200)
  await world.stripe.refunds.create({ charge: charge!.id })
  await world.settled()
  expect(await customer.row()).toMatchObject({ minutes_limit: minutes })
  await use(customer, 20)
  await world.advanceClock(32)
  await world.settled()
  expect(await customer.row()).toMatchObject({ minutes_limit: minutesOf('growth') + minutes - 20 })
})

test('140. No package goes to Stripe while the plan is being changed, and no change begins while one does', async () => {
  const customer = await subscriber(world, 'growth', cards.paying)
  for (let failure = 0; failure < 3; failure++) await world.failNextCall('POST /v1/invoiceitems')
  expect((await buy(customer)).json).toEqual({ status: 'under_way' })
  const preview = await customer.preview('pro')
  let meanwhile: unknown
  world.beforeCall('POST invoiceitems', async () => {
    meanwhile = (await customer.confirm(preview)).json
  })
  for (let failure = 0; failure < 3; failure++) await world.failNextCall('POST /v1/invoiceitems')
  await billDue()
  expect(meanwhile).toMatchObject({ error: { code: 'change_in_progress' } })
  // The clock runs between the comparison with the preview and the charge.
  world.beforeCall(`POST subscriptions/${customer.subscription}`, billDue)
  expect((await customer.confirm(preview)).json).toEqual({ status: 'changed' })
  expect((await invoicesOf(world, customer.subscription))[0]).toMatchObject({ amount_due: preview.due })
  expect(await itemsOf(customer)).toHaveLength(2)
  await billDue()
  expect(await packagesOf(customer)).toMatchObject([{ state: 'billed' }])
})

test('141. The renewal is paid before the item is known → the package is known as paid', async () => {
  const customer = await subscriber(world, 'growth', cards.paying)
  await buy(customer)
  await world.sql(`delete from public.minute_grants where kind = 'package' and user_id = $1`, [customer.user])
  await world.sql(
    `update public.minute_packages set state = 'reserved', stripe_item = null where user_id = $1`,
    [customer.user],
  )
  await world.advanceClock(32)
  await world.settled()
  await billDue()
  expect(await packagesOf(customer)).toMatchObject([{ state: 'paid' }])
  expect(await itemsOf(customer)).toHaveLength(1)
  expect(await customer.row()).toMatchObject({ minutes_limit: minutesOf('growth') + minutes })
})

test('144. A package is known only in the next period → the calls of that period do not use it up in its own', async () => {
  const customer = await subscriber(world, 'growth', cards.paying)
  for (let failure = 0; failure < 3; failure++) await world.failNextCall('POST /v1/invoiceitems')
  expect((await buy(customer)).json).toEqual({ status: 'under_way' })
  await world.advanceClock(32)
  await world.settled()
  await use(customer, minutesOf('growth') + minutes + 20)
  await billDue()
  expect(await customer.row()).toMatchObject({ minutes_limit: minutesOf('growth') + minutes })
})

test('148. A subscription ends at once → its waiting package is charged once, by a last invoice', async () => {
  const customer = await subscriber(world, 'growth', cards.paying)
  await buy(customer)
  await world.stripe.subscriptions.cancel(customer.subscription)
  await world.settled()
  const { customer: payer } = await world.stripe.subscriptions.retrieve(customer.subscription)
  const lastInvoices = async () =>
    (await world.stripe.invoices.list({ customer: String(payer), limit: 100 })).data.filter(
      ({ parent }) => parent === null,
    )
  expect(await lastInvoices()).toMatchObject([{ status: 'draft', total: cents }])
  expect(await packagesOf(customer)).toMatchObject([{ state: 'billed' }])
  const ended = (await world.stripe.events.list({ type: 'customer.subscription.deleted', limit: 100 })).data
  const event = ended.find(({ data: { object } }) => 'id' in object && object.id === customer.subscription)
  // Again, and late: the event is not handled twice, but the subscription is read for another one.
  const again = { ...event, id: `evt_again_${customer.subscription}` }
  const payload = JSON.stringify(again)
  const secret = local.stripeWebhookSecret
  const signature = world.stripe.webhooks.generateTestHeaderString({ payload, secret })
  const answers = await Promise.all(
    [1, 2].map(() => world.post('stripe-webhook', payload, { 'stripe-signature': signature })),
  )
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  await world.advanceClock(1)
  await world.settled()
  const [last, ...others] = await lastInvoices()
  expect([last?.status, others]).toEqual(['paid', []])
  expect(await packagesOf(customer)).toMatchObject([{ state: 'paid', invoice: last?.id }])

  const { data } = await world.stripe.invoicePayments.list({ invoice: last?.id ?? '' })
  await world.stripe.refunds.create({ payment_intent: String(data[0]?.payment.payment_intent) })
  await world.settled()
  expect(await packagesOf(customer)).toMatchObject([{ state: 'withdrawn' }])
})

test('148. Stripe has not got a package when the subscription ends: one whose answer was lost is charged, another is given up', async () => {
  const customer = await subscriber(world, 'growth', cards.paying)
  await buy(customer)
  await world.sql(
    `update public.minute_packages set state = 'reserved', stripe_item = null where user_id = $1`,
    [customer.user],
  )
  for (let failure = 0; failure < 3; failure++) await world.failNextCall('POST /v1/invoiceitems')
  expect((await buy(customer)).json).toEqual({ status: 'under_way' })
  await world.stripe.subscriptions.cancel(customer.subscription)
  await world.settled()
  await billDue()
  await world.advanceClock(1)
  await world.settled()
  expect(await itemsOf(customer)).toHaveLength(1)
  expect(await packagesOf(customer)).toMatchObject([{ state: 'paid' }, { state: 'failed' }])
})

test('153. The last invoice is paid after the customer has bought again → its package is known as paid', async () => {
  const customer = await subscriber(world, 'starter', cards.paying)
  expect((await buy(customer)).json).toEqual({ status: 'bought' })
  await world.stripe.subscriptions.update(customer.subscription, { cancel_at_period_end: true })
  const waiting = async () => (await customer.client.rpc('my_minutes').throwOnError()).data
  expect(await waiting()).toMatchObject({ waiting_cents: cents, next_invoice_cents: cents })
  await world.failRenewal(customer.subscription)
  await world.advanceClock(32)
  await world.settled()
  const [last] = await invoicesOf(world, customer.subscription)
  expect(last).toMatchObject({ status: 'open', total: cents })
  expect(await waiting()).toMatchObject({ waiting_cents: cents, next_invoice_cents: 0 })
  const again = { email: customer.email, planId: 'growth', paymentMethodId: await world.card(cards.paying) }
  expect((await customer.post('create-stripe-subscription', again)).json).toMatchObject({ status: 'active' })
  await world.settled()
  await world.stripe.invoices.pay(last?.id ?? '')
  await world.settled()
  expect(await packagesOf(customer)).toEqual([{ state: 'paid', invoice: last?.id, minutes }])
  expect(await waiting()).toMatchObject({ waiting_cents: 0 })
})

test('151. The account is deleted while a package is bought → refused in words', async () => {
  const customer = await subscriber(world, 'growth', cards.paying)
  world.beforeCall('POST invoiceitems', () => customer.post('delete-account', { email: customer.email }))
  const answer = await buy(customer)
  expect(answer.status).toBeLessThan(500)
  expect(answer.json).toMatchObject({ error: { code: expect.any(String) } })
})

test('113. The same press twice, at once and later → one package', async () => {
  const customer = await subscriber(world, 'growth', cards.paying)
  const press = randomUUID()
  const answers = await Promise.all([1, 2, 3].map(() => buy(customer, press)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  expect((await buy(customer, press)).json).toEqual({ status: 'bought' })
  expect(await itemsOf(customer)).toHaveLength(1)
  expect(await customer.row()).toMatchObject({ minutes_limit: minutesOf('growth') + minutes })
})

test('114. The function is cut off after Stripe’s answer, or Stripe fails → one item, and the minutes follow', async () => {
  const customer = await subscriber(world, 'growth', cards.paying)
  await buy(customer)
  // The function was cut off once Stripe had answered, and its key is not known there any more.
  await world.sql(`delete from public.minute_grants where kind = 'package' and user_id = $1`, [customer.user])
  await world.sql(
    `update public.minute_packages set state = 'reserved', stripe_item = null, attempt = 1
     where user_id = $1`,
    [customer.user],
  )
  await billDue()
  expect(await itemsOf(customer)).toHaveLength(1)
  expect(await customer.row()).toMatchObject({ minutes_limit: minutesOf('growth') + minutes })

  for (let failure = 0; failure < 3; failure++) await world.failNextCall('POST /v1/invoiceitems')
  expect((await buy(customer)).json).toEqual({ status: 'under_way' })
  expect(await customer.row()).toMatchObject({ minutes_limit: minutesOf('growth') + minutes })
  await billDue()
  expect(await itemsOf(customer)).toHaveLength(2)
  expect(await customer.row()).toMatchObject({ minutes_limit: minutesOf('growth') + 2 * minutes })
})

test('115. No package beyond the cap, while something ends, or while the plan is being changed', async () => {
  const customer = await subscriber(world, 'starter', cards.paying)
  for (let bought = 0; bought < most; bought++) expect((await buy(customer)).status).toBe(200)
  // The cap is the plan's price, and in the first period never more.
  await setCap(customer, 10 * centsOf('starter'))
  expect((await buy(customer)).json).toMatchObject({ error: { code: 'over_cap' } })
  await world.advanceClock(32)
  await world.settled()
  expect((await buy(customer)).status).toBe(200)
  await setCap(customer, 0)
  expect((await buy(customer)).json).toMatchObject({ error: { code: 'over_cap' } })

  await setCap(customer, 2 * centsOf('starter'))
  const change = { p_user_id: customer.user, p_seconds: 60 }
  await world.admin().rpc('begin_subscription_change', change).throwOnError()
  expect((await buy(customer)).json).toMatchObject({ error: { code: 'not_changeable' } })
  await world.sql('update public.user_subscriptions set change_lease_expires_at = now() where user_id = $1', [
    customer.user,
  ])
  await customer.post('end-subscription', {})
  expect((await buy(customer)).json).toMatchObject({ error: { code: 'not_changeable' } })
  expect(await itemsOf(customer)).toHaveLength(most + 1)
})

test('116. A ring at the limit reserves what the call needs, if the customer chose that, and within the cap', async () => {
  const customer = await subscriber(world, 'starter', cards.paying)
  await use(customer, minutesOf('starter'))
  expect(await cover(customer), 'nothing is spent unless it was chosen').toBe(minutesOf('starter'))
  await world.sql(`insert into public.call_settings (user_id, limit_policy) values ($1, 'answer')`, [
    customer.user,
  ])
  const limits = await Promise.all([1, 2, 3].map(() => cover(customer)))
  const limit = (packages: number) => minutesOf('starter') + packages * minutes
  expect(limits).toEqual([limit(1), limit(1), limit(1)])
  await billDue()
  expect(await customer.row()).toMatchObject({ minutes_limit: limit(1) })
  for (let bought = 2; bought <= most; bought++) {
    await use(customer, minutes)
    expect(await cover(customer)).toBe(limit(bought))
  }
  await use(customer, minutes)
  expect(await cover(customer), 'one more would cost more than the plan').toBe(limit(most))
  expect(await packagesOf(customer)).toHaveLength(most)
})

test('117. An upgrade bills a waiting package; if its invoice is voided, the package is billed once by another', async () => {
  const customer = await subscriber(world, 'starter', cards.paying)
  await buy(customer)
  const { customer: payer } = await world.stripe.subscriptions.retrieve(customer.subscription)
  const declined = await world.card(cards.declinedAtCharge)
  await world.stripe.paymentMethods.attach(declined, { customer: String(payer) })
  await world.stripe.customers.update(String(payer), {
    invoice_settings: { default_payment_method: declined },
  })
  const preview = await customer.preview('growth')
  expect(preview.other).toBe(cents)
  expect((await customer.confirm(preview)).status).toBe(402)
  await world.settled()
  await billDue()
  expect(await customer.row()).toMatchObject({ minutes_limit: minutesOf('starter') + minutes })
  const pays = await world.card(cards.paying)
  await world.stripe.paymentMethods.attach(pays, { customer: String(payer) })
  await world.stripe.customers.update(String(payer), { invoice_settings: { default_payment_method: pays } })
  await world.advanceClock(32)
  await world.settled()
  expect(await packagesOf(customer)).toMatchObject([{ state: 'paid' }])
  const paid = (await invoicesOf(world, customer.subscription)).filter(({ status }) => status === 'paid')
  expect(paid.map(({ total }) => total)).toEqual([centsOf('starter') + cents, centsOf('starter')])
})

test('197. The 3-D Secure of an upgrade is left → its package is on the next invoice again, as the portal says', async () => {
  const customer = await subscriber(world, 'starter', cards.alwaysAsks)
  await buy(customer)
  const onNext = async (): Promise<unknown> =>
    ((await customer.client.rpc('my_minutes').throwOnError()).data as MinutesState).next_invoice_cents
  const preview = await customer.preview('growth')
  expect((await customer.confirm(preview)).json).toMatchObject({ status: 'requires_action' })
  await world.settled()
  expect(await onNext(), 'while the upgrade waits for its payment').toBe(0)
  const [upgrade] = await invoicesOf(world, customer.subscription)
  await world.stripe.invoices.voidInvoice(upgrade?.id ?? '')
  await world.settled()
  expect(await onNext(), 'before Stripe has it again').toBe(cents)
  await billDue()
  expect(await packagesOf(customer)).toMatchObject([{ state: 'billed', invoice: null }])
  expect(await onNext()).toBe(cents)
})

test('117. A package of an invoice that is given back in full is withdrawn', async () => {
  const customer = await subscriber(world, 'starter', cards.paying)
  await buy(customer)
  expect((await customer.confirm(await customer.preview('growth'))).json).toEqual({ status: 'changed' })
  await world.settled()
  const [bought] = await packagesOf(customer)
  expect(bought).toMatchObject({ state: 'paid' })
  const { data } = await world.stripe.invoicePayments.list({ invoice: bought?.invoice ?? '' })
  const intent = String(data[0]?.payment.payment_intent)
  const before = await customer.row()
  await world.complain('dispute', intent)
  await world.settled()
  expect(await packagesOf(customer)).toMatchObject([{ state: 'withdrawn' }])
  expect(await customer.row()).toMatchObject({ minutes_limit: minutesOf('starter') })
  await world.complain('win-dispute', intent)
  await world.settled()
  expect(await packagesOf(customer)).toMatchObject([{ state: 'paid' }])
  expect(await customer.row()).toEqual(before)
  await world.stripe.refunds.create({ payment_intent: intent })
  await world.settled()
  expect(await packagesOf(customer)).toMatchObject([{ state: 'withdrawn' }])
  expect(await customer.row()).toMatchObject({ minutes_limit: minutesOf('starter') })
})

test('191. No package is sold on credit while the last payment is disputed or was given back', async () => {
  const customer = await subscriber(world, 'growth', cards.paying)
  const [charge] = await chargesOf(world, customer.email)
  const intent = String(charge?.payment_intent)
  await world.sql(
    `insert into public.call_settings (user_id, limit_policy) values ($1, 'answer')
     on conflict (user_id) do update set limit_policy = 'answer'`,
    [customer.user],
  )
  const refusal = { status: 409, json: { error: { code: 'not_changeable' } } }
  await world.complain('dispute', intent)
  await world.settled()
  expect(await buy(customer)).toMatchObject(refusal)
  expect(await cover(customer)).toBe(0)
  await world.complain('win-dispute', intent)
  await world.settled()
  expect((await buy(customer)).status).toBe(200)

  // The plan of the period is paid, and its upgrade is disputed.
  expect((await customer.confirm(await customer.preview('pro'))).json).toEqual({ status: 'changed' })
  const [upgrade] = await invoicesOf(world, customer.subscription)
  const { data } = await world.stripe.invoicePayments.list({ invoice: upgrade?.id ?? '' })
  await world.complain('dispute', String(data[0]?.payment.payment_intent))
  await world.settled()
  expect(await buy(customer)).toMatchObject(refusal)

  await world.advanceClock(32)
  await world.settled()
  expect((await buy(customer)).status).toBe(200)
  const [renewal] = await chargesOf(world, customer.email)
  await world.stripe.refunds.create({ charge: renewal?.id ?? '', amount: (renewal?.amount ?? 0) - 1 })
  await world.settled()
  expect(await buy(customer)).toMatchObject(refusal)
  expect(await packagesOf(customer)).toHaveLength(2)
})

test('193, 194. A subscription ends with the 3-D Secure of its upgrade open → that is voided, and its package is billed last', async () => {
  const customer = await subscriber(world, 'starter', '4000002760003184')
  await buy(customer)
  const { json } = await customer.confirm(await customer.preview('growth'))
  expect(json).toMatchObject({ status: 'requires_action' })
  await world.stripe.subscriptions.cancel(customer.subscription)
  await world.settled()
  const states = async () => (await invoicesOf(world, customer.subscription)).map(({ status }) => status)
  expect(await states()).toEqual(['void', 'paid'])
  await billDue()
  await world.settled()
  const packageItems = async () => (await itemsOf(customer)).filter(({ amount }) => amount === cents)
  expect(await packageItems()).toHaveLength(2)
  const [last] = await packageItems()
  const invoice = await world.stripe.invoices.retrieve(String(last?.invoice))
  expect(invoice).toMatchObject({ status: 'draft', amount_due: cents, auto_advance: true })
  await billDue()
  expect(await packageItems()).toHaveLength(2)
})

test('220. The 3-D Secure of an upgrade is completed after its subscription has ended → its money goes back', async () => {
  const customer = await subscriber(world, 'starter', '4000002760003184')
  const { json } = await customer.confirm(await customer.preview('growth'))
  world.beforeCall('POST invoices/', async () => {
    await world.advanceClock(1)
    await world.authenticate(String(json.clientSecret), 'complete')
  })
  await world.stripe.subscriptions.cancel(customer.subscription)
  await world.settled()
  expect((await invoicesOf(world, customer.subscription)).map(({ status }) => status)).toEqual([
    'paid',
    'paid',
  ])
  const charges = await chargesOf(world, customer.email)
  expect(charges.map(({ amount, amount_refunded: back }) => amount - back)).toEqual([0, centsOf('starter')])
})

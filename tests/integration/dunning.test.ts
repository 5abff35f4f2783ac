import type Stripe from 'stripe'
import { afterEach, expect, test } from 'vitest'
import { currencySign, exactPrice } from '#plans/domain/plans.ts'
import { site } from '#site'
import { local } from '../../local/environment.ts'
import { signedIn, signedInAdmin } from '../support/admin.ts'
import { eventually } from '../support/eventually.ts'
import { cards, freshEmail, rowWithStatus } from '../support/money.ts'
import { subscriber } from '../support/plan-change.ts'
import { centsOf, planName, stripeCurrency } from '../support/plan-facts.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()
afterEach(() => world.sendWebhooks())

const mailsTo = (email: string) =>
  world.mails().filter(({ to, subject }) => to === email && subject.includes('failed'))

async function owing(): Promise<{ email: string; id: string; invoice: string }> {
  const email = freshEmail()
  await world.subscribe(email, await world.card(cards.paying))
  const { stripe_subscription_id: id } = await rowWithStatus(world, email, 'active')
  await world.settled()
  await world.failRenewal(id)
  await world.advanceClock(32)
  await rowWithStatus(world, email, 'payment_failed')
  await world.settled()
  const { latest_invoice: invoice } = await world.stripe.subscriptions.retrieve(id)
  return { email, id, invoice: String(invoice) }
}

/** Lets days pass until the provider has charged the card, which has no money, so many times. */
async function tryAgain(subscription: string, invoice: string, attempt: number): Promise<void> {
  await world.failRenewal(subscription)
  for (let day = 0; day < 7; day += 1) {
    if ((await world.stripe.invoices.retrieve(invoice)).attempt_count === attempt) return
    await world.advanceClock(1)
  }
  throw new Error(`There was no attempt ${attempt}`)
}

const failures = async (invoice: string): Promise<Stripe.Event[]> =>
  (await world.stripe.events.list({ type: 'invoice.payment_failed', limit: 100 })).data.filter(
    ({ data }) => 'id' in data.object && data.object.id === invoice,
  )

/** Returns the newest invoice of a subscription, and its status. */
async function latest({ subscription }: { subscription: string }): Promise<string[]> {
  const { data } = await world.stripe.invoices.list({ subscription, limit: 1 })
  return data.flatMap(({ id, status }) => [id, String(status)])
}

const deliver = (event: object) => {
  const payload = JSON.stringify(event)
  const signature = world.stripe.webhooks.generateTestHeaderString({
    payload,
    secret: local.stripeWebhookSecret,
  })
  return world.post('stripe-webhook', payload, { 'stripe-signature': signature })
}

test('130. A renewal that fails three times → three mails, however often and late the events come', async () => {
  const { email, id, invoice } = await owing()
  expect(mailsTo(email)).toHaveLength(1)
  for (const attempt of [2, 3]) {
    await tryAgain(id, invoice, attempt)
    await eventually(() => expect(mailsTo(email)).toHaveLength(attempt))
  }
  await world.settled()
  const text = mailsTo(email)[0]?.text ?? ''
  expect(text).toContain(
    `We could not charge ${exactPrice(centsOf('growth'))} for your ${planName('growth')} plan to the card ending in 4242.`,
  )
  expect(text).toMatch(
    /We will try your card again on \d+ \w+ \d{4}\.\nYour agent answers until \d+ \w+ \d{4}, with a day’s share of your minutes/,
  )
  expect(text).toContain(`${world.origin}/portal/billing?pay`)

  const events = await failures(invoice)
  expect(events.length).toBeGreaterThanOrEqual(3)
  const again = events.map((event, index) => ({ ...event, id: `evt_again_${index}_${invoice}` }))
  for (const event of [...events, ...again]) expect((await deliver(event)).status).toBe(200)
  await Promise.all(again.map((event) => deliver(event)))
  expect(mailsTo(email)).toHaveLength(3)

  const admin = await signedInAdmin(world)
  const owes = async () => {
    const { data } = await admin.client.rpc('owing_accounts').throwOnError()
    return (data as Record<string, unknown>[]).filter((row) => row.email === email)
  }
  expect(await owes()).toMatchObject([
    { plan: 'growth', amount: centsOf('growth'), currency: stripeCurrency },
  ])
  expect((await owes())[0]?.mailed_at).toEqual(expect.any(String))
  const stranger = await world.client().rpc('owing_accounts')
  expect([stranger.error?.code, stranger.data]).toEqual(['42501', null])
  const customer = await signedIn(world)
  expect((await customer.client.rpc('owing_accounts').throwOnError()).data).toEqual([])
  const forged = await customer.client.rpc('due_dunning_mail', { p_invoice: invoice })
  expect(forged.error?.code).toBe('42501')

  const card = await world.card(cards.paying)
  await world.stripe.paymentMethods.attach(card, {
    customer: String((await world.stripe.subscriptions.retrieve(id)).customer),
  })
  await world.stripe.invoices.pay(invoice, { payment_method: card })
  await rowWithStatus(world, email, 'active')
  await world.settled()
  expect(await owes()).toEqual([])
  for (const event of events) {
    expect((await deliver({ ...event, id: `evt_late_${event.id}` })).status).toBe(200)
  }
  expect(mailsTo(email)).toHaveLength(3)
})

test('A renewal that the bank wants confirmed → one mail with the way to Pay now, where it is paid', async () => {
  const owner = await subscriber(world, 'growth', cards.paying)
  const { json } = await owner.post('create-billing-portal-session', { page: 'card' })
  const body = new URLSearchParams({ number: cards.asksForAuthentication, exp: '12 / 40', cvc: '123' })
  await fetch(`${String(json.url)}/card`, { method: 'POST', body, redirect: 'manual' })
  await world.advanceClock(32)
  await rowWithStatus(world, owner.email, 'payment_failed')
  await world.settled()
  const types = (await world.stripe.events.list({ limit: 100 })).data
    .filter(({ data }) => JSON.stringify(data).includes(owner.subscription))
    .map(({ type }) => type)
  expect(types).toEqual(expect.arrayContaining(['invoice.payment_failed', 'invoice.payment_action_required']))
  const mails = () => world.mails().filter(({ to, links }) => to === owner.email && links.length > 0)
  const [mail] = mails()
  expect(mail).toMatchObject({
    subject: `Your bank asks you to confirm ${exactPrice(centsOf('growth'))} for ${site.name}`,
    links: [`${world.origin}/portal/billing?pay`],
  })
  expect(mail?.text).toContain(`your ${planName('growth')} plan to the card ending in 3155`)

  const shown = async () =>
    (
      await world.sql<Record<string, unknown>>(
        `select status, past_due_since, next_attempt_at, grace_ends from public.subscription_overview
         where user_id = $1`,
        [owner.user],
      )
    )[0]
  const during = await shown()
  expect(during).toMatchObject({ status: 'payment_failed' })
  const days = (from: unknown, to: unknown) =>
    (Date.parse(String(to)) - Date.parse(String(from))) / 86_400_000
  expect(days(during?.past_due_since, during?.grace_ends)).toBeCloseTo(7)
  expect(during?.next_attempt_at, 'Stripe does not try again while the bank waits').toBeNull()

  const { invoices } = (await owner.post('list-invoices', {})).json as {
    invoices: { id: string; owed: number }[]
  }
  const owed = invoices.find((invoice) => invoice.owed > 0)
  const paying = await owner.post('pay-invoice', { invoice: owed?.id })
  expect(paying.json).toMatchObject({ status: 'requires_action' })
  await world.authenticate(String(paying.json.clientSecret), 'complete')
  await rowWithStatus(world, owner.email, 'active')
  await world.settled()
  expect(await shown()).toEqual({
    status: 'active',
    past_due_since: null,
    next_attempt_at: null,
    grace_ends: null,
  })
  await world.work('dunning mails', 'graces', 'billing mails')
  expect(mails().filter(({ links }) => links.some((link) => link.endsWith('?pay')))).toHaveLength(1)
})

test('159. What the operator bills within a period is not paid → one mail', async () => {
  const email = freshEmail()
  await world.subscribe(email, await world.card(cards.paying))
  const row = await rowWithStatus(world, email, 'active')
  await world.settled()
  const [customer, subscription] = [row.stripe_customer_id, row.stripe_subscription_id]
  const failing = await world.card(cards.declinedAtCharge)
  await world.stripe.paymentMethods.attach(failing, { customer })
  await world.stripe.customers.update(customer, { invoice_settings: { default_payment_method: failing } })
  // Two hundred are left, once the plan that is left has been credited.
  const amount = centsOf('growth') - centsOf('starter') + 200_00
  await world.stripe.invoiceItems.create({ customer, subscription, amount, currency: stripeCurrency })
  const { items } = await world.stripe.subscriptions.retrieve(subscription)
  await world.stripe.subscriptions.update(subscription, {
    items: [{ id: String(items.data[0]?.id), price: 'price_local_starter' }],
    proration_behavior: 'always_invoice',
  })
  await rowWithStatus(world, email, 'payment_failed')
  await eventually(() => expect(mailsTo(email)).toHaveLength(1))
  await world.settled()
  expect(mailsTo(email)[0]?.text).toMatch(
    new RegExp(
      String.raw`We could not charge ${RegExp.escape(currencySign)}2\d\d\.\d\d .* to the card ending in 0341\.`,
    ),
  )
})

test('149. A card is declined for good → nobody says that it is tried again, until there is another card', async () => {
  const owner = await subscriber(world, 'growth', cards.paying)
  await world.failRenewal(owner.subscription, 'lost_card')
  await world.advanceClock(32)
  await rowWithStatus(world, owner.email, 'payment_failed')
  await world.settled()
  const [mail] = mailsTo(owner.email)
  expect(mail?.text).toContain('We will not try your card again automatically.')
  const tries = async () => {
    const [row] = await world.sql<{ next_attempt_at: string | null }>(
      'select next_attempt_at from public.subscription_overview where user_id = $1',
      [owner.user],
    )
    const { invoices } = (await owner.post('list-invoices', {})).json as {
      invoices: { next_attempt: string | null }[]
    }
    return [row?.next_attempt_at, invoices[0]?.next_attempt]
  }
  expect(await tries()).toEqual([null, null])
  const { latest_invoice: invoice } = await world.stripe.subscriptions.retrieve(owner.subscription)
  expect((await world.stripe.invoices.retrieve(String(invoice))).next_payment_attempt).not.toBeNull()

  const { json } = await owner.post('create-billing-portal-session', { page: 'card' })
  const body = new URLSearchParams({ number: cards.otherPaying, exp: '12 / 40', cvc: '123' })
  await fetch(`${String(json.url)}/card`, { method: 'POST', body, redirect: 'manual' })
  expect(await tries()).toEqual([null, expect.any(String)])
})

test('150. An invoice that cannot be made final, or was written off, is a finding and a mail for the admin', async () => {
  const owner = await subscriber(world, 'growth', cards.paying)
  await world.failRenewal(owner.subscription)
  const { items } = await world.stripe.subscriptions.retrieve(owner.subscription)
  const { current_period_start: begun = 0, current_period_end: ended = 0 } = items.data[0] ?? {}
  // The invoice is a draft for an hour.
  await world.advanceClock((ended - begun) / 86_400)
  const [draft = '', status] = await latest(owner)
  expect(status).toBe('draft')
  await world.failFinalization(draft)
  await world.settled()
  const findings = async () => {
    await world.work('reconciliation')
    return world.sql(
      `select kind from public.payment_findings where subject = $1 and resolved_at is null order by kind`,
      [draft],
    )
  }
  const mailed = () => world.mails().filter(({ text }) => text.includes(`- ${draft} (new)`)).length
  expect([await findings(), mailed()]).toEqual([[{ kind: 'invoice_not_final' }], 1])
  expect([await findings(), mailed()], 'once').toEqual([[{ kind: 'invoice_not_final' }], 1])
  await world.stripe.invoices.finalizeInvoice(draft, { auto_advance: true })
  expect([await findings(), mailed()]).toEqual([[], 1])

  await rowWithStatus(world, owner.email, 'payment_failed')
  await world.stripe.invoices.markUncollectible(draft)
  await world.settled()
  expect([await findings(), mailed()]).toEqual([[{ kind: 'invoice_written_off' }], 2])
  // It can be paid still, and then the plan goes on.
  expect((await owner.post('pay-invoice', { invoice: draft })).json).toMatchObject({ status: 'paid' })
  await rowWithStatus(world, owner.email, 'active')
})

test('131. The mail service’s answer is lost → no second mail; nobody who is blocked is mailed', async () => {
  const { email } = await owing()
  await world.work('dunning mails')
  // The answer was lost: it is sent, and nobody has written that down.
  await world.sql(
    `update private.dunning_mails d set mailed_at = null from public.users u where u.id = d.user_id and u.email = $1`,
    [email],
  )
  await world.sql(
    `select private.enqueue('dunning mails', d.invoice)
     from private.dunning_mails d join public.users u on u.id = d.user_id where u.email = $1`,
    [email],
  )
  const mailed = async () =>
    world.sql(
      `select d.mailed_at from private.dunning_mails d join public.users u on u.id = d.user_id where u.email = $1`,
      [email],
    )
  const block = (status: 'blocked' | null) =>
    world.sql(
      `update public.user_subscriptions s set admin_status = $2
       from public.users u where u.id = s.user_id and u.email = $1`,
      [email, status],
    )
  await block('blocked')
  await world.work('dunning mails')
  expect(await mailed(), 'nobody who is blocked is mailed').toEqual([{ mailed_at: null }])
  await block(null)
  await world.hasten('dunning mails')
  await world.work('dunning mails')
  expect((await mailed())[0]?.mailed_at).not.toBeNull()
  expect(mailsTo(email)).toHaveLength(1)
})

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { minutePackage, payablePlanIds } from '#plans/domain/plans.ts'
import type { PlanPreview } from '#billing/domain/plan-change/plan-change-contracts.ts'
import { balanceUse, previewRows } from '#billing/domain/plan-change/preview-rows.ts'
import { Random } from '../simulator/random.ts'
import type { Payloads } from '#supabase/types.ts'
import { cards, chargesOf } from '../support/money.ts'
import { invoicesOf, subscriber, type Subscriber } from '../support/plan-change.ts'
import { centsOf, minutesOf, planName, stripeCurrency } from '../support/plan-facts.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()
const { paying, asksForAuthentication, alwaysAsks, declinedAtCharge } = cards

/** Compares what was previewed with the invoice that charged it. */
async function expectCharged(preview: PlanPreview, subscription: string): Promise<void> {
  const [invoice] = await invoicesOf(world, subscription)
  expect(invoice).toMatchObject({
    status: 'paid',
    billing_reason: 'subscription_update',
    amount_due: preview.due,
  })
  expect(invoice?.total).toBe(preview.charge - preview.back + preview.other + preview.tax)
}

test('an upgrade charges what was previewed, at once; two requests in a row to preview, three to confirm', async () => {
  const customer = await subscriber(world, 'starter', paying)
  await world.advanceClock(20)
  await world.countCallsToStripe()
  const preview = await customer.preview('pro')
  expect(world.callsToStripe()).toEqual([
    `GET subscriptions/${customer.subscription}`,
    'GET invoices',
    'POST invoices/create_preview',
    'GET charges',
  ])
  expect(preview).toMatchObject({ from: 'starter', to: 'pro', other: 0, tax: 0, balance: 0 })
  expect(preview).toMatchObject({
    minutes_now: minutesOf('starter'),
    renewal: centsOf('pro'),
    renewal_minutes: minutesOf('pro'),
  })
  expect(preview.due).toBe(preview.charge - preview.back)

  await world.holdWebhooks()
  await world.countCallsToStripe()
  expect((await customer.confirm(preview)).json).toEqual({ status: 'changed' })
  expect(world.callsToStripe()).toEqual([
    `GET subscriptions/${customer.subscription}`,
    'GET invoices',
    'POST invoices/create_preview',
    'GET charges',
    `POST subscriptions/${customer.subscription}`,
  ])
  await expectCharged(preview, customer.subscription)
  const shown = { plan: 'pro', next_plan: 'pro', minutes_limit: preview.minutes_after, cancel_at: null }
  expect(await customer.row(), 'before any event').toEqual(shown)
  await world.sendWebhooks()
  await world.settled()
  expect(await customer.row()).toEqual(shown)

  // A lost answer: the same quote says what became of it, and charges nothing more.
  expect((await customer.confirm(preview)).json).toEqual({ status: 'changed' })
  expect(await invoicesOf(world, customer.subscription)).toHaveLength(2)
})

test('120. Anything that changes after the preview → 409 with the new preview, nothing is charged', async () => {
  const customer = await subscriber(world, 'starter', paying)
  const stale = await customer.preview('growth')
  const { customer: payer } = await world.stripe.subscriptions.retrieve(customer.subscription)
  await world.stripe.invoiceItems.create({
    customer: String(payer),
    subscription: customer.subscription,
    amount: minutePackage.cents,
    currency: stripeCurrency,
    description: `${minutePackage.minutes} minutes`,
  })
  const answer = await customer.confirm(stale)
  expect(answer.status).toBe(409)
  const { code, details } = answer.json.error as { code: string; details: PlanPreview }
  expect(code).toBe('quote_changed')
  expect(details).toMatchObject({ other: minutePackage.cents, due: stale.due + minutePackage.cents })
  expect(await invoicesOf(world, customer.subscription)).toHaveLength(1)

  await world.sql(`update public.plan_quotes set expires_at = now() where id = $1`, [details.quote])
  const late = await customer.confirm(details)
  expect(late.json).toMatchObject({
    error: { code: 'quote_changed', details: { other: minutePackage.cents } },
  })
  const fresh = (late.json.error as { details: PlanPreview }).details
  expect((await customer.confirm(fresh)).json).toEqual({ status: 'changed' })
  await expectCharged(fresh, customer.subscription)
})

test.each([
  ['more credit than is due', (total: number) => -total - 200_00],
  ['credit pays a part', (total: number) => -Math.round(total / 4)],
  ['credit pays all but too little to charge', (total: number) => 30 - total],
  ['an earlier amount was too little to charge', () => 30],
])('196. With a balance: %s → the dialog says what becomes of it', async (_, balanceFor) => {
  const customer = await subscriber(world, 'starter', paying)
  const { customer: payer } = await world.stripe.subscriptions.retrieve(customer.subscription)
  const hasBalance = (balance: number) => world.stripe.customers.update(String(payer), { balance })
  const { due: total } = await customer.preview('growth')
  const balance = balanceFor(total)
  await hasBalance(balance)
  const stale = await customer.preview('growth')
  await hasBalance(balance - 10)
  const answer = await customer.confirm(stale)
  expect(answer.json, 'the dialog speaks of another balance').toMatchObject({
    error: { code: 'quote_changed' },
  })
  const { details: preview } = answer.json.error as { details: PlanPreview }
  expect(preview.balance).toBe(balance - 10)
  const sum = previewRows(preview, null).reduce((all, { cents }) => all + cents, 0)
  expect(sum).toBe(preview.due)
  expect((await customer.confirm(preview)).json).toEqual({ status: 'changed' })
  await expectCharged(preview, customer.subscription)
  const { later, left } = balanceUse(preview)
  expect(await world.stripe.customers.retrieve(String(payer))).toMatchObject({ balance: later - left })
})

test('195. As many packages as the plan’s price lets and an upgrade → every line is previewed, charged and read, not the first ten', async () => {
  const customer = await subscriber(world, 'growth', paying)
  const packages = Math.floor(centsOf('growth') / minutePackage.cents)
  for (let n = 0; n < packages; n++) await customer.post('buy-package', { request: randomUUID() })
  const bought = {
    other: packages * minutePackage.cents,
    minutes_now: minutesOf('growth') + packages * minutePackage.minutes,
  }
  await world.countCallsToStripe()
  const preview = await customer.preview('pro')
  expect(preview).toMatchObject(bought)
  expect(preview.due).toBe(preview.charge - preview.back + preview.other)
  expect(world.callsToStripe()).toHaveLength(5)

  await world.holdWebhooks()
  expect((await customer.confirm(preview)).json).toEqual({ status: 'changed' })
  await expectCharged(preview, customer.subscription)
  const shown = { plan: 'pro', minutes_limit: preview.minutes_after }
  expect(await customer.row(), 'before any event').toMatchObject(shown)
  await customer.post('end-subscription', {})
  expect(await customer.row(), 'after a reading beside another change').toMatchObject(shown)
  await world.sendWebhooks()
  await world.settled()
  expect(await customer.row()).toMatchObject(shown)
  const [charged] = await invoicesOf(world, customer.subscription)
  const differing = await world.sql('select from public.payment_findings where subject = $1', [charged?.id])
  expect(differing).toEqual([])
})

test('a preview keeps its quote and writes nothing else; its minutes are those of the period that no event has told of', async () => {
  const customer = await subscriber(world, 'starter', paying)
  await customer.post('buy-package', { request: randomUUID() })
  await world.holdWebhooks()
  await world.advanceClock(31.5)
  const written = () =>
    world.sql(
      `select s.sync_sequence, s.current_period_start, s.minutes_limit, (select count(*) from public.minute_grants) as grants
       from public.user_subscriptions s where s.user_id = $1`,
      [customer.user],
    )
  const before = await written()
  const preview = await customer.preview('pro')
  expect(await written()).toEqual(before)
  const minutes_now = minutesOf('starter') + minutePackage.minutes
  expect(preview).toMatchObject({ minutes_now })
  await world.sendWebhooks()
  await world.settled()
  expect(await written()).not.toEqual(before)
  const { minutes_after } = preview
  expect(await customer.preview('pro')).toMatchObject({ minutes_now, minutes_after })
})

test('a preview of the last period is no longer good', async () => {
  const customer = await subscriber(world, 'starter', paying)
  const preview = await customer.preview('growth')
  await world.advanceClock(32)
  await world.settled()
  expect((await customer.confirm(preview)).json).toMatchObject({ error: { code: 'quote_changed' } })
})

test('121. Confirmed twice at once → charged once', async () => {
  const customer = await subscriber(world, 'starter', paying)
  const preview = await customer.preview('growth')
  const answers = await Promise.all([1, 2, 3].map(() => customer.confirm(preview)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ json }) => JSON.stringify(json).includes('change_in_progress'))).toHaveLength(2)
  expect(await invoicesOf(world, customer.subscription)).toHaveLength(2)
})

test('142. An upgrade is charged otherwise than it was quoted → the admin has a finding that stays', async () => {
  const [customer, other] = [
    await subscriber(world, 'starter', paying),
    await subscriber(world, 'starter', paying),
  ]
  const preview = await customer.preview('growth')
  world.beforeCall('POST subscriptions/', () =>
    world.sql('update public.plan_quotes set amount_due = amount_due - 1 where id = $1', [preview.quote]),
  )
  expect((await customer.confirm(preview)).json).toEqual({ status: 'changed' })
  expect((await other.confirm(await other.preview('growth'))).json).toEqual({ status: 'changed' })
  await world.settled()
  const [charged] = await invoicesOf(world, customer.subscription)
  const differing = { kind: 'invoice_differs_from_quote', subject: charged?.id }
  const run = async () => {
    await world.work('reconciliation')
    return world.sql(
      `select kind, subject from public.payment_findings
       where resolved_at is null and kind = 'invoice_differs_from_quote'`,
    )
  }
  expect(await run()).toEqual([differing])
  const mails = () =>
    world.mails().filter(({ text }) => text.includes(`- ${String(charged?.id)} (new)`)).length
  expect(mails()).toBe(1)
  expect(await run()).toEqual([differing])
  expect(mails()).toBe(1)
})

test('122. A declined upgrade changes nothing, and says why', async () => {
  const customer = await subscriber(world, 'starter', paying)
  const { customer: payer } = await world.stripe.subscriptions.retrieve(customer.subscription)
  const declined = await world.card(declinedAtCharge)
  await world.stripe.paymentMethods.attach(declined, { customer: String(payer) })
  await world.stripe.subscriptions.update(customer.subscription, { default_payment_method: declined })
  const preview = await customer.preview('pro')
  const answer = await customer.confirm(preview)
  expect(answer).toMatchObject({ status: 402, json: { error: { code: 'card_declined' } } })
  await world.settled()
  expect(await customer.row()).toMatchObject({
    plan: 'starter',
    next_plan: 'starter',
    minutes_limit: minutesOf('starter'),
  })
  expect((await invoicesOf(world, customer.subscription)).map(({ status }) => status)).toEqual([
    'void',
    'paid',
  ])
})

test('123. 3-D Secure: finished → the plan changes; failed → nothing does; left → the next preview replaces it', async () => {
  const customer = await subscriber(world, 'starter', alwaysAsks)
  const left = await customer.preview('growth')
  const first = await customer.confirm(left)
  expect(first.json).toMatchObject({ status: 'requires_action' })
  expect(await customer.row()).toMatchObject({ plan: 'starter', minutes_limit: minutesOf('starter') })

  const failed = await customer.preview('growth')
  const second = await customer.confirm(failed)
  await world.authenticate(String(second.json.clientSecret), 'fail')
  const message = 'Your bank did not confirm the payment. Please try again, or use another card.'
  expect(await customer.confirm(failed)).toMatchObject({ status: 402, json: { error: { message } } })
  await world.settled()
  expect(await customer.row()).toMatchObject({ plan: 'starter', minutes_limit: minutesOf('starter') })

  const finished = await customer.preview('growth')
  const third = await customer.confirm(finished)
  await world.authenticate(String(third.json.clientSecret), 'complete')
  expect((await customer.confirm(finished)).json).toEqual({ status: 'changed' })
  await expectCharged(finished, customer.subscription)
  await world.settled()
  expect(await customer.row()).toMatchObject({ plan: 'growth', minutes_limit: finished.minutes_after })
  const states = (await invoicesOf(world, customer.subscription)).map(({ status }) => status)
  expect(states).toEqual(['paid', 'void', 'void', 'paid'])
})

test('256. Previewed while an upgrade waits for 3-D Secure with a package and credit on it → nothing is charged that was not shown', async () => {
  const customer = await subscriber(world, 'starter', alwaysAsks)
  expect((await customer.post('buy-package', { request: randomUUID() })).status).toBe(200)
  const { customer: owner } = await world.stripe.subscriptions.retrieve(customer.subscription)
  await world.stripe.customers.update(String(owner), { balance: -10_00 })
  const waiting = await customer.preview('growth')
  expect(waiting).toMatchObject({ other: minutePackage.cents, balance: -10_00 })
  const asked = await customer.confirm(waiting)
  expect(asked.json).toMatchObject({ status: 'requires_action' })
  // Stripe has put both on the invoice that waits, and the preview leaves it alone.
  const preview = await customer.preview('pro')
  expect(preview).toMatchObject({ other: 0, balance: 0 })
  const [open] = await invoicesOf(world, customer.subscription)
  expect(open).toMatchObject({ status: 'open', amount_due: waiting.due })

  const changed = await customer.confirm(preview)
  expect(changed).toMatchObject({ status: 409, json: { error: { code: 'quote_changed' } } })
  const { details: fresh } = changed.json.error as { details: PlanPreview }
  expect(fresh).toMatchObject({ balance: -10_00, due: preview.due - 10_00 })
  const confirmed = await customer.confirm(fresh)
  await world.authenticate(String(confirmed.json.clientSecret), 'complete')
  expect((await customer.confirm(fresh)).json).toEqual({ status: 'changed' })
  await expectCharged(fresh, customer.subscription)
  await expect(world.authenticate(String(asked.json.clientSecret), 'complete')).rejects.toThrow()
})

test('124. While a renewal is owed or the subscription ends, no plan is changed, and the reason is said', async () => {
  const customer = await subscriber(world, 'growth', paying)
  const refusal = async (plan: string, code: string) => {
    for (const name of ['preview-plan-change', 'change-next-plan'] as const)
      expect((await customer.post(name, { plan })).json).toMatchObject({ error: { code } })
  }
  await customer.post('end-subscription', {})
  await refusal('pro', 'subscription_ends')
  await customer.post('resume-subscription', {})
  const preview = await customer.preview('pro')
  await world.failRenewal(customer.subscription)
  // As long as the period is, and a day for the draft of the renewal: three days later the next try would pay it.
  const { items } = await world.stripe.subscriptions.retrieve(customer.subscription)
  const { current_period_start: start = 0, current_period_end: end = 0 } = items.data[0] ?? {}
  await world.advanceClock((end - start) / 86_400 + 1)
  await world.settled()
  await refusal('pro', 'payment_owed')
  expect((await customer.confirm(preview)).json).toMatchObject({ error: { code: 'payment_owed' } })
})

test('125. A smaller plan from the next period on, taken back, and no credit by "upgrading" down', async () => {
  const customer = await subscriber(world, 'pro', paying)
  await world.holdWebhooks()
  await world.countCallsToStripe()
  const noted = await customer.post('change-next-plan', { plan: 'starter' })
  expect(world.callsToStripe()).toEqual([
    `GET subscriptions/${customer.subscription}`,
    'GET invoices',
    `POST subscriptions/${customer.subscription}`,
  ])
  await world.sendWebhooks()
  const { items } = await world.stripe.subscriptions.retrieve(customer.subscription)
  const end = new Date((items.data[0]?.current_period_end ?? 0) * 1000).toISOString()
  expect(noted.json).toEqual({ plan: 'starter', from: end })
  expect(await customer.row()).toMatchObject({
    plan: 'pro',
    next_plan: 'starter',
    minutes_limit: minutesOf('pro'),
  })

  expect(await customer.post('preview-plan-change', { plan: 'growth' })).toMatchObject({ status: 400 })
  await customer.post('change-next-plan', { plan: 'growth' })
  expect(await customer.row()).toMatchObject({ plan: 'pro', next_plan: 'growth' })
  await customer.post('change-next-plan', { plan: 'pro' })
  expect(await customer.row()).toMatchObject({
    plan: 'pro',
    next_plan: 'pro',
    minutes_limit: minutesOf('pro'),
  })
  expect(await invoicesOf(world, customer.subscription)).toHaveLength(1)

  await customer.post('change-next-plan', { plan: 'starter' })
  await world.advanceClock(32)
  await world.settled()
  expect(await customer.row()).toMatchObject({
    plan: 'starter',
    next_plan: 'starter',
    minutes_limit: minutesOf('starter'),
  })
  expect(await customer.post('change-next-plan', { plan: 'growth' })).toMatchObject({ status: 400 })
})

/** A price of Growth that is no longer sold: its minutes. */
const olderMinutes = minutesOf('growth') + 150

/** Moves a customer to such a price, and pays a renewal at it. */
async function onOlderPrice({ subscription }: Subscriber, cents: number): Promise<void> {
  const { items } = await world.stripe.subscriptions.retrieve(subscription)
  const older = await world.stripe.prices.create({
    currency: stripeCurrency,
    unit_amount: cents,
    recurring: { interval: 'month' },
    product_data: { name: `${planName('growth')} as it was` },
    metadata: { plan: 'growth', minutes: String(olderMinutes) },
  })
  await world.stripe.subscriptions.update(subscription, {
    items: [{ id: items.data[0]?.id ?? '', price: older.id }],
    proration_behavior: 'none',
  })
  await world.advanceClock(32)
  await world.settled()
}

test('198. A customer of an older, dearer price gets today’s lower one from the next period on, or takes it back', async () => {
  const customer = await subscriber(world, 'growth', paying)
  const [sold, minutes] = [centsOf('growth'), minutesOf('growth')]
  const [dearer, cheaper] = [sold + 100_00, sold - 10_00]
  await onOlderPrice(customer, dearer)
  const change = async (plan: string | null) => (await customer.post('change-next-plan', { plan })).status
  const terms = async () => {
    const [row] = await world.sql<Record<string, number>>(
      'select price_cents, plan_minutes, next_price_cents, next_minutes from public.user_subscriptions where user_id = $1',
      [customer.user],
    )
    return Object.values(row ?? {})
  }
  expect(await terms()).toEqual([dearer, olderMinutes, dearer, olderMinutes])
  expect(await change(null), 'nothing was noted').toBe(409)
  expect(await change('growth')).toBe(200)
  expect(await terms()).toEqual([dearer, olderMinutes, sold, minutes])
  expect(await change('growth'), 'the same again').toBe(409)
  expect(await change(null)).toBe(200)
  expect(await terms()).toEqual([dearer, olderMinutes, dearer, olderMinutes])
  expect(await customer.post('preview-plan-change', { plan: 'growth' })).toMatchObject({ status: 400 })

  expect(await change('growth')).toBe(200)
  await world.advanceClock(32)
  await world.settled()
  expect(await terms()).toEqual([sold, minutes, sold, minutes])
  expect(await customer.row()).toMatchObject({ plan: 'growth', minutes_limit: minutes })
  const totals = (await invoicesOf(world, customer.subscription)).map(({ total }) => total)
  expect(totals).toEqual([sold, dearer, sold])

  await onOlderPrice(customer, cheaper)
  expect(await change('growth'), 'an older price that is lower').toBe(400)
  expect(await terms()).toEqual([cheaper, olderMinutes, cheaper, olderMinutes])
})

test('135. A period that was given back in full is not credited once more by an upgrade', async () => {
  const customer = await subscriber(world, 'growth', paying)
  const preview = await customer.preview('pro')
  // No event has told of the refund yet.
  await world.holdWebhooks()
  const [charge] = await chargesOf(world, customer.email)
  await world.advanceClock(1)
  await world.stripe.refunds.create({ charge: charge!.id, amount: 1_00 })
  expect((await customer.post('preview-plan-change', { plan: 'pro' })).status).toBe(200)
  await world.stripe.refunds.create({ charge: charge!.id })
  const refusal = { status: 409, json: { error: { code: 'not_changeable' } } }
  expect(await customer.post('preview-plan-change', { plan: 'pro' })).toMatchObject(refusal)
  expect(await customer.confirm(preview)).toMatchObject(refusal)
  expect(await invoicesOf(world, customer.subscription)).toHaveLength(1)

  await world.sendWebhooks()
  await world.advanceClock(32)
  await world.settled()
  await customer.preview('pro')
})

test('190. An upgrade credits at most what was kept: not what is disputed or was refunded in part, but what was won', async () => {
  const refusal = { status: 409, json: { error: { code: 'not_changeable' } } }
  const asks = ({ post }: Subscriber) => post('preview-plan-change', { plan: 'pro' })
  const [refunded, winner, loser] = [
    await subscriber(world, 'growth', paying),
    await subscriber(world, 'growth', paying),
    await subscriber(world, 'growth', paying),
  ]
  await world.advanceClock(12)
  await world.settled()
  const previews = [await refunded.preview('pro'), await winner.preview('pro')] as const
  const intentOf = async ({ email }: Subscriber) => String((await chargesOf(world, email))[0]?.payment_intent)
  // No event has told of it yet.
  await world.holdWebhooks()
  await world.stripe.refunds.create({
    payment_intent: await intentOf(refunded),
    amount: centsOf('growth') - 1,
  })
  expect(await asks(refunded)).toMatchObject(refusal)
  expect(await refunded.confirm(previews[0])).toMatchObject(refusal)
  for (const one of [winner, loser]) {
    await world.complain('dispute', await intentOf(one))
    expect(await asks(one)).toMatchObject(refusal)
  }
  expect(await winner.confirm(previews[1])).toMatchObject(refusal)
  await world.complain('lose-dispute', await intentOf(loser))
  expect(await asks(loser)).toMatchObject(refusal)
  await world.complain('win-dispute', await intentOf(winner))
  await world.sendWebhooks()
  await world.settled()
  const preview = await winner.preview('pro')
  expect((await winner.confirm(preview)).json).toEqual({ status: 'changed' })
  await expectCharged(preview, winner.subscription)
  for (const one of [refunded, loser]) expect(await invoicesOf(world, one.subscription)).toHaveLength(1)
})

test('190. What was kept pays for an upgrade’s credit to the cent, over all invoices of the period', async () => {
  const customer = await subscriber(world, 'starter', paying)
  await world.advanceClock(10)
  await world.settled()
  const first = await customer.preview('growth')
  expect((await customer.confirm(first)).json).toEqual({ status: 'changed' })
  const [upgrade] = await invoicesOf(world, customer.subscription)
  const { data } = await world.stripe.invoicePayments.list({ invoice: upgrade?.id ?? '' })
  const payment_intent = String(data[0]?.payment.payment_intent)
  const asks = () => customer.post('preview-plan-change', { plan: 'pro' })
  // Its credit is what Growth has cost for the rest of the period: all but what Starter's first days did.
  const used = centsOf('starter') - first.back
  await world.stripe.refunds.create({ payment_intent, amount: 1 })
  const { status, json } = await asks()
  expect(status, `${used} cents were used, 1 cent was given back`).toBe(200)
  expect(json).toMatchObject({ back: first.charge })
  const amount = Math.floor((used * first.due) / (first.charge - first.back)) - 1
  await world.stripe.refunds.create({ payment_intent, amount })
  expect((await asks()).status).toBe(200)
  await world.stripe.refunds.create({ payment_intent, amount: 1 })
  expect((await asks()).status).toBe(409)
})

test('an end is one request to Stripe, its taking back two, whoever has scheduled it', async () => {
  const customer = await subscriber(world, 'growth', paying)
  await world.holdWebhooks()
  await world.countCallsToStripe()
  const ended = await customer.post('end-subscription', {})
  expect(world.callsToStripe().toSorted()).toEqual([
    'GET invoices',
    `POST subscriptions/${customer.subscription}`,
  ])
  expect(Date.parse(String(ended.json.cancel_at))).toBeGreaterThan(Date.now())
  expect(Date.parse(String((await customer.row()).cancel_at))).toBe(Date.parse(String(ended.json.cancel_at)))
  await world.countCallsToStripe()
  expect((await customer.post('resume-subscription', {})).json).toEqual({ cancel_at: null })
  expect(world.callsToStripe()).toEqual([
    `GET subscriptions/${customer.subscription}`,
    'GET invoices',
    `POST subscriptions/${customer.subscription}`,
  ])
  expect((await customer.row()).cancel_at).toBeNull()
  await world.sendWebhooks()

  // As the provider's portal does it.
  await world.stripe.subscriptions.update(customer.subscription, { cancel_at: 'max_period_end' })
  expect((await customer.post('resume-subscription', {})).json).toEqual({ cancel_at: null })
  expect((await world.stripe.subscriptions.retrieve(customer.subscription)).cancel_at).toBeNull()
})

test('only the signed-in customer changes the plan, in a form that is expected, a few times', async () => {
  const customer = await subscriber(world, 'starter', paying)
  const other = await subscriber(world, 'starter', paying)
  const preview = await customer.preview('growth')
  expect(await other.confirm(preview)).toMatchObject({ status: 404 })
  for (const name of ['preview-plan-change', 'change-next-plan'] as const) {
    expect(await world.post(name, { plan: 'growth' })).toMatchObject({ status: 401 })
    for (const plan of ['enterprise', '__proto__', undefined])
      expect(await customer.post(name, { plan })).toMatchObject({ status: 400 })
  }
  expect(await world.post('confirm-plan-change', preview)).toMatchObject({ status: 401 })
  expect(await world.post('end-subscription', {})).toMatchObject({ status: 401 })
  expect(await world.post('resume-subscription', {})).toMatchObject({ status: 401 })
  await world.sql(`update public.user_subscriptions set admin_status = 'blocked' where user_id = $1`, [
    customer.user,
  ])
  expect(await customer.confirm(preview)).toMatchObject({ status: 403 })
  for (let n = 0; n < 9; n++) await customer.confirm(preview)
  expect(await customer.confirm(preview)).toMatchObject({ status: 429 })
})

/** `CHANGES=1000 SEED=18 npx vitest run --project integration tests/integration/plan-change.test.ts -t 126` tries more. */
const changes = Number(process.env.CHANGES ?? 6)
/** What a minute costs in the plan where it costs least. */
const cheapest = Math.min(...payablePlanIds.map((plan) => centsOf(plan) / minutesOf(plan)))
test(
  '126. Random upgrades at random moments: each invoice is its preview to the cent, and no minute is below the cheapest plan’s',
  { timeout: 60_000 + changes * 3_000 },
  async () => {
    await world.sql(`update private.settings set value = 1000000 where name like 'plan_%'`)
    const random = new Random(Number(process.env.SEED ?? 1))
    let customer = await subscriber(world, 'starter', asksForAuthentication)
    const period = async () => {
      const { items } = await world.stripe.subscriptions.retrieve(customer.subscription)
      const [item] = items.data
      return { start: item?.current_period_start ?? 0, end: item?.current_period_end ?? 0 }
    }
    let now = (await period()).start
    const advance = async (seconds: number) => {
      await world.advanceClock(seconds / 86_400)
      now += seconds
    }
    for (let made = 0, months = 1; made < changes; months++) {
      // Each event reads all invoices of its subscription, which are few in real life.
      if (months % 12 === 0) {
        await world.stripe.subscriptions.cancel(customer.subscription)
        customer = await subscriber(world, 'starter', asksForAuthentication)
        now = (await period()).start
      }
      // A month from Starter to one or two larger plans, then back to Starter from the next period on.
      const path = random.pick([['growth'], ['pro'], ['growth', 'pro']])
      for (const plan of path) {
        const left = (await period()).end - now - 3_600
        await advance(Math.floor(random.next() * left * (random.chance(0.2) ? 1 : 0.6)))
        const preview = await customer.preview(plan)
        await advance(random.between(1, 600))
        expect((await customer.confirm(preview)).json, `change ${made}`).toEqual({ status: 'changed' })
        await expectCharged(preview, customer.subscription)
        expect(await customer.row()).toMatchObject({ plan, minutes_limit: preview.minutes_after })
        made++
        // The events of this change would be readings that are newer than the next one's.
        await world.settled()
      }
      const [{ paid, minutes } = { paid: 0, minutes: 0 }] = await world.sql<{
        paid: number
        minutes: number
      }>(
        `select sum(g.amount)::integer as paid, s.minutes_limit as minutes
         from public.minute_grants g join public.user_subscriptions s
           on s.user_id = g.user_id and s.current_period_start = g.period_start
         where g.user_id = $1 group by s.minutes_limit`,
        [customer.user],
      )
      // Each of up to five amounts is rounded to the cent by itself.
      expect(paid + 3).toBeGreaterThanOrEqual(minutes * cheapest)
      await customer.post('change-next-plan', { plan: 'starter' })
      await advance((await period()).end - now + 7_200)
      await world.settled()
      expect(await customer.row()).toMatchObject({ plan: 'starter', minutes_limit: minutesOf('starter') })
    }
  },
)

test('151. The account is deleted while a plan is previewed → refused in words', async () => {
  const customer = await subscriber(world, 'starter', paying)
  world.afterCall('POST invoices/create_preview', () =>
    customer.post('delete-account', { email: customer.email }),
  )
  const answer = await customer.post('preview-plan-change', { plan: 'pro' })
  expect(answer.status).toBeLessThan(500)
  expect(answer.json).toMatchObject({ error: { code: expect.any(String) } })
  // A moment later, nothing but the database knows it.
  const p: Payloads['plan_quote_payload'] = {
    subscription: null,
    plan: 'pro',
    price: null,
    proration_date: 0,
    amount_due: 0,
    starting_balance: 0,
    total: 0,
    tax: 0,
    currency: stripeCurrency,
    lines: [],
  }
  const late = { p_user_id: customer.user, p }
  expect((await world.admin().rpc('make_plan_quote', late).throwOnError()).data).toBeNull()
})

import type { Stripe } from 'stripe'
import { expect } from 'vitest'
import {
  buy,
  confirm,
  createUnpaid,
  day,
  declining,
  hour,
  intentOf,
  invoiceOf,
  itemOf,
  owing,
  priceOf,
  read,
  status,
  useCard,
  type Bought,
  type Plan,
} from './purchases.ts'
import { found, row } from './rows.ts'
import { isStripe, type Side } from './side.ts'
// Their rows are in the same table.
import './payments.ts'
import './requests.ts'
import './stand-in.ts'

/** Changes the plan, and charges the difference at once. */
const change = (
  { stripe, prices }: Side,
  { id, item }: Bought,
  plan: Plan,
  params: Stripe.SubscriptionUpdateParams = {},
) =>
  stripe.subscriptions.update(id, {
    items: [{ id: item, price: prices[plan] }],
    proration_behavior: 'always_invoice',
    payment_behavior: 'pending_if_incomplete',
    expand: ['latest_invoice'],
    ...params,
  })

/** Previews a change of the plan that is charged at once. */
const preview = (
  { stripe, prices }: Side,
  { id, item }: Bought,
  plan: Plan,
  details: Stripe.InvoiceCreatePreviewParams.SubscriptionDetails = {},
) =>
  stripe.invoices.createPreview({
    subscription: id,
    subscription_details: {
      items: [{ id: item, price: prices[plan] }],
      proration_behavior: 'always_invoice',
      ...details,
    },
  })

/** Buys a plan, and tries to change it with a card that is declined. */
async function declinedChange(side: Side, params?: Stripe.SubscriptionUpdateParams) {
  const bought = await buy(side)
  await useCard(side, bought.customer, declining)
  return { bought, tried: await change(side, bought, 'growth', params) }
}

const aPackage = { amount: 40_00, currency: 'usd', description: 'Conformance package' }
const addPackage = ({ stripe }: Side, { customer, id }: Bought) =>
  stripe.invoiceItems.create({ ...aPackage, customer, subscription: id, discountable: false })

const isProration = ({ parent }: Stripe.InvoiceLineItem): boolean =>
  parent?.subscription_item_details?.proration === true

row(1, 'a declined update that pends changes nothing', async (side) => {
  const { bought, tried } = await declinedChange(side)
  expect(tried.status).toBe('active')
  expect(priceOf(tried)).toBe(side.prices.starter)
  expect(tried.pending_update?.expires_at).toBeGreaterThan(bought.start)
  expect(tried.pending_update?.expires_at).toBeLessThanOrEqual(bought.end)
  expect(tried.pending_update?.subscription_items?.[0]?.price.id).toBe(side.prices.growth)
  expect(invoiceOf(tried)).toMatchObject({ status: 'open', billing_reason: 'subscription_update' })
})

row(2, 'paying its invoice applies it', async (side) => {
  const { bought, tried } = await declinedChange(side)
  await useCard(side, bought.customer, 'pm_card_visa')
  await side.stripe.invoices.pay(invoiceOf(tried).id)
  const paid = await read(side, bought)
  expect(paid).toMatchObject({ status: 'active', pending_update: null })
  expect(priceOf(paid)).toBe(side.prices.growth)
  expect(await side.eventsOf(bought.id)).toContain('customer.subscription.pending_update_applied')
})

row(3, 'after 23 hours, or with its invoice voided, it has ended', async (side) => {
  const { bought, tried } = await declinedChange(side)
  const expires = tried.pending_update?.expires_at ?? 0
  expect(expires - bought.start).toBeGreaterThan(22 * hour)
  await side.advance(expires + hour)
  const expired = await read(side, bought)
  expect(expired).toMatchObject({ status: 'active', pending_update: null })
  expect(priceOf(expired)).toBe(side.prices.starter)
  expect((await side.stripe.invoices.retrieve(invoiceOf(tried).id)).status).toBe('void')
  expect(await side.eventsOf(bought.id)).toContain('customer.subscription.pending_update_expired')

  const again = await change(side, bought, 'growth')
  expect(again.pending_update).not.toBeNull()
  await side.stripe.invoices.voidInvoice(invoiceOf(again).id)
  const voided = await read(side, bought)
  expect(voided).toMatchObject({ status: 'active', pending_update: null })
  expect(priceOf(voided)).toBe(side.prices.starter)
})

row(4, 'a second update replaces it, and voids its invoice', async (side) => {
  const { bought, tried } = await declinedChange(side)
  const second = await change(side, bought, 'pro')
  expect(second.pending_update?.subscription_items?.[0]?.price.id).toBe(side.prices.pro)
  expect(invoiceOf(second).status).toBe('open')
  expect((await side.stripe.invoices.retrieve(invoiceOf(tried).id)).status).toBe('void')
})

row(5, 'it takes metadata, but no description', async (side) => {
  const { bought, tried } = await declinedChange(side, { metadata: { quote: 'one' } })
  expect(tried.metadata.quote).toBeUndefined()
  expect(tried.pending_update?.metadata).toEqual({ quote: 'one' })
  await expect(change(side, bought, 'pro', { description: 'Pro' })).rejects.toEqual(status(400))
  await useCard(side, bought.customer, 'pm_card_visa')
  await side.stripe.invoices.pay(invoiceOf(tried).id)
  expect((await read(side, bought)).metadata.quote).toBe('one')
})

row(8, 'nobody retries the invoice of an update', async (side) => {
  const { tried } = await declinedChange(side)
  expect(invoiceOf(tried)).toMatchObject({ auto_advance: false, next_payment_attempt: null })
})

row(9, 'a credit is a share of what was charged, not of the price', async (side) => {
  const bought = await buy(side)
  await change(side, bought, 'growth', { proration_behavior: 'none' })
  const back = await preview(side, bought, 'starter')
  expect(back.total).toBe(0)
  expect(back.lines.data.map(({ amount }) => amount)).toHaveLength(2)
})

row(10, 'after a downgrade without prorations the paid plan is credited', async (side) => {
  const bought = await buy(side, 'growth')
  await change(side, bought, 'starter', { proration_behavior: 'none' })
  const half = bought.start + Math.round((bought.end - bought.start) / 2)
  const { lines } = await preview(side, bought, 'pro', { proration_date: half })
  const credit = lines.data.find(({ amount }) => amount < 0)
  expect(credit?.pricing?.price_details?.price).toBe(side.prices.growth)
  expect(credit?.amount).toBeCloseTo(-250_00, -1)
})

row(11, 'each charge of the time is credited by a line that names it', async (side) => {
  const bought = await buy(side)
  const at = (share: number) => bought.start + Math.round((bought.end - bought.start) * share)
  await side.advance(at(0.6))
  const upgraded = await change(side, bought, 'growth', { proration_date: at(0.5) })
  expect(invoiceOf(upgraded).status).toBe('paid')
  const { lines } = await preview(side, bought, 'pro', { proration_date: at(0.25) })
  const credits = lines.data.filter(({ amount }) => amount < 0)
  expect(credits).toHaveLength(2)
  for (const { parent } of credits) {
    const named = parent?.subscription_item_details?.proration_details?.credited_items
    expect(named?.invoice).toMatch(/^in_/)
    expect(named?.invoice_line_items).toHaveLength(1)
  }
})

row(12, 'a preview is the invoice, to the cent', async (side) => {
  const bought = await buy(side)
  await side.advance(bought.start + 11 * day)
  await addPackage(side, bought)
  const proration_date = bought.start + 11 * day
  const previewed = await preview(side, bought, 'growth', { proration_date })
  const invoice = invoiceOf(await change(side, bought, 'growth', { proration_date }))
  const shape = ({ total, amount_due, lines }: Stripe.Invoice) => ({
    total,
    amount_due,
    lines: lines.data.map(({ amount, period, description }) => ({ amount, period, description })),
  })
  expect(shape(invoice)).toEqual(shape(previewed))
  expect(invoice.lines.data).toHaveLength(3)
})

row(13, 'a proration date outside the period, or without prorations, is 400', async (side) => {
  const bought = await buy(side)
  for (const details of [
    { proration_date: bought.start - day },
    { proration_date: bought.end + day },
    { proration_date: bought.start + 1, proration_behavior: 'none' as const },
  ]) {
    await expect(preview(side, bought, 'growth', details)).rejects.toEqual(status(400))
  }
})

row(14, 'a preview has an id and a reason of its own', async (side) => {
  const previewed = await preview(side, await buy(side), 'growth')
  expect(previewed.id).toMatch(/^upcoming_in_/)
  expect(previewed).toMatchObject({ status: 'draft', billing_reason: 'upcoming' })
})

row(15, 'less than 50 cents goes to the balance', async (side) => {
  const bought = await buy(side)
  await side.advance(bought.end - hour / 2)
  const invoice = invoiceOf(await change(side, bought, 'growth'))
  expect(invoice.total).toBeGreaterThan(0)
  expect(invoice.total).toBeLessThan(50)
  expect(invoice).toMatchObject({ status: 'paid', amount_due: 0, ending_balance: invoice.total })
  expect(await side.stripe.customers.retrieve(bought.customer)).toMatchObject({ balance: invoice.total })
})

row(
  46,
  'a preview takes the balance as its invoice does, and what is not charged stays there',
  async (side) => {
    const { stripe } = side
    const bought = await buy(side)
    const { customer } = bought
    const proration_date = bought.start + hour
    await side.advance(bought.start + 2 * hour)
    const { total } = await preview(side, bought, 'growth', { proration_date })
    for (const balance of [-total - 200_00, -100_00, 30, 30 - total]) {
      await stripe.customers.update(customer, { balance })
      const shown = await preview(side, bought, 'growth', { proration_date })
      const due = total + balance < 50 ? 0 : total + balance
      expect(shown).toMatchObject({ total, starting_balance: balance, amount_due: due })
      found(`the preview's ending balance is ${shown.ending_balance}`)
    }
    const invoice = invoiceOf(await change(side, bought, 'growth', { proration_date }))
    expect(invoice).toMatchObject({ total, starting_balance: 30 - total, amount_due: 0, ending_balance: 30 })
    expect(await stripe.customers.retrieve(customer)).toMatchObject({ balance: 30 })
  },
)

row(16, 'a renewal is a draft for an hour', async (side) => {
  const bought = await buy(side)
  await side.advance(bought.end + hour / 2)
  const renewed = await read(side, bought)
  expect(renewed.status).toBe('active')
  expect(itemOf(renewed).current_period_start).toBe(bought.end)
  const { id } = invoiceOf(renewed)
  expect(invoiceOf(renewed)).toMatchObject({ status: 'draft', billing_reason: 'subscription_cycle' })
  expect(await side.eventsOf(id)).toContain('invoice.created')
  await side.advance(bought.end + 3 * hour)
  expect(await side.stripe.invoices.retrieve(id)).toMatchObject({ status: 'paid', attempt_count: 1 })
  expect(await side.eventsOf(id)).toEqual(expect.arrayContaining(['invoice.finalized', 'invoice.paid']))
})

row(17, 'at its end a subscription bills what waits', async (side) => {
  const bought = await buy(side)
  const item = await addPackage(side, bought)
  await side.stripe.subscriptions.update(bought.id, { cancel_at_period_end: true })
  await side.advance(bought.end + 3 * hour)
  expect((await read(side, bought)).status).toBe('canceled')
  const { invoice } = await side.stripe.invoiceItems.retrieve(item.id)
  expect(await side.stripe.invoices.retrieve(String(invoice))).toMatchObject({ total: 40_00, status: 'paid' })
})

row(
  19,
  'what happens to an item on the voided invoice of an update',
  async (side) => {
    const bought = await buy(side)
    const item = await addPackage(side, bought)
    await useCard(side, bought.customer, declining)
    const tried = await change(side, bought, 'growth')
    expect(invoiceOf(tried).total).toBeGreaterThan(400_00)
    await side.stripe.invoices.voidInvoice(invoiceOf(tried).id)
    const after = await side.stripe.invoiceItems.retrieve(item.id)
    found(after.invoice === null ? 'it waits again' : 'it is lost')
    if (!isStripe) expect(after.invoice).toBe(invoiceOf(tried).id)
  },
  'undocumented',
)

row(
  20,
  'what tells of a declined update',
  async (side) => {
    const { bought, tried } = await declinedChange(side)
    const { id } = invoiceOf(tried)
    const { data } = await side.stripe.invoicePayments.list({ invoice: id })
    const intent = await side.stripe.paymentIntents.retrieve(String(data[0]?.payment.payment_intent))
    const events = [...(await side.eventsOf(id)), ...(await side.eventsOf(bought.id))]
    found(`the payment is ${intent.status}; events: ${events.join(', ')}`)
    expect(intent.status).toBe('requires_payment_method')
    if (!isStripe) expect(events).toContain('invoice.payment_failed')
  },
  'undocumented',
)

row(21, '`cancel_at` takes a time, the end of the period, or nothing', async (side) => {
  const bought = await buy(side)
  const update = (cancel_at: number | 'max_period_end' | '') =>
    side.stripe.subscriptions.update(bought.id, { cancel_at, proration_behavior: 'none' })
  const ending = { cancel_at: bought.end, cancel_at_period_end: false, status: 'active' }
  expect(await update('max_period_end')).toMatchObject(ending)
  expect(await update('')).toMatchObject({ cancel_at: null, canceled_at: null })
  expect(await update(bought.end)).toMatchObject(ending)
  await side.advance(bought.end + 2 * hour)
  expect((await read(side, bought)).status).toBe('canceled')
})

/** Opens the stand-in's billing portal and sends one of its forms. */
async function submitInPortal(
  { stripe }: Side,
  { customer }: Bought,
  action: string,
  fields: Record<string, string> = {},
): Promise<Response> {
  const { url } = await stripe.billingPortal.sessions.create({
    customer,
    return_url: 'https://example.com/',
  })
  return fetch(`${url}/${action}`, { method: 'POST', body: new URLSearchParams(fields) })
}
const asksOnce = { number: '4000002500003155', exp: '12 / 34', cvc: '123' }

row(
  22,
  'the portal ends a flexible subscription by `cancel_at`',
  async (side) => {
    const bought = await buy(side)
    await submitInPortal(side, bought, 'cancel')
    expect(await read(side, bought)).toMatchObject({ cancel_at: bought.end, cancel_at_period_end: false })
    await submitInPortal(side, bought, 'resume')
    expect((await read(side, bought)).cancel_at).toBeNull()
  },
  'stand-in',
)

row(
  23,
  'the portal’s card is the customer’s, pays nothing, and may still ask',
  async (side) => {
    const bought = await buy(side)
    await useCard(side, bought.customer, declining)
    await side.advance(bought.end + 2 * hour)
    await submitInPortal(side, bought, 'card', asksOnce)
    const owing = await read(side, bought)
    expect(owing).toMatchObject({ status: 'past_due', default_payment_method: null })
    const customer = (await side.stripe.customers.retrieve(bought.customer, {
      expand: ['invoice_settings.default_payment_method'],
    })) as Stripe.Customer
    expect(customer.invoice_settings.default_payment_method).toMatchObject({ card: { last4: '3155' } })
    await expect(side.stripe.invoices.pay(invoiceOf(owing).id, { off_session: false })).rejects.toMatchObject(
      { statusCode: 402, code: 'invoice_payment_intent_requires_action' },
    )
  },
  'stand-in',
)

row(24, 'a subscription’s own card goes before the customer’s', async (side) => {
  const bought = await buy(side)
  const own = await side.stripe.paymentMethods.attach(declining, { customer: bought.customer })
  await side.stripe.subscriptions.update(bought.id, { default_payment_method: own.id })
  await side.advance(bought.end + 3 * hour)
  const renewed = await read(side, bought)
  expect(renewed.status).toBe('past_due')
  expect(invoiceOf(renewed).status).toBe('open')
  if (isStripe) return
  await side.advance(bought.end + 4 * day)
  expect((await read(side, bought)).status).toBe('past_due')
})

row(25, 'a default card has to be the customer’s', async (side) => {
  const { stripe } = side
  const [one, other] = [await side.customer(), await side.customer()]
  const foreign = await stripe.paymentMethods.attach('pm_card_visa', { customer: other.id })
  await expect(
    stripe.customers.update(one.id, { invoice_settings: { default_payment_method: foreign.id } }),
  ).rejects.toEqual(status(400))
})

row(
  26,
  'a 500 of a request that had begun is repeated for its key',
  async (side) => {
    const create = () => side.stripe.customers.create({ email: 'a@example.com' }, { idempotencyKey: 'begun' })
    await side.bench.control('fail-next', { path: 'POST /v1/customers', status: 500, began: true })
    await expect(create()).rejects.toMatchObject({
      statusCode: 500,
      headers: { 'stripe-should-retry': 'false' },
    })
    await expect(create()).rejects.toEqual(status(500))
    expect((await side.stripe.customers.list()).data).toEqual([])
  },
  'stand-in',
)

row(
  27,
  'two writes to one object at once: one may be told to come again',
  async (side) => {
    const bought = await buy(side)
    const path = `POST /v1/subscriptions/${bought.id}`
    await side.bench.control('fail-next', { path, delaySeconds: 0.3 })
    const write = (by: string) => side.stripe.subscriptions.update(bought.id, { metadata: { by } })
    const outcomes = await Promise.allSettled([write('one'), write('other')])
    expect(outcomes.map(({ status: outcome }) => outcome).toSorted()).toEqual(['fulfilled', 'rejected'])
    const refused = outcomes.find((one) => one.status === 'rejected')
    expect(refused?.reason).toMatchObject({ statusCode: 429, code: 'lock_timeout' })
  },
  'stand-in',
)

row(28, 'more than ten invoices of a subscription in a minute are 429', async (side) => {
  const bought = await buy(side)
  const many = async () => {
    for (let nth = 0; nth < 12; nth++) await change(side, bought, nth % 2 ? 'starter' : 'growth')
  }
  await expect(many()).rejects.toEqual(status(429))
})

row(29, 'an item takes the customer’s currency alone', async (side) => {
  const { customer, ...bought } = await buy(side)
  await expect(side.stripe.invoiceItems.create({ ...aPackage, customer, currency: 'eur' })).rejects.toEqual(
    status(400),
  )
  expect(await addPackage(side, { customer, ...bought })).toMatchObject({
    ...aPackage,
    discountable: false,
    invoice: null,
  })
})

row(31, 'an invoice is created with what waits, finalized and charged', async (side) => {
  const { stripe } = side
  const bought = await buy(side)
  const { customer } = bought
  await addPackage(side, bought)
  const draft = await stripe.invoices.create({
    customer,
    pending_invoice_items_behavior: 'include',
    auto_advance: true,
  })
  expect(draft).toMatchObject({ status: 'draft', total: 40_00, parent: null, auto_advance: true })
  await side.advance(bought.start + 3 * hour)
  expect((await stripe.invoices.retrieve(draft.id)).status).toBe('paid')
  const empty = await stripe.invoices.create({ customer, pending_invoice_items_behavior: 'include' })
  expect(empty).toMatchObject({ status: 'draft', total: 0, auto_advance: false })
})

row(32, 'an invoice shows ten lines, the newest items first', async (side) => {
  const { stripe } = side
  const bought = await buy(side)
  const { customer, id: subscription } = bought
  for (let nth = 1; nth <= 11; nth++) {
    const item = { customer, subscription, amount: 100 * nth, currency: 'usd', description: `Item ${nth}` }
    await stripe.invoiceItems.create(item)
  }
  await side.advance(bought.end + 3 * hour)
  const invoice = invoiceOf(await read(side, bought))
  expect(invoice.lines).toMatchObject({ has_more: true })
  expect(invoice.lines.data).toHaveLength(10)
  const all = await stripe.invoices.listLineItems(invoice.id, { limit: 100 })
  expect(all.data.map(({ amount }) => amount)).toEqual([
    ...Array.from({ length: 11 }, (_, nth) => 100 * (11 - nth)),
    100_00,
  ])
})

row(
  45,
  'so does a preview, whose other lines are listed by its id',
  async (side) => {
    const { stripe } = side
    const bought = await buy(side, 'growth')
    const { customer, id: subscription } = bought
    for (let nth = 1; nth <= 12; nth++) {
      await stripe.invoiceItems.create({ customer, subscription, amount: 100 * nth, currency: 'usd' })
    }
    const shown = await preview(side, bought, 'pro')
    expect(shown.lines).toMatchObject({ has_more: true })
    expect(shown.lines.data).toHaveLength(10)
    const all = await stripe.invoices
      .listLineItems(shown.id, { limit: 100 })
      .autoPagingToArray({ limit: 100 })
    expect(all).toHaveLength(14)
    expect(all.slice(0, 10).map(({ id }) => id)).toEqual(shown.lines.data.map(({ id }) => id))
    expect(all.reduce((sum, { amount }) => sum + amount, 0)).toBe(shown.total)
    found(
      `its prorations are lines ${all.flatMap((one, at) => (isProration(one) ? [at + 1] : [])).join(', ')}`,
    )
    await expect(stripe.invoices.listLineItems('upcoming_in_1')).rejects.toEqual(status(404))
  },
  'undocumented',
)

row(33, 'with the owed renewal voided, the invoices before it say the status', async (side) => {
  const { bought, invoice } = await owing(side)
  await side.stripe.invoices.voidInvoice(invoice.id)
  expect((await read(side, bought)).status).toBe('active')
})

row(34, 'a voided invoice gives the balance back', async (side) => {
  const { stripe } = side
  const { id: customer } = await side.customer({ balance: -10_00 })
  await stripe.invoiceItems.create({ ...aPackage, customer })
  const { id } = await stripe.invoices.create({ customer, pending_invoice_items_behavior: 'include' })
  const open = await stripe.invoices.finalizeInvoice(id, { auto_advance: false })
  expect(open).toMatchObject({ status: 'open', starting_balance: -10_00, amount_due: 30_00 })
  expect(await stripe.customers.retrieve(customer)).toMatchObject({ balance: 0 })
  await stripe.invoices.voidInvoice(id)
  expect(await stripe.customers.retrieve(customer)).toMatchObject({ balance: -10_00 })
})

row(35, 'an incomplete subscription takes metadata, but no other plan', async (side) => {
  const unpaid = await createUnpaid(side)
  const items = [{ id: itemOf(unpaid).id, price: side.prices.growth }]
  await expect(side.stripe.subscriptions.update(unpaid.id, { items })).rejects.toEqual(status(400))
  const noted = await side.stripe.subscriptions.update(unpaid.id, { metadata: { note: 'a' } })
  expect(noted).toMatchObject({ status: 'incomplete', metadata: { note: 'a' } })
})

row(36, 'a canceled one takes metadata and its reason alone', async (side) => {
  const { id } = await buy(side)
  await side.stripe.subscriptions.cancel(id)
  const noted = await side.stripe.subscriptions.update(id, {
    metadata: { note: 'a' },
    cancellation_details: { comment: 'Gone' },
  })
  expect(noted).toMatchObject({ metadata: { note: 'a' }, cancellation_details: { comment: 'Gone' } })
  await expect(side.stripe.subscriptions.update(id, { description: 'b' })).rejects.toEqual(status(400))
})

row(
  37,
  'one price twice in a subscription is 400',
  async (side) => {
    const bought = await buy(side)
    const adding = side.stripe.subscriptions.update(bought.id, { items: [{ price: side.prices.starter }] })
    if (!isStripe) return void (await expect(adding).rejects.toEqual(status(400)))
    const code = await adding.then(
      () => 200,
      (error: Stripe.errors.StripeError) => error.statusCode,
    )
    found(String(code))
  },
  'undocumented',
)

row(
  38,
  'what the stand-in does not act upon, it refuses',
  async (side) => {
    const bought = await buy(side)
    const trial_end = bought.end + day
    const refused: Stripe.SubscriptionUpdateParams[] = [
      { trial_end },
      { trial_end: 'now' },
      { pause_collection: { behavior: 'void' } },
      { collection_method: 'send_invoice', days_until_due: 7 },
      { add_invoice_items: [{ price: side.prices.pro }] },
      { items: [], payment_behavior: 'error_if_incomplete' },
      { billing_cycle_anchor: { type: 'now' } },
      { discounts: [{ coupon: 'ten' }] },
      { automatic_tax: { enabled: true } },
      { default_tax_rates: ['txr_1'] },
    ]
    for (const params of refused) {
      await expect(side.stripe.subscriptions.update(bought.id, params)).rejects.toMatchObject({
        statusCode: 501,
        message: expect.stringContaining('does not model'),
      })
    }
    await expect(
      side.stripe.subscriptions.create({
        customer: bought.customer,
        items: [{ price: side.prices.pro }],
        billing_mode: { type: 'classic' },
      }),
    ).rejects.toEqual(status(501))
    const kept = await side.stripe.subscriptions.update(bought.id, {
      automatic_tax: { enabled: false },
      billing_cycle_anchor: { type: 'unchanged' },
    })
    expect(kept.status).toBe('active')
  },
  'stand-in',
)

row(39, 'the portal has configurations, and leads to one page and back', async (side) => {
  const { stripe } = side
  const { customer } = await buy(side)
  const configuration = await stripe.billingPortal.configurations.create({
    business_profile: { headline: 'Conformance' },
    features: {
      invoice_history: { enabled: true },
      payment_method_update: { enabled: true },
      subscription_cancel: { enabled: true, mode: 'at_period_end' },
    },
    metadata: { used_by: 'conformance' },
  })
  expect(configuration.features.subscription_update.enabled).toBe(false)
  const { data } = await stripe.billingPortal.configurations.list({ limit: 100 })
  expect(data.map(({ id }) => id)).toContain(configuration.id)
  const open = (more: Stripe.BillingPortal.SessionCreateParams) =>
    stripe.billingPortal.sessions.create({ customer, return_url: 'https://example.com/billing', ...more })
  await expect(open({ configuration: 'bpc_unknown' })).rejects.toEqual(status(400))
  const redirect = { return_url: 'https://example.com/billing?pay' }
  const session = await open({
    configuration: configuration.id,
    flow_data: { type: 'payment_method_update', after_completion: { type: 'redirect', redirect } },
  })
  expect(session).toMatchObject({
    configuration: configuration.id,
    flow: { type: 'payment_method_update', after_completion: { type: 'redirect', redirect } },
  })
  await stripe.billingPortal.configurations.update(configuration.id, { active: false })
  if (isStripe) return
  const page = await (await fetch(session.url)).text()
  expect(page).toContain('Replace the card')
  expect(page).not.toContain('Cancel at the end of the period')
  const taken = await fetch(`${session.url}/card`, {
    method: 'POST',
    body: new URLSearchParams({ number: '5555555555554444', exp: '12 / 34', cvc: '123' }),
    redirect: 'manual',
  })
  expect(taken.headers.get('location')).toBe(redirect.return_url)
})

row(40, 'no subscription has a schedule', async (side) => {
  const bought = await buy(side)
  expect((await read(side, bought)).schedule).toBeNull()
  if (isStripe) return
  const scheduled = side.stripe.subscriptionSchedules.create({ from_subscription: bought.id })
  await expect(scheduled).rejects.toEqual(status(501))
})

row(41, 'manual tries do not count as attempts, and hard declines are not retried', async (side) => {
  const { bought, invoice } = await owing(side)
  expect(invoice.attempt_count).toBe(1)
  await expect(side.stripe.invoices.pay(invoice.id)).rejects.toEqual(status(402))
  expect((await side.stripe.invoices.retrieve(invoice.id)).attempt_count).toBe(1)
  if (isStripe) return found('the schedule is a setting of the account')
  await side.advance(bought.end + 4 * day)
  expect((await side.stripe.invoices.retrieve(invoice.id)).attempt_count).toBe(2)

  const other = await buy(side)
  await side.bench.control('fail-renewal', { subscription: other.id, decline: 'lost_card' })
  await side.advance(other.end + 4 * day)
  const renewed = await read(side, other)
  expect(renewed.status).toBe('past_due')
  expect(invoiceOf(renewed).attempt_count).toBe(1)
})

row(42, 'after an immediate end open invoices stay open, and nobody charges them', async (side) => {
  const { bought, invoice } = await owing(side)
  await side.stripe.subscriptions.cancel(bought.id)
  expect(await side.stripe.invoices.retrieve(invoice.id)).toMatchObject({
    status: 'open',
    auto_advance: false,
  })
})

row(44, 'after an immediate end what waits stays, until an invoice is made that takes it', async (side) => {
  const { stripe } = side
  const bought = await buy(side)
  const { customer, id: subscription } = bought
  const item = await addPackage(side, bought)
  await stripe.subscriptions.cancel(subscription)
  const pending = async () => (await stripe.invoiceItems.list({ customer, pending: true })).data
  expect(await pending()).toMatchObject([{ id: item.id, parent: { subscription_details: { subscription } } }])
  const late = await addPackage(side, bought).catch(() => undefined)
  found(late ? 'an item can still be added' : 'no item can be added any more')
  const last = await stripe.invoices.create({
    customer,
    pending_invoice_items_behavior: 'include',
    auto_advance: true,
  })
  expect(last).toMatchObject({ parent: null, billing_reason: 'manual', total: late ? 80_00 : 40_00 })
  expect(await pending()).toEqual([])
  await side.advance(bought.start + 3 * hour)
  expect((await stripe.invoices.retrieve(last.id)).status).toBe('paid')
})

row(
  43,
  'whether the first payment keeps the card if no subscription has one of its own',
  async (side) => {
    const unpaid = await createUnpaid(side)
    const id = intentOf(unpaid)
    const intent = await side.stripe.paymentIntents.retrieve(id)
    found(`setup_future_usage is ${intent.setup_future_usage}`)
    if (!isStripe) expect(intent.setup_future_usage).toBeNull()
    const confirmed = await confirm(side, id, 'pm_card_visa')
    expect(confirmed).toMatchObject({ status: 'succeeded', setup_future_usage: 'off_session' })
    const customer = String(unpaid.customer)
    const { data } = await side.stripe.customers.listPaymentMethods(customer)
    expect(data).toHaveLength(1)
    const { default_payment_method } = await side.stripe.subscriptions.retrieve(unpaid.id)
    expect(default_payment_method).toBeNull()
  },
  'undocumented',
)

import type { Stripe } from 'stripe'
import { expect } from 'vitest'
import { card } from '../support/stripe-stand-in.ts'
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
  read,
  status,
  useCard,
} from './purchases.ts'
import { row } from './rows.ts'
import { isStripe, type Side } from './side.ts'

/** Rows about cards, first payments, renewals and ends. */

const chargesOf = async ({ stripe }: Side, customer: string): Promise<Stripe.Charge[]> =>
  (await stripe.charges.list({ customer, limit: 100 })).data
const paidBy = async (side: Side, customer: string): Promise<number[]> =>
  (await chargesOf(side, customer)).filter(({ paid }) => paid).map(({ amount }) => amount)
const statusOf = async ({ stripe }: Side, id: string): Promise<string> =>
  (await stripe.subscriptions.retrieve(id)).status

/** Ends the 3-D Secure dialog of a payment, as the cardholder does. */
const authenticate = ({ bench }: Side, payment_intent: string, end: 'complete' | 'fail' = 'complete') =>
  bench.control(`${end}-3ds`, { payment_intent })

row(57, 'nothing is charged until the first payment is confirmed, then all is active', async (side) => {
  const { stripe } = side
  const unpaid = await createUnpaid(side)
  const customer = String(unpaid.customer)
  const intent = intentOf(unpaid)
  expect(unpaid.status).toBe('incomplete')
  expect(await chargesOf(side, customer)).toEqual([])
  expect(await stripe.paymentIntents.retrieve(intent)).toMatchObject({
    status: 'requires_payment_method',
    amount: 100_00,
    customer,
  })
  expect((await confirm(side, intent, 'pm_card_visa')).status).toBe('succeeded')

  const active = await stripe.subscriptions.retrieve(unpaid.id, {
    expand: ['latest_invoice.payments.data.payment.payment_intent'],
  })
  expect(active.status).toBe('active')
  const { parent, payments, ...invoice } = invoiceOf(active)
  expect(invoice).toMatchObject({
    status: 'paid',
    amount_paid: 100_00,
    billing_reason: 'subscription_create',
  })
  expect(invoice.confirmation_secret).toBeUndefined()
  expect(parent?.subscription_details?.subscription).toBe(unpaid.id)
  expect(payments?.data[0]).toMatchObject({ status: 'paid', payment: { payment_intent: { id: intent } } })
  const { current_period_start: start, current_period_end: end } = itemOf(active)
  expect((end - start) / day).toBeGreaterThanOrEqual(28)
  expect((end - start) / day).toBeLessThanOrEqual(31)
  expect(await paidBy(side, customer)).toEqual([100_00])
  await expect(confirm(side, intent, 'pm_card_visa')).rejects.toEqual(
    status(400, { code: 'payment_intent_unexpected_state' }),
  )
})

row(58, 'after a declined charge another card pays the same subscription, once', async (side) => {
  const unpaid = await createUnpaid(side)
  const customer = String(unpaid.customer)
  const intent = intentOf(unpaid)
  const bad = await useCard(side, customer, declining)
  const refusal = { code: 'card_declined', decline_code: 'generic_decline' }
  await expect(confirm(side, intent, bad)).rejects.toMatchObject({
    ...refusal,
    type: 'StripeCardError',
    statusCode: 402,
    message: 'Your card was declined.',
    payment_intent: { id: intent, status: 'requires_payment_method' },
  })
  expect(await statusOf(side, unpaid.id)).toBe('incomplete')
  expect((await side.stripe.paymentIntents.retrieve(intent)).last_payment_error).toMatchObject(refusal)
  await confirm(side, intent, await useCard(side, customer, 'pm_card_visa'))
  expect(await statusOf(side, unpaid.id)).toBe('active')
  expect(await paidBy(side, customer)).toEqual([100_00])
})

row(59, 'unpaid for 23 hours, a subscription expires, and its invoice is void', async (side) => {
  const unpaid = await createUnpaid(side)
  await side.advance(unpaid.created + 22 * hour)
  expect(await statusOf(side, unpaid.id)).toBe('incomplete')
  await side.advance(unpaid.created + 24 * hour)
  const expired = await side.stripe.subscriptions.retrieve(unpaid.id, { expand: ['latest_invoice'] })
  expect(expired.status).toBe('incomplete_expired')
  expect(invoiceOf(expired).status).toBe('void')
  expect((await side.stripe.paymentIntents.retrieve(intentOf(unpaid))).status).toBe('canceled')
})

row(60, 'a payment waits for 3-D Secure, continues after it, or needs another card', async (side) => {
  const order = async (token: string) => {
    const unpaid = await createUnpaid(side)
    const asked = await confirm(side, intentOf(unpaid), token)
    expect(asked.status).toBe('requires_action')
    return { id: unpaid.id, intent: asked.id }
  }
  const first = await order('pm_card_authenticationRequiredOnSetup')
  expect(await statusOf(side, first.id)).toBe('incomplete')
  if (isStripe) return
  await authenticate(side, first.intent)
  expect(await statusOf(side, first.id)).toBe('active')

  for (const [token, end, error] of [
    ['pm_card_authenticationRequired', 'fail', { code: 'payment_intent_authentication_failure' }],
    [
      'pm_card_authenticationRequiredChargeDeclinedInsufficientFunds',
      'complete',
      { decline_code: 'insufficient_funds' },
    ],
  ] as const) {
    const { id, intent } = await order(token)
    await authenticate(side, intent, end)
    expect(await statusOf(side, id)).toBe('incomplete')
    expect(await side.stripe.paymentIntents.retrieve(intent)).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: error,
    })
  }
})

row(61, 'a card of another customer is refused, and nothing is charged', async (side) => {
  const { stripe } = side
  const foreign = await useCard(side, (await side.customer()).id, 'pm_card_visa')
  const unpaid = await createUnpaid(side)
  const customer = String(unpaid.customer)
  await expect(stripe.paymentMethods.attach(foreign, { customer })).rejects.toEqual(
    status(400, { message: 'The payment method you provided has already been attached to a customer.' }),
  )
  await expect(confirm(side, intentOf(unpaid), foreign)).rejects.toEqual(status(400))
  expect(await chargesOf(side, customer)).toEqual([])
})

row(
  62,
  'each of Stripe’s test cards is refused for its reason, when it is attached',
  async ({ bench, stripe }) => {
    const { id: customer } = await stripe.customers.create()
    for (const [number, code, decline_code, message] of [
      ['4000000000000002', 'card_declined', 'generic_decline', 'Your card was declined.'],
      ['4000000000009995', 'card_declined', 'insufficient_funds', 'Your card has insufficient funds.'],
      ['4000000000009987', 'card_declined', 'lost_card', 'Your card was declined.'],
      ['4000000000009979', 'card_declined', 'stolen_card', 'Your card was declined.'],
      ['4000000000000069', 'expired_card', '', 'Your card has expired.'],
      ['4000000000000127', 'incorrect_cvc', '', "Your card's security code is incorrect."],
      [
        '4000000000000119',
        'processing_error',
        '',
        'An error occurred while processing your card. Try again in a little bit.',
      ],
    ] as const) {
      const method = await card(bench.url, number)
      await expect(stripe.paymentMethods.attach(method, { customer })).rejects.toEqual(
        status(402, { type: 'StripeCardError', code, decline_code, message }),
      )
      expect((await stripe.paymentMethods.retrieve(method)).customer).toBeNull()
    }
    const sound = { number: '4242424242424242', exp_month: 12, exp_year: 2034, cvc: '123' }
    for (const [fault, code] of [
      [{ number: '4242424242424241' }, 'incorrect_number'],
      [{ number: '4111111111111111' }, 'card_declined'],
      [{ exp_month: 13 }, 'invalid_expiry_month'],
      [{ exp_year: 2020 }, 'invalid_expiry_year'],
      [{ cvc: '12' }, 'invalid_cvc'],
    ] as const) {
      await expect(
        stripe.paymentMethods.create({ type: 'card', card: { ...sound, ...fault } }),
      ).rejects.toEqual(status(402, { code }))
    }
  },
  'stand-in',
)

row(63, 'a renewal waits for the holder of a card that always asks', async (side) => {
  const { stripe } = side
  const bought = await buy(side)
  await useCard(side, bought.customer, 'pm_card_authenticationRequired')
  await side.advance(bought.end + 3 * hour)
  const due = await stripe.subscriptions.retrieve(bought.id, {
    expand: ['latest_invoice.confirmation_secret'],
  })
  expect(due.status).toBe('past_due')
  expect(await side.eventsOf(invoiceOf(due).id)).toContain('invoice.payment_action_required')
  expect((await stripe.paymentIntents.retrieve(intentOf(due))).status).toBe('requires_action')
  if (isStripe) return
  await authenticate(side, intentOf(due))
  expect(await statusOf(side, bought.id)).toBe('active')
})

row(
  64,
  'a card that asks once renews by itself; a retry pays, or the last one ends the subscription',
  async (side) => {
    const { stripe } = side
    const unpaid = await createUnpaid(side)
    const customer = String(unpaid.customer)
    const { payment_method: method, id } = await confirm(
      side,
      intentOf(unpaid),
      'pm_card_authenticationRequiredOnSetup',
    )
    await authenticate(side, id)
    await stripe.customers.update(customer, {
      invoice_settings: { default_payment_method: String(method) },
    })
    const { current_period_end: end } = itemOf(unpaid)
    await side.advance(end + 3 * hour)
    expect(await statusOf(side, unpaid.id)).toBe('active')

    await side.bench.control('fail-renewal', { subscription: unpaid.id })
    const renewed = await stripe.subscriptions.retrieve(unpaid.id)
    await side.advance(itemOf(renewed).current_period_end + 3 * hour)
    expect(await statusOf(side, unpaid.id)).toBe('past_due')
    await side.advance(itemOf(renewed).current_period_end + 4 * day)
    expect(await statusOf(side, unpaid.id)).toBe('active')
    expect(await paidBy(side, customer)).toHaveLength(3)

    await useCard(side, customer, declining)
    const last = itemOf(await stripe.subscriptions.retrieve(unpaid.id)).current_period_end
    await side.advance(last + 16 * day)
    expect(await stripe.subscriptions.retrieve(unpaid.id)).toMatchObject({
      status: 'canceled',
      cancellation_details: { reason: 'payment_failed' },
    })
    expect(await paidBy(side, customer)).toHaveLength(3)
  },
  'stand-in',
)

row(65, 'an end can be revoked; what has ended is not found again, but listed', async (side) => {
  const { stripe } = side
  const { customer, id, end } = await buy(side)
  const ending = await stripe.subscriptions.update(id, { cancel_at_period_end: true })
  expect(ending).toMatchObject({ status: 'active', cancel_at: end })
  const kept = await stripe.subscriptions.update(id, { cancel_at_period_end: false })
  expect(kept).toMatchObject({ cancel_at: null, canceled_at: null })
  expect((await stripe.subscriptions.cancel(id)).status).toBe('canceled')
  await expect(stripe.subscriptions.cancel(id)).rejects.toEqual(status(404))
  expect(await side.eventsOf(id)).toContain('customer.subscription.deleted')
  expect((await stripe.subscriptions.list({ customer })).data).toEqual([])
  expect((await stripe.subscriptions.list({ customer, status: 'all' })).data).toHaveLength(1)
})

row(66, 'the credit of a cheaper plan pays the invoices that follow', async (side) => {
  const { stripe } = side
  const bought = await buy(side, 'pro')
  await stripe.subscriptions.update(bought.id, {
    items: [{ id: bought.item, price: side.prices.starter }],
    proration_behavior: 'always_invoice',
  })
  const customer = (await stripe.customers.retrieve(bought.customer)) as Stripe.Customer
  expect(customer.balance).toBeLessThan(-1390_00)
  await side.advance(bought.end + 3 * hour)
  expect(invoiceOf(await read(side, bought))).toMatchObject({ status: 'paid', amount_due: 0 })
  expect(await paidBy(side, bought.customer)).toEqual([1500_00])
})

row(
  67,
  'what is disputed cannot be refunded, and a dispute is won or lost once',
  async (side) => {
    const { bench, stripe } = side
    for (const [end, closed] of [
      ['win-dispute', 'won'],
      ['lose-dispute', 'lost'],
    ] as const) {
      const { customer } = await buy(side, 'growth')
      const [charge] = await chargesOf(side, customer)
      const of = { charge: charge?.id ?? '' }
      const payment = { payment_intent: String(charge?.payment_intent) }
      await bench.control('refund', { ...payment, amount: 100_00 })
      await bench.control('dispute', payment)
      expect((await stripe.disputes.list(of)).data).toMatchObject([
        { amount: 400_00, status: 'needs_response' },
      ])
      expect(await stripe.charges.retrieve(of.charge)).toMatchObject({
        refunded: false,
        amount_refunded: 100_00,
        disputed: true,
      })
      const refund = () => stripe.refunds.create({ ...of, reason: 'duplicate' })
      await expect(refund()).rejects.toEqual(status(400, { code: 'charge_disputed' }))
      await bench.control(end, payment)
      expect((await stripe.disputes.list(of)).data).toMatchObject([{ status: closed }])
      await expect(bench.control(end, payment)).rejects.toThrow('400')
      if (closed === 'lost') await expect(refund()).rejects.toEqual(status(400, { code: 'charge_disputed' }))
      else expect(await refund()).toMatchObject({ status: 'succeeded', reason: 'duplicate' })
    }
    const types = await bench.arrived()
    const count = (type: string) => types.filter((one) => one === type).length
    expect(count('charge.refunded')).toBe(3)
    for (const type of ['created', 'funds_withdrawn', 'closed'])
      expect(count(`charge.dispute.${type}`)).toBe(2)
    expect(count('charge.dispute.funds_reinstated')).toBe(1)

    // The card that pays and is disputed at once.
    const { customer } = await buy(side, 'growth', 'pm_card_createDispute')
    expect(await chargesOf(side, customer)).toMatchObject([{ paid: true, disputed: true }])
  },
  'stand-in',
)

import { Stripe } from 'stripe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { centsOf } from '../support/plan-facts.ts'
import {
  card,
  order,
  publishableKey,
  purchase,
  sdk,
  startBench,
  type Bench,
} from '../support/stripe-stand-in.ts'

let bench: Bench
beforeAll(async () => {
  bench = await startBench()
})
afterAll(() => bench.close())

const statusOf = async (id: string) => (await bench.stripe.subscriptions.retrieve(id)).status

describe('a purchase', () => {
  test('nothing is charged until the payment is confirmed; then everything is active', async () => {
    const { stripe } = bench
    const { customer, subscription, intent } = await order(stripe)
    expect(subscription.status).toBe('incomplete')
    expect((await stripe.charges.list({ customer })).data).toHaveLength(0)
    const waiting = await stripe.paymentIntents.retrieve(intent)
    expect(waiting).toMatchObject({ status: 'requires_payment_method', amount: centsOf('growth'), customer })

    const method = await card(bench.url, '4242424242424242')
    await stripe.paymentMethods.attach(method, { customer })
    const paid = await stripe.paymentIntents.confirm(intent, {
      payment_method: method,
      use_stripe_sdk: true,
    })
    expect(paid.status).toBe('succeeded')

    const active = await stripe.subscriptions.retrieve(subscription.id, {
      expand: ['latest_invoice.payments.data.payment.payment_intent'],
    })
    expect(active).toMatchObject({ status: 'active', default_payment_method: method })
    const invoice = active.latest_invoice as Stripe.Invoice
    expect(invoice).toMatchObject({
      status: 'paid',
      amount_paid: centsOf('growth'),
      billing_reason: 'subscription_create',
    })
    expect(invoice.parent?.subscription_details?.subscription).toBe(subscription.id)
    expect(invoice.confirmation_secret).toBeUndefined()
    expect(invoice.payments?.data[0]?.payment.payment_intent).toMatchObject({ id: intent })
    const [item] = active.items.data
    const days = ((item?.current_period_end ?? 0) - (item?.current_period_start ?? 0)) / 86_400
    expect(days).toBeGreaterThanOrEqual(28)
    expect(days).toBeLessThanOrEqual(31)
    expect(item?.price.unit_amount).toBe(centsOf('growth'))
    const charges = await stripe.charges.list({ customer })
    expect(charges.data.map((charge) => charge.amount)).toEqual([centsOf('growth')])

    await expect(stripe.paymentIntents.confirm(intent, { payment_method: method })).rejects.toMatchObject({
      statusCode: 400,
      code: 'payment_intent_unexpected_state',
    })
  })

  test('after a declined charge another card pays the same subscription, with one charge', async () => {
    const { stripe } = bench
    const { customer, subscription, intent } = await order(stripe)
    const bad = await card(bench.url, '4000000000000341')
    await stripe.paymentMethods.attach(bad, { customer })
    const refusal = await stripe.paymentIntents
      .confirm(intent, { payment_method: bad })
      .catch((error: unknown) => error as Stripe.errors.StripeCardError)
    expect(refusal).toMatchObject({
      type: 'StripeCardError',
      statusCode: 402,
      code: 'card_declined',
      decline_code: 'generic_decline',
      message: 'Your card was declined.',
      payment_intent: { id: intent, status: 'requires_payment_method' },
    })
    expect(await statusOf(subscription.id)).toBe('incomplete')
    const waiting = await stripe.paymentIntents.retrieve(intent)
    expect(waiting.last_payment_error?.decline_code).toBe('generic_decline')

    const good = await card(bench.url, '4242424242424242')
    await stripe.paymentMethods.attach(good, { customer })
    await stripe.paymentIntents.confirm(intent, { payment_method: good })
    expect(await statusOf(subscription.id)).toBe('active')
    const charges = await stripe.charges.list({ customer })
    expect(charges.data.filter((charge) => charge.paid)).toHaveLength(1)
  })

  test('an unpaid subscription expires after 23 hours, and its invoice is void', async () => {
    const { subscription, intent } = await order(bench.stripe)
    await bench.control('clock', { advanceSeconds: 22 * 3600 })
    expect(await statusOf(subscription.id)).toBe('incomplete')
    await bench.control('clock', { advanceSeconds: 2 * 3600 })
    const expired = await bench.stripe.subscriptions.retrieve(subscription.id, { expand: ['latest_invoice'] })
    expect(expired.status).toBe('incomplete_expired')
    expect(expired.latest_invoice).toMatchObject({ status: 'void' })
    expect((await bench.stripe.paymentIntents.retrieve(intent)).status).toBe('canceled')
  })
})

describe('3-D Secure', () => {
  test('completed: the payment continues', async () => {
    const { subscription, intent } = await purchase(bench, '4000002500003155')
    expect(await bench.stripe.paymentIntents.retrieve(intent)).toMatchObject({
      status: 'requires_action',
      next_action: { type: 'use_stripe_sdk' },
    })
    expect(await statusOf(subscription.id)).toBe('incomplete')
    await bench.control('complete-3ds', { payment_intent: intent })
    expect(await statusOf(subscription.id)).toBe('active')
  })

  test('failed: the subscription stays incomplete and the payment says why', async () => {
    const { subscription, intent } = await purchase(bench, '4000002760003184')
    await bench.control('fail-3ds', { payment_intent: intent })
    expect(await statusOf(subscription.id)).toBe('incomplete')
    const failed = await bench.stripe.paymentIntents.retrieve(intent)
    expect(failed.status).toBe('requires_payment_method')
    expect(failed.last_payment_error?.code).toBe('payment_intent_authentication_failure')
  })

  test('completed with insufficient funds: the payment is declined', async () => {
    const { intent, subscription } = await purchase(bench, '4000008260003178')
    await bench.control('complete-3ds', { payment_intent: intent })
    const failed = await bench.stripe.paymentIntents.retrieve(intent)
    expect(failed.last_payment_error?.decline_code).toBe('insufficient_funds')
    expect(await statusOf(subscription.id)).toBe('incomplete')
  })
})

describe('cards', () => {
  const refused = [
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
  ] as const
  test.each(refused)('%s is refused when it is attached', async (number, code, decline, message) => {
    const customer = await bench.stripe.customers.create()
    const method = await card(bench.url, number)
    const refusal = await bench.stripe.paymentMethods
      .attach(method, { customer: customer.id })
      .catch((error: unknown) => error as Stripe.errors.StripeCardError)
    expect(refusal).toMatchObject({ statusCode: 402, type: 'StripeCardError', code, message })
    expect((refusal as Stripe.errors.StripeCardError).decline_code).toBe(decline)
    expect((await bench.stripe.paymentMethods.retrieve(method)).customer).toBeNull()
  })

  const wrong = [
    [{ number: '4242424242424241' }, 'incorrect_number'],
    [{ number: '4111111111111111' }, 'card_declined'],
    [{ exp_month: 13 }, 'invalid_expiry_month'],
    [{ exp_year: 2020 }, 'invalid_expiry_year'],
    [{ cvc: '12' }, 'invalid_cvc'],
  ] as const
  test.each(wrong)('%o is refused immediately: %s', async (fault, code) => {
    const sound = { number: '4242424242424242', exp_month: 12, exp_year: 2034, cvc: '123' }
    await expect(
      bench.stripe.paymentMethods.create({ type: 'card', card: { ...sound, ...fault } }),
    ).rejects.toMatchObject({ statusCode: 402, code })
  })

  test('a card that will be disputed pays first', async () => {
    const { customer, subscription } = await purchase(bench, '4000000000000259')
    expect(await statusOf(subscription.id)).toBe('active')
    const [charge] = (await bench.stripe.charges.list({ customer })).data
    expect(charge).toMatchObject({ paid: true, disputed: true })
    expect(await bench.arrived()).toContain('charge.dispute.created')
  })

  test('a card of another customer is refused, and nothing is charged', async () => {
    const { stripe } = bench
    const other = await stripe.customers.create()
    const method = await card(bench.url, '4242424242424242')
    await stripe.paymentMethods.attach(method, { customer: other.id })
    const { customer, intent } = await order(stripe)
    await expect(stripe.paymentMethods.attach(method, { customer })).rejects.toMatchObject({
      statusCode: 400,
      type: 'StripeInvalidRequestError',
      message: 'The payment method you provided has already been attached to a customer.',
    })
    await expect(stripe.paymentIntents.confirm(intent, { payment_method: method })).rejects.toMatchObject({
      statusCode: 400,
    })
    expect((await stripe.charges.list({ customer })).data).toHaveLength(0)
  })
})

describe('keys', () => {
  test('a wrong key is refused', async () => {
    await expect(sdk(bench.url, 'sk_test_wrong').customers.list()).rejects.toMatchObject({
      type: 'StripeAuthenticationError',
    })
  })

  test('the publishable key reads a payment only with its secret, and no list', async () => {
    const browser = sdk(bench.url, publishableKey)
    const { intent } = await order(bench.stripe)
    await expect(browser.customers.list()).rejects.toMatchObject({ code: 'secret_key_required' })
    await expect(browser.paymentIntents.retrieve(intent)).rejects.toMatchObject({ statusCode: 400 })
    await expect(
      browser.paymentIntents.retrieve(intent, { client_secret: `${intent}_secret_guess` }),
    ).rejects.toMatchObject({ statusCode: 400 })
    const { client_secret } = await bench.stripe.paymentIntents.retrieve(intent)
    const seen = await browser.paymentIntents.retrieve(intent, { client_secret: client_secret ?? '' })
    expect(seen.id).toBe(intent)
  })
})

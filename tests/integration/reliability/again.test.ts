import { describe, expect, test } from 'vitest'
import { customerInPeriod, signedIn } from '../../support/admin.ts'
import { captureLog } from '../../support/log.ts'
import {
  chargesOf,
  customersOf,
  freshEmail,
  isEntitled,
  rowWithStatus,
  subscriptionRow,
  subscriptionsOf,
} from '../../support/money.ts'
import { centsOf } from '../../support/plan-facts.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()

const paying = '4242424242424242'
const otherPaying = '5555555555554444'
const declinedAtCharge = '4000000000000341'
const asksForAuthentication = '4000002500003155'

/** Buys, sets a password and completes the set-up; returns the account with its token. */
async function account(email = freshEmail()) {
  const { json } = await world.subscribe(email, await world.card(paying))
  const row = await rowWithStatus(world, email, 'active')
  const { data } = await world.client().auth.verifyOtp({ token_hash: String(json.token), type: 'signup' })
  await world.sql('update public.user_subscriptions set onboarding_completed = true where user_id = $1', [
    row.user_id,
  ])
  await world.sql(
    `insert into public.minute_ledger (user_id, minutes, reason, provider_event_id)
     select u.id, 30, 'call', u.id::text from auth.users u where u.id = $1`,
    [row.user_id],
  )
  return { email, row, token: data.session?.access_token ?? '' }
}
async function endedAccount() {
  const bought = await account()
  await world.stripe.subscriptions.cancel(bought.row.stripe_subscription_id)
  await rowWithStatus(world, bought.email, 'canceled')
  await world.settled()
  return bought
}
const buy = (token: string, card: string, planId = 'growth', email = freshEmail()) =>
  world.post(
    'create-stripe-subscription',
    { email, planId, paymentMethodId: card },
    { authorization: `Bearer ${token}` },
  )
const mailsTo = (email: string) => world.mails().filter(({ to }) => to === email)
const refused = { error: { code: 'account_exists' } }

describe('an account whose subscription has ended', () => {
  test.each(['growth', 'pro'])(
    '63. It buys again signed in → the same user, customer and data, charged once: %s',
    async (planId) => {
      const { email, row, token } = await endedAccount()
      const mailed = mailsTo(email)
      const answer = await buy(token, await world.card(otherPaying), planId)
      expect(answer.json).toEqual({ status: 'active', clientSecret: null, token: null })
      expect(await rowWithStatus(world, email, 'active')).toMatchObject({
        user_id: row.user_id,
        stripe_customer_id: row.stripe_customer_id,
        plan: planId,
        onboarding_completed: true,
      })
      await world.settled()
      expect(await customersOf(world, email)).toHaveLength(1)
      expect(await chargesOf(world, email)).toHaveLength(2)
      expect(await isEntitled(world, email)).toBe(true)
      expect(
        await world.sql('select minutes from public.minute_ledger where user_id = $1', [row.user_id]),
      ).toEqual([{ minutes: 30 }])
      const [customer] = await customersOf(world, email)
      const { data: cards } = await world.stripe.customers.listPaymentMethods(row.stripe_customer_id)
      expect(cards.map(({ card }) => card?.last4)).toEqual(['4444'])
      expect(customer?.invoice_settings.default_payment_method).toBe(cards[0]?.id)
      expect(mailsTo(email)).toEqual(mailed)
      // The same click again, its answer lost: nothing more is charged.
      expect((await buy(token, await world.card(otherPaying), planId)).json.status).toBe('active')
      expect(await chargesOf(world, email)).toHaveLength(2)
    },
  )

  test('63. A declined card, then 3-D Secure → the account stays as it was until it is paid', async () => {
    const { email, row, token } = await endedAccount()
    const declined = await buy(token, await world.card(declinedAtCharge))
    expect([declined.status, declined.json]).toMatchObject([402, { error: { code: 'card_declined' } }])
    const begun = await buy(token, await world.card(asksForAuthentication))
    expect(begun.json).toMatchObject({ status: 'requires_action', token: null })
    await world.settled()
    expect(await subscriptionRow(world, email)).toMatchObject({ status: 'canceled', plan: row.plan })
    await world.authenticate(String(begun.json.clientSecret), 'complete')
    expect(await rowWithStatus(world, email, 'active')).toMatchObject({ user_id: row.user_id })
    expect(await chargesOf(world, email)).toHaveLength(2)
  })

  test('158. Credit on its balance pays the plan → nothing is charged, and the card is kept for the renewals', async () => {
    const { email, row, token } = await endedAccount()
    const customer = row.stripe_customer_id
    await world.stripe.customers.update(customer, { balance: -centsOf('growth') })
    const declined = await buy(token, await world.card('4000000000000002'))
    expect([declined.status, declined.json]).toMatchObject([402, { error: { code: 'card_declined' } }])
    expect(await subscriptionsOf(world, email)).toHaveLength(1)
    for (let click = 1; click <= 2; click++) {
      const answer = await buy(token, await world.card(otherPaying))
      expect(answer.json).toEqual({ status: 'active', clientSecret: null, token: null })
    }
    expect(await rowWithStatus(world, email, 'active')).toMatchObject({
      user_id: row.user_id,
      plan: 'growth',
    })
    await world.settled()
    expect(await isEntitled(world, email)).toBe(true)
    expect(await subscriptionsOf(world, email)).toHaveLength(2)
    expect(await chargesOf(world, email)).toHaveLength(1)
    const [owner] = await customersOf(world, email)
    expect(owner?.balance).toBe(0)
    const { data: cards } = await world.stripe.customers.listPaymentMethods(customer)
    expect(cards.map(({ id, card }) => [id, card?.last4])).toEqual([
      [owner?.invoice_settings.default_payment_method, '4444'],
    ])
  })

  test('158. Credit pays nothing for a stranger who names the e-mail', async () => {
    const email = freshEmail()
    await world.subscribe(email, await world.card(paying))
    const row = await rowWithStatus(world, email, 'active')
    await world.stripe.subscriptions.cancel(row.stripe_subscription_id)
    await rowWithStatus(world, email, 'canceled')
    await world.stripe.customers.update(row.stripe_customer_id, { balance: -centsOf('growth') })
    const answer = await world.subscribe(email, await world.card(otherPaying))
    expect([answer.status, answer.json]).toMatchObject([409, refused])
    expect(await subscriptionsOf(world, email)).toHaveLength(1)
    const [owner] = await customersOf(world, email)
    expect(owner?.balance).toBe(-centsOf('growth'))
  })

  test('63. After an e-mail change → still the same customer, and the old address is free', async () => {
    const { email, row, token } = await endedAccount()
    const other = freshEmail()
    await world.admin().auth.admin.updateUserById(row.user_id, { email: other, email_confirm: true })
    // A checkout without an owner is at the new address.
    await world.sql(`insert into public.checkouts (email, plan) values ($1, 'growth')`, [other])
    expect((await buy(token, await world.card(paying))).json.status).toBe('active')
    expect(await rowWithStatus(world, other, 'active')).toMatchObject({
      user_id: row.user_id,
      stripe_customer_id: row.stripe_customer_id,
    })
    expect((await world.subscribe(email, await world.card(otherPaying))).json.token).toBeTypeOf('string')
    expect((await rowWithStatus(world, email, 'active')).user_id).not.toBe(row.user_id)
  })

  test('63. Its checkout is lost → still the same customer', async () => {
    const { email, row, token } = await endedAccount()
    await world.sql('delete from public.checkouts where email = $1', [email])
    expect((await buy(token, await world.card(paying))).json.status).toBe('active')
    expect(await rowWithStatus(world, email, 'active')).toMatchObject({
      stripe_customer_id: row.stripe_customer_id,
    })
    expect(await customersOf(world, email)).toHaveLength(1)
  })

  test('63. 5 clicks at once → one subscription, one charge more', async () => {
    const { email, token } = await endedAccount()
    const card = await world.card(paying)
    await Promise.all(Array.from({ length: 5 }, () => buy(token, card)))
    await rowWithStatus(world, email, 'active')
    await world.settled()
    expect(await subscriptionsOf(world, email)).toHaveLength(2)
    expect(await chargesOf(world, email)).toHaveLength(2)
  })

  test('63. Late events of the old subscription → the new one stays', async () => {
    const { email, row, token } = await account()
    await world.holdWebhooks()
    await world.stripe.subscriptions.cancel(row.stripe_subscription_id)
    await world.sql(
      `update public.user_subscriptions set billing_status = 'canceled', stripe_status = 'canceled'
      where user_id = $1`,
      [row.user_id],
    )
    expect((await buy(token, await world.card(paying), 'pro')).json.status).toBe('active')
    await world.work('reconciliation')
    expect(await subscriptionRow(world, email)).toMatchObject({ status: 'active', plan: 'pro' })
    await world.sendWebhooks()
    await world.settled()
    expect(await subscriptionRow(world, email)).toMatchObject({ status: 'active', plan: 'pro' })
  })

  test('63. Without its owner’s token nobody buys for it, and a false token buys nothing', async () => {
    captureLog()
    const { email, row } = await endedAccount()
    const card = await world.card(paying)
    expect((await world.subscribe(email, card)).json).toMatchObject(refused)
    expect((await buy('of.nobody.known', card, 'growth', email)).status).toBe(401)
    const stranger = await endedAccount()
    await buy(stranger.token, card, 'growth', email)
    expect(await rowWithStatus(world, email, 'canceled')).toMatchObject({ user_id: row.user_id })
    expect(await chargesOf(world, email)).toHaveLength(1)
    await rowWithStatus(world, stranger.email, 'active')
  })
})

describe('what an account leaves unpaid', () => {
  const sweep = async (email: string) => {
    await world.advanceClock(3)
    await world.settled()
    await world.sql(
      `update public.checkouts set updated_at = updated_at - interval '3 days' where email = $1`,
      [email],
    )
    await world.work('unpaid checkouts', 'unpaid customers', 'reconciliation')
  }

  test('63. An abandoned attempt → the account, its data and its customer stay, and it can buy', async () => {
    const { email, row, token } = await endedAccount()
    await buy(token, await world.card(asksForAuthentication))
    await sweep(email)
    expect(await customersOf(world, email)).toMatchObject([{ id: row.stripe_customer_id }])
    expect(await subscriptionRow(world, email)).toMatchObject({ user_id: row.user_id, status: 'canceled' })
    expect((await buy(token, await world.card(paying))).json.status).toBe('active')
    await rowWithStatus(world, email, 'active')
  })

  test('63. Also of an account that never bought', async () => {
    const email = freshEmail()
    const { id, token } = await signedIn(world, email)
    expect((await buy(token, await world.card(asksForAuthentication))).json.token).toBeNull()
    await sweep(email)
    expect(await world.sql('select id from auth.users where email = $1', [email])).toEqual([{ id }])
    expect((await buy(token, await world.card(paying))).json.status).toBe('active')
    expect(await rowWithStatus(world, email, 'active')).toMatchObject({ user_id: id })
  })

  test('63. A customer that an account has is not noted for deletion', async () => {
    const { row } = await endedAccount()
    const [held] = await world.sql<{ id: string; lease: string }>(
      `insert into public.checkouts (email, plan, lease, lease_expires_at)
       values ($1, 'growth', gen_random_uuid(), now() + interval '1 minute') returning id, lease`,
      [freshEmail()],
    )
    const removed = 'select public.remove_unpaid_checkout($1, $2, $3) as removed'
    expect(await world.sql(removed, [held?.id, held?.lease, [row.stripe_customer_id]])).toEqual([
      { removed: false },
    ])
    expect(await world.sql(removed, [held?.id, held?.lease, []])).toEqual([{ removed: true }])
  })
})

describe('an account whose subscription is not over', () => {
  const states: [string, Record<string, unknown>, string][] = [
    ['canceled', { billing_status: 'canceled', stripe_status: 'canceled' }, 'opened'],
    ['never paid', { billing_status: 'incomplete_expired', stripe_status: 'incomplete_expired' }, 'opened'],
    ['unpaid', { billing_status: 'payment_failed', stripe_status: 'incomplete' }, 'opened'],
    ['active', { stripe_status: 'active' }, 'account_exists'],
    ['in arrears', { billing_status: 'payment_failed', stripe_status: 'past_due' }, 'account_exists'],
    ['unpaid for long', { billing_status: 'payment_failed', stripe_status: 'unpaid' }, 'account_exists'],
    ['paused', { billing_status: 'paused', stripe_status: 'paused' }, 'account_exists'],
    ['without Stripe', { billing_status: 'active' }, 'account_exists'],
    [
      'blocked',
      { billing_status: 'canceled', stripe_status: 'canceled', admin_status: 'blocked' },
      'account_exists',
    ],
    [
      'active by the admin',
      { billing_status: 'canceled', stripe_status: 'canceled', admin_status: 'active' },
      'account_exists',
    ],
  ]
  test.each(states)('63. %s', async (_name, columns, outcome) => {
    const { id, email } = await customerInPeriod(world, columns)
    const begun = await world.sql<{ begun: object }>(
      `select public.begin_checkout('typed@example.com', 'growth', 60, $1) as begun`,
      [id],
    )
    expect(begun[0]?.begun).toMatchObject(
      outcome === 'opened'
        ? { outcome, account: id, is_confirmed: false, checkout: { email, user_id: id } }
        : { outcome },
    )
    const left = await world.sql('select from public.checkouts where email = $1', [email])
    expect(left).toHaveLength(outcome === 'opened' ? 1 : 0)
  })

  test('63. Its owner is told that the account exists, for any plan and card', async () => {
    const { email, token } = await account()
    expect((await buy(token, await world.card(otherPaying))).json).toMatchObject(refused)
    expect((await buy(token, await world.card(paying), 'pro')).json).toMatchObject(refused)
    expect(await chargesOf(world, email)).toHaveLength(1)
  })
})

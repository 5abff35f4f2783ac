import { beforeEach, describe, expect, test } from 'vitest'
import { eventually } from '../../support/eventually.ts'
import {
  cards,
  chargesOf,
  customersOf,
  freshEmail,
  hasAccount,
  isEntitled,
  rowWithStatus,
  subscriptionsOf,
} from '../../support/money.ts'
import { centsOf, minutesOf, stripeCurrency } from '../../support/plan-facts.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
const { paying, otherPaying, declinedAtCharge, asksForAuthentication } = cards
beforeEach(() => world.countCallsToStripe())

describe('a first attempt', () => {
  test('1. 4242… → active, token, one customer, one subscription, one charge; three calls to Stripe', async () => {
    const email = freshEmail()
    const card = await world.card(paying, email)
    await world.holdWebhooks()
    const answer = await world.subscribe(email, card)
    const calls = world.callsToStripe()
    await world.sendWebhooks()

    expect(answer.status).toBe(200)
    expect(answer.json).toEqual({
      status: 'active',
      clientSecret: null,
      token: expect.stringMatching(/^\w{20,}$/),
    })
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(calls).toEqual([
      'POST customers',
      'POST subscriptions',
      expect.stringMatching(/^POST payment_intents\/pi_\w+\/confirm$/),
    ])

    expect(await customersOf(world, email)).toHaveLength(1)
    const subscriptions = await subscriptionsOf(world, email)
    expect(subscriptions).toMatchObject([{ status: 'active', metadata: { plan: 'growth' } }])
    expect(await chargesOf(world, email)).toMatchObject([
      { amount: centsOf('growth'), currency: stripeCurrency, paid: true },
    ])

    const row = await rowWithStatus(world, email, 'active')
    expect(row).toMatchObject({
      plan: 'growth',
      status: 'active',
      minutes_limit: minutesOf('growth'),
      onboarding_completed: false,
      stripe_subscription_id: subscriptions[0]?.id,
    })
    const end = subscriptions[0]?.items.data[0]?.current_period_end ?? 0
    expect(Date.parse(row.current_period_end)).toBe(end * 1000)
    const [account] = await world.sql('select email from public.users where id = $1', [row.user_id])
    expect(account).toEqual({ email })
  })

  test('the token confirms the account, and its holder sets the password', async () => {
    const email = freshEmail()
    const { json } = await world.subscribe(email, await world.card(paying))
    const visitor = world.client()
    const verified = await visitor.auth.verifyOtp({ token_hash: String(json.token), type: 'signup' })
    expect(verified.data.session?.user.email).toBe(email)
    expect((await visitor.auth.updateUser({ password: 'a new password' })).error).toBeNull()
    const signedIn = await world.client().auth.signInWithPassword({ email, password: 'a new password' })
    expect(signedIn.data.user?.email).toBe(email)
    const again = await world.client().auth.verifyOtp({ token_hash: String(json.token), type: 'signup' })
    expect(again.error?.code).toBe('otp_expired')
  })

  test('2. 4000 0025 0000 3155 → requires_action; authenticated → active', async () => {
    const email = freshEmail()
    const { status, json } = await world.subscribe(email, await world.card(asksForAuthentication))
    expect(status).toBe(200)
    expect(json).toMatchObject({
      status: 'requires_action',
      clientSecret: expect.stringMatching(/^pi_\w+_secret_/),
    })
    expect(await chargesOf(world, email)).toEqual([])
    expect(await hasAccount(world, email)).toBe(false)

    await world.settled()
    await world.authenticate(String(json.clientSecret), 'complete')
    expect(await rowWithStatus(world, email, 'active')).toMatchObject({ status: 'active' })
    expect(await chargesOf(world, email)).toHaveLength(1)
  })

  test('3. 3-D Secure failed → no entitlement, and the e-mail stays free', async () => {
    const email = freshEmail()
    const { json } = await world.subscribe(email, await world.card(asksForAuthentication))
    await world.authenticate(String(json.clientSecret), 'fail')
    await rowWithStatus(world, email, 'payment_failed')
    expect(await hasAccount(world, email)).toBe(false)
    expect(await isEntitled(world, email)).toBe(false)
  })

  test('3. 3-D Secure abandoned → nothing usable, not even by its link, and the e-mail is free after expiry', async () => {
    const email = freshEmail()
    const { json } = await world.subscribe(email, await world.card(asksForAuthentication))
    await world.client().auth.verifyOtp({ token_hash: String(json.token), type: 'signup' })
    await rowWithStatus(world, email, 'incomplete')
    expect(await isEntitled(world, email)).toBe(false)
    await world.advanceClock(1)
    await eventually(async () =>
      expect(await world.sql('select from auth.users where email = $1', [email])).toEqual([]),
    )
    expect(await chargesOf(world, email)).toEqual([])
    expect((await world.subscribe(email, await world.card(paying))).json.status).toBe('active')
    expect(await chargesOf(world, email)).toHaveLength(1)
  })

  test('a payment that the bank is processing: another card or plan is 409, one charge', async () => {
    const email = freshEmail()
    const { json } = await world.subscribe(email, await world.card(asksForAuthentication))
    const secret = String(json.clientSecret)
    await world.holdPayment(secret)
    await world.sql(`update public.checkouts set updated_at = now() - interval '1 hour' where email = $1`, [
      email,
    ])
    const answers = [
      await world.subscribe(email, await world.card(paying)),
      await world.subscribe(email, await world.card(paying), 'pro'),
    ]
    for (const { status, json } of answers) {
      expect(status).toBe(409)
      expect(json.error).toMatchObject({ code: 'checkout_in_progress' })
    }
    await world.authenticate(secret, 'complete')
    await rowWithStatus(world, email, 'active')
    expect(await chargesOf(world, email)).toHaveLength(1)
  })

  test('another plan at the moment when the first is paid: the payment stands', async () => {
    const email = freshEmail()
    const { json } = await world.subscribe(email, await world.card(asksForAuthentication))
    await world.sql(`update public.checkouts set updated_at = now() - interval '1 hour' where email = $1`, [
      email,
    ])
    const unread = world.beforeCall('POST invoices/', () =>
      world.authenticate(String(json.clientSecret), 'complete'),
    )
    const answer = await world.subscribe(email, await world.card(asksForAuthentication), 'pro')
    unread()
    expect(answer.status).toBe(409)
    expect(await subscriptionsOf(world, email)).toMatchObject([{ status: 'active' }])
    expect(await chargesOf(world, email)).toHaveLength(1)
    await rowWithStatus(world, email, 'active')
  })

  test.each([
    ['4. ', '4000000000000002', 'Your card was declined.'],
    ['5. ', '4000000000009995', 'Your card has insufficient funds.'],
    ['6. ', declinedAtCharge, 'Your card was declined.'],
    ['', '4000000000009987', 'Your card was declined.'],
    ['', '4000000000000069', 'Your card has expired.'],
    ['', '4000000000000127', "Your card's security code is incorrect."],
    ['', '4000000000000119', 'An error occurred while processing your card. Try again in a little bit.'],
  ])('%s%s → 402 and the provider’s message', async (_line, number, message) => {
    const email = freshEmail()
    const answer = await world.subscribe(email, await world.card(number))
    expect(answer.status).toBe(402)
    expect(answer.json).toEqual({ error: { code: 'card_declined', message } })
    expect(await chargesOf(world, email)).toEqual([])
    expect(await hasAccount(world, email)).toBe(false)
  })
})

describe('a further attempt', () => {
  test('7. A decline, then a good card → the same subscription, one charge; two calls to Stripe', async () => {
    const email = freshEmail()
    await world.subscribe(email, await world.card(declinedAtCharge))
    const [first] = await subscriptionsOf(world, email)
    const card = await world.card(paying)
    await world.settled()
    await world.holdWebhooks()
    await world.countCallsToStripe()
    const answer = await world.subscribe(email, card)
    const calls = world.callsToStripe()
    await world.sendWebhooks()

    expect(answer.json.status).toBe('active')
    expect(calls).toEqual([
      `GET subscriptions/${first?.id}`,
      'GET invoices',
      expect.stringMatching(/\/confirm$/),
    ])
    expect(await subscriptionsOf(world, email)).toMatchObject([{ id: first?.id, status: 'active' }])
    expect(await chargesOf(world, email)).toHaveLength(1)
    expect(await customersOf(world, email)).toHaveLength(1)
  })

  test('Another plan after a decline: the unpaid subscription ends, the new one is paid', async () => {
    const email = freshEmail()
    await world.subscribe(email, await world.card(declinedAtCharge), 'pro')
    const answer = await world.subscribe(email, await world.card(paying), 'starter')
    expect(answer.json.status).toBe('active')
    const subscriptions = await subscriptionsOf(world, email)
    expect(subscriptions.map(({ status, metadata }) => [metadata.plan, status]).sort()).toEqual([
      ['pro', expect.stringMatching(/^(canceled|incomplete_expired)$/)],
      ['starter', 'active'],
    ])
    expect(await chargesOf(world, email)).toMatchObject([{ amount: centsOf('starter') }])
    expect(await rowWithStatus(world, email, 'active')).toMatchObject({
      plan: 'starter',
      minutes_limit: minutesOf('starter'),
    })
  })

  test('the same card again while it is being authenticated: the same subscription, and it can be finished', async () => {
    const email = freshEmail()
    const card = await world.card(asksForAuthentication)
    await world.subscribe(email, card)
    for (const again of [card, await world.card(asksForAuthentication)]) {
      const { json } = await world.subscribe(email, again)
      expect(json.status).toBe('requires_action')
      if (again !== card) await world.authenticate(String(json.clientSecret), 'complete')
    }
    await rowWithStatus(world, email, 'active')
    expect(await subscriptionsOf(world, email)).toHaveLength(1)
    expect(await chargesOf(world, email)).toHaveLength(1)
  })

  test('12. Time-out after the charge → a retry returns the same subscription, to the card that paid', async () => {
    const email = freshEmail()
    const card = await world.card(paying)
    const first = await world.subscribe(email, card)
    const [paid] = await subscriptionsOf(world, email)
    const samePaymentMethod = await world.subscribe(email, card)
    // By now the webhook has made the account, and its link is mailed.
    await rowWithStatus(world, email, 'active')
    const sameCard = await world.subscribe(email, await world.card(paying))

    for (const retry of [samePaymentMethod, sameCard]) {
      expect(retry.json).toMatchObject({ status: 'active', clientSecret: null })
      expect(retry.json.token).not.toBe(first.json.token)
    }
    const verified = await world
      .client()
      .auth.verifyOtp({ token_hash: String(sameCard.json.token), type: 'signup' })
    expect(verified.data.session?.user.email).toBe(email)
    expect(await subscriptionsOf(world, email)).toMatchObject([{ id: paid?.id }])
    expect(await chargesOf(world, email)).toHaveLength(1)
  })

  test('12. A paid e-mail posted with a stranger’s card, or for another plan: 409, nothing changes', async () => {
    const email = freshEmail()
    const card = await world.card(paying)
    const { json } = await world.subscribe(email, card)
    await rowWithStatus(world, email, 'active')
    const stranger = await world.card(otherPaying)
    const answers = [
      await world.subscribe(email, stranger),
      await world.subscribe(email, 'pm_unknown'),
      await world.subscribe(email, card, 'pro'),
    ]
    for (const { status, json } of answers) {
      expect(status).toBe(409)
      expect(json.error).toMatchObject({ code: 'account_exists' })
    }
    expect((await world.stripe.paymentMethods.retrieve(stranger)).customer).toBeNull()
    expect(await chargesOf(world, email)).toHaveLength(1)
    const verified = await world.client().auth.verifyOtp({ token_hash: String(json.token), type: 'signup' })
    expect(verified.error).toBeNull()
  })

  test('16. An existing customer’s e-mail posted straight to the function → 409, nothing created', async () => {
    const email = freshEmail()
    await world.admin().auth.admin.createUser({ email, password: 'their password', email_confirm: true })
    const card = await world.card(paying)
    const { status, json } = await world.subscribe(email, card)
    expect(status).toBe(409)
    expect(json.error).toMatchObject({ code: 'account_exists' })
    expect(world.callsToStripe()).toEqual([])
    expect(await world.sql('select from public.checkouts where email = $1', [email])).toEqual([])
  })

  test('8. Double click → one subscription', async () => {
    const email = freshEmail()
    const card = await world.card(paying)
    const clicks = await Promise.all([world.subscribe(email, card), world.subscribe(email, card)])
    expect(clicks.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await customersOf(world, email)).toHaveLength(1)
    expect(await subscriptionsOf(world, email)).toHaveLength(1)
    expect(await chargesOf(world, email)).toHaveLength(1)
  })

  test('9. 20 parallel posts for one e-mail → one customer, one subscription', async () => {
    const email = freshEmail()
    const card = await world.card(paying)
    const answers = await Promise.all(Array.from({ length: 20 }, () => world.subscribe(email, card)))
    expect([...new Set(answers.map(({ status }) => status))].sort()).toEqual([200, 409])
    expect(await customersOf(world, email)).toHaveLength(1)
    expect(await subscriptionsOf(world, email)).toHaveLength(1)
    expect(await chargesOf(world, email)).toHaveLength(1)
  })

  test('10. Two tabs, two plans → the second gets 409', async () => {
    const email = freshEmail()
    const cards = await Promise.all([world.card(paying), world.card(paying)])
    let second: number | undefined
    world.beforeCall('POST subscriptions', async () => {
      second = (await world.subscribe(email, cards[1], 'growth')).status
    })
    const first = await world.subscribe(email, cards[0], 'starter')
    expect([first.status, second]).toEqual([200, 409])
    expect(await chargesOf(world, email)).toHaveLength(1)
  })

  /** Simulates an attempt that stopped between creating the subscription and storing it. */
  const forget = (email: string) =>
    world.sql(
      `update public.checkouts set stripe_customer_id = null, stripe_subscription_id = null, state = 'open',
         lease = gen_random_uuid(), lease_expires_at = now() + interval '1 hour'
       where email = $1`,
      [email],
    )
  const endLease = (email: string) =>
    world.sql(
      `update public.checkouts
       set lease_expires_at = now() - interval '1 second', created_at = now() - interval '1 minute'
       where email = $1`,
      [email],
    )

  test('an attempt that stopped before it stored anything is continued, also with another card', async () => {
    const email = freshEmail()
    await world.subscribe(email, await world.card(declinedAtCharge))
    await forget(email)
    expect((await world.subscribe(email, await world.card(paying))).status).toBe(409)
    await endLease(email)
    expect((await world.subscribe(email, await world.card(paying))).json.status).toBe('active')
    expect(await customersOf(world, email)).toHaveLength(1)
    expect(await subscriptionsOf(world, email)).toHaveLength(1)
  })

  test('it is continued with the same customer also after Stripe’s idempotency keys have expired', async () => {
    const email = freshEmail()
    await world.subscribe(email, await world.card(declinedAtCharge))
    await world.advanceClock(2)
    await world.settled()
    await forget(email)
    await endLease(email)
    expect((await world.subscribe(email, await world.card(paying))).json.status).toBe('active')
    expect(await customersOf(world, email)).toHaveLength(1)
    expect(await chargesOf(world, email)).toHaveLength(1)
  })
})

describe('what providers do', () => {
  test('11. The provider answers 500 once → retried with the same idempotency key', async () => {
    const email = freshEmail()
    const card = await world.card(paying)
    await world.settled()
    await world.holdWebhooks()
    const paths = ['customers', 'subscriptions', 'payment_intents']
    for (const path of paths) await world.failNextCall(`POST /v1/${path}`)
    expect((await world.subscribe(email, card)).json.status).toBe('active')
    await world.sendWebhooks()
    const posted = (await world.requests()).filter(({ method }) => method === 'POST')
    for (const path of paths) {
      const [failed, retried] = posted.filter((request) => request.path.startsWith(`/v1/${path}`)).slice(-2)
      expect([failed?.status, retried?.status]).toEqual([500, 200])
      expect(failed?.idempotencyKey).toMatch(/^\w+:[0-9a-f]{40}$/)
      expect(retried?.idempotencyKey).toBe(failed?.idempotencyKey)
    }
    expect(await customersOf(world, email)).toHaveLength(1)
    expect(await subscriptionsOf(world, email)).toHaveLength(1)
    expect(await chargesOf(world, email)).toHaveLength(1)
  })

  test('11. The provider makes a customer and never answers → the next attempt has the same one', async () => {
    const email = freshEmail()
    const lost = () => Promise.reject(new Error('The answer is lost'))
    await world.settled()
    // As often as the SDK asks.
    for (let nth = 0; nth < 3; nth++) world.afterCall('POST customers', lost)
    const failed = await world.subscribe(email, await world.card(paying))
    expect([failed.status, failed.json.error]).toMatchObject([502, { code: 'provider_unavailable' }])
    expect(await customersOf(world, email)).toHaveLength(1)
    expect((await world.subscribe(email, await world.card(paying))).json.status).toBe('active')
    expect(await customersOf(world, email)).toHaveLength(1)
    expect(await chargesOf(world, email)).toHaveLength(1)
  })

  test('33. The link cannot be generated → no charge; the next attempt works', async () => {
    const email = freshEmail()
    await world.sql(`create function public.out_of_order() returns trigger language plpgsql as
      $$ begin raise exception 'out of order'; end $$`)
    await world.sql(`create trigger out_of_order before insert on auth.users
      for each row execute function public.out_of_order()`)
    const failed = await world.subscribe(email, await world.card(paying))
    await world.sql('drop function public.out_of_order cascade')
    expect(failed.status).toBe(502)
    expect(failed.json.error).toMatchObject({ code: 'provider_unavailable' })
    expect(await subscriptionsOf(world, email)).toEqual([])
    expect((await world.subscribe(email, await world.card(paying))).json.status).toBe('active')
    expect(await customersOf(world, email)).toHaveLength(1)
  })

  test('35. Somebody pre-registered the e-mail with their own password → that password does not work afterwards', async () => {
    const email = freshEmail()
    const registered = await world.admin().auth.admin.createUser({ email, password: 'chosen by another' })
    expect(registered.error).toBeNull()
    const { json } = await world.subscribe(email, await world.card(paying))
    expect(json.status).toBe('active')
    await world.client().auth.verifyOtp({ token_hash: String(json.token), type: 'signup' })
    const theirs = await world.client().auth.signInWithPassword({ email, password: 'chosen by another' })
    expect(theirs.data.session).toBeNull()
  })

  test('17. A payment method of somebody else → clean 4xx, nothing charged', async () => {
    const card = await world.card(paying)
    await world.subscribe(freshEmail(), card)
    const email = freshEmail()
    for (const id of [card, 'pm_unknown']) {
      const { status, json } = await world.subscribe(email, id)
      expect(status).toBe(400)
      expect(json.error).toMatchObject({ code: 'invalid_request' })
    }
    expect(await chargesOf(world, email)).toEqual([])
  })
})

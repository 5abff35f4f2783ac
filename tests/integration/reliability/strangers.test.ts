import { describe, expect, test } from 'vitest'
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
import { centsOf } from '../../support/plan-facts.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
const { paying, otherPaying, declinedAtCharge, asksForAuthentication } = cards

/** Returns the cards that are attached to the e-mail's customer, and its default card. */
async function cardsOf(email: string) {
  const [customer] = await customersOf(world, email)
  if (!customer) throw new Error('The e-mail has no customer')
  const { data } = await world.stripe.customers.listPaymentMethods(customer.id)
  return {
    numbers: data.map(({ card }) => card?.last4),
    ids: data.map(({ id }) => id),
    preferred: customer.invoice_settings.default_payment_method,
  }
}

/** Expects that the e-mail's customer has one card: the default, which renewals charge. */
const expectOneCard = (email: string, last4: string) =>
  eventually(async () => {
    const { numbers, ids, preferred } = await cardsOf(email)
    expect(numbers).toEqual([last4])
    expect(preferred).toBe(ids[0])
    const live = (await subscriptionsOf(world, email)).filter(({ status }) => status === 'active')
    expect(live.map(({ default_payment_method: own }) => own)).toEqual([null])
  })

describe('cards', () => {
  test('61. A declined card is left on no customer, and the card that pays is the only one', async () => {
    const email = freshEmail()
    await world.subscribe(email, await world.card(declinedAtCharge))
    expect((await cardsOf(email)).numbers).toEqual([])
    expect((await world.subscribe(email, await world.card(otherPaying))).json.status).toBe('active')
    await expectOneCard(email, '4444')
  })

  test('61. A card whose 3-D Secure was abandoned is left on no customer, for the same plan or another', async () => {
    for (const planId of ['growth', 'pro']) {
      const email = freshEmail()
      await world.subscribe(email, await world.card(asksForAuthentication))
      await rowWithStatus(world, email, 'incomplete')
      expect((await cardsOf(email)).numbers).toEqual([])
      await world.sql(`update public.checkouts set updated_at = now() - interval '1 hour' where email = $1`, [
        email,
      ])
      expect((await world.subscribe(email, await world.card(paying), planId)).json.status).toBe('active')
      await expectOneCard(email, '4242')
    }
  })

  test('61. The card of a payer whose subscription has ended goes before another card pays', async () => {
    const email = freshEmail()
    await world.subscribe(email, await world.card(paying))
    const { stripe_subscription_id: first } = await rowWithStatus(world, email, 'active')
    await world.stripe.subscriptions.cancel(first)
    await rowWithStatus(world, email, 'canceled')
    expect((await world.subscribe(email, await world.card(otherPaying))).json.status).toBe('active')
    await rowWithStatus(world, email, 'active')
    await expectOneCard(email, '4444')
  })
})

describe('an e-mail that has changed hands', () => {
  /** Buys, sets a password and changes the account's e-mail; returns the account. */
  async function movedAccount(email: string, other: string) {
    const { json } = await world.subscribe(email, await world.card(paying))
    const bought = await rowWithStatus(world, email, 'active')
    await world.client().auth.verifyOtp({ token_hash: String(json.token), type: 'signup' })
    const admin = world.admin().auth.admin
    const changed = await admin.updateUserById(bought.user_id, { email: other, email_confirm: true })
    expect(changed.error).toBeNull()
    return bought
  }

  test.each(['active', 'canceled'])(
    '62. After an e-mail change, the next buyer of the old address has a customer and a plan of their own: %s',
    async (status) => {
      const [email, other] = [freshEmail(), freshEmail()]
      const first = await movedAccount(email, other)
      if (status === 'canceled') await world.stripe.subscriptions.cancel(first.stripe_subscription_id)
      await rowWithStatus(world, other, status)

      const bought = await world.subscribe(email, await world.card(otherPaying))
      expect(bought.json.status).toBe('active')
      const second = await rowWithStatus(world, email, 'active')
      expect(second.user_id).not.toBe(first.user_id)
      expect(second.stripe_customer_id).not.toBe(first.stripe_customer_id)
      const { data: charges } = await world.stripe.charges.list({ customer: first.stripe_customer_id })
      expect(charges).toHaveLength(1)
      expect(await rowWithStatus(world, other, status)).toMatchObject({
        user_id: first.user_id,
        stripe_customer_id: first.stripe_customer_id,
      })
      await eventually(async () =>
        expect(await world.sql('select id from public.webhook_events where handled_at is null')).toEqual([]),
      )
    },
  )

  test('62. They have their own account also if the new address has been at checkout', async () => {
    const [email, other] = [freshEmail(), freshEmail()]
    const first = await movedAccount(email, other)
    await world.sql(`insert into public.checkouts (email, plan) values ($1, 'growth')`, [other])
    expect((await world.subscribe(email, await world.card(otherPaying))).json.status).toBe('active')
    expect((await rowWithStatus(world, email, 'active')).user_id).not.toBe(first.user_id)
    expect(await chargesOf(world, email)).toHaveLength(2)
  })
})

describe('an unpaid attempt', () => {
  const verify = (token: unknown) =>
    world.client().auth.verifyOtp({ token_hash: String(token), type: 'signup' })
  const signIn = (email: string, password: string) =>
    world.client().auth.signInWithPassword({ email, password })

  test.each(['growth', 'pro'])(
    '64. 3-D Secure that a stranger never finishes, link used, keeps nobody from buying: %s',
    async (planId) => {
      const email = freshEmail()
      const begun = await world.subscribe(email, await world.card(asksForAuthentication))
      const stranger = world.client()
      await stranger.auth.verifyOtp({ token_hash: String(begun.json.token), type: 'signup' })
      expect((await stranger.auth.updateUser({ password: 'of a stranger' })).error).toBeNull()
      await rowWithStatus(world, email, 'incomplete')
      expect(await hasAccount(world, email)).toBe(false)

      const bought = await world.subscribe(email, await world.card(paying), planId)
      expect(bought.json.status).toBe('active')
      expect((await signIn(email, 'of a stranger')).data.session).toBeNull()
      expect((await stranger.auth.getUser()).data.user).toBeNull()
      expect((await verify(bought.json.token)).data.session?.user.email).toBe(email)
      await rowWithStatus(world, email, 'active')
      expect(await isEntitled(world, email)).toBe(true)

      await world.advanceClock(2)
      await world.settled()
      expect((await verify(begun.json.token)).error?.code).toBe('otp_expired')
      expect(await rowWithStatus(world, email, 'active')).toMatchObject({ plan: planId })
      expect(await chargesOf(world, email)).toHaveLength(1)
    },
  )

  test('64. A stranger’s declined card keeps nobody from buying, and no link is mailed to the account', async () => {
    const email = freshEmail()
    const begun = await world.subscribe(email, await world.card(asksForAuthentication))
    await verify(begun.json.token)
    await world.post('request-password-reset', { email })
    expect(world.mails().filter(({ to }) => to === email)).toEqual([])
    await world.subscribe(email, await world.card(declinedAtCharge))
    expect((await world.subscribe(email, await world.card(paying))).json.status).toBe('active')
  })

  test('64. A stranger’s 3-D Secure has failed, link used → the account of who pays then is not the stranger’s', async () => {
    const email = freshEmail()
    const begun = await world.subscribe(email, await world.card(asksForAuthentication))
    const stranger = world.client()
    await stranger.auth.verifyOtp({ token_hash: String(begun.json.token), type: 'signup' })
    expect((await stranger.auth.updateUser({ password: 'of a stranger' })).error).toBeNull()
    await world.authenticate(String(begun.json.clientSecret), 'fail')
    await world.settled()

    const bought = await world.subscribe(email, await world.card(paying))
    expect(bought.json.status).toBe('active')
    expect((await signIn(email, 'of a stranger')).data.session).toBeNull()
    expect((await stranger.auth.getUser()).data.user).toBeNull()
    expect((await verify(bought.json.token)).data.session?.user.email).toBe(email)
  })

  test('64. Paid while it was being replaced → the payer keeps the account', async () => {
    const email = freshEmail()
    const begun = await world.subscribe(email, await world.card(asksForAuthentication))
    await verify(begun.json.token)
    const { user_id: id } = await rowWithStatus(world, email, 'incomplete')
    world.afterCall('GET subscriptions/', async () => {
      await world.authenticate(String(begun.json.clientSecret), 'complete')
      await rowWithStatus(world, email, 'active')
    })
    const other = await world.subscribe(email, await world.card(otherPaying))
    expect([other.status, other.json.error]).toMatchObject([409, { code: 'checkout_in_progress' }])
    expect(await rowWithStatus(world, email, 'active')).toMatchObject({ user_id: id })
    expect(await chargesOf(world, email)).toHaveLength(1)
  })

  test('64. Paid and ended, and no event has told of it → the payer keeps the account', async () => {
    const email = freshEmail()
    await world.holdWebhooks()
    const bought = await world.subscribe(email, await world.card(paying))
    const owner = world.client()
    await owner.auth.verifyOtp({ token_hash: String(bought.json.token), type: 'signup' })
    expect((await owner.auth.updateUser({ password: 'of the owner' })).error).toBeNull()
    const [subscription] = await subscriptionsOf(world, email)
    await world.stripe.subscriptions.cancel(subscription?.id ?? '')

    const other = await world.subscribe(email, await world.card(declinedAtCharge))
    expect([other.status, other.json.error]).toMatchObject([409, { code: 'account_exists' }])
    await world.sendWebhooks()
    await world.settled()
    expect((await signIn(email, 'of the owner')).error).toBeNull()
    expect(await hasAccount(world, email)).toBe(true)
    await rowWithStatus(world, email, 'canceled')
  })

  test('64. More posts by strangers than one address may send → the owner buys', async () => {
    const email = freshEmail()
    await world.sql(`update private.settings set value = 3 where name like 'checkout\\_per%'`)
    const card = await world.card(declinedAtCharge)
    for (let nth = 0; nth < 5; nth++) {
      const headers = { 'x-nf-client-connection-ip': `203.0.113.${nth % 2}` }
      await world.post(
        'create-stripe-subscription',
        { email, planId: 'growth', paymentMethodId: card },
        headers,
      )
    }
    const bought = await world.subscribe(email, await world.card(paying))
    await world.sql(`update private.settings set value = 30 where name like 'checkout\\_per%'`)
    expect(bought.json.status).toBe('active')
  })
})

describe('several attempts with one e-mail', () => {
  const others = ['4000002760003184', '4000008260003178']
  /** Posts as a stranger who knows the e-mail: cards that ask, in two plans, and declined ones. */
  const posts = async (email: string, count: number) => {
    const answers = []
    for (let nth = 0; nth < count; nth++) {
      const card = await world.card([...others, declinedAtCharge][nth % 3]!)
      answers.push(await world.subscribe(email, card, nth % 2 ? 'pro' : 'growth'))
    }
    return answers
  }
  const net = async (email: string) =>
    (await chargesOf(world, email)).reduce((sum, one) => sum + one.amount - one.amount_refunded, 0)
  const liveOf = async (email: string) =>
    (await subscriptionsOf(world, email)).filter(({ status }) => status === 'active')
  const verified = async (token: unknown) =>
    (await world.client().auth.verifyOtp({ token_hash: String(token), type: 'signup' })).data.session?.user
      .email

  test('128. 30 posts by a stranger while 3-D Secure is open → the payer finishes it in the same tab', async () => {
    const email = freshEmail()
    const own = await world.subscribe(email, await world.card(asksForAuthentication))
    const foreign = await posts(email, 30)
    expect(foreign.map(({ json }) => json.token ?? null)).toEqual(foreign.map(() => null))
    await world.settled()
    await world.authenticate(String(own.json.clientSecret), 'complete')
    const row = await rowWithStatus(world, email, 'active')
    expect(row.plan).toBe('growth')
    expect(await verified(own.json.token)).toBe(email)

    // What the stranger began has ended, and cannot be paid any more.
    await world.settled()
    for (const { json } of foreign.filter(({ json }) => json.clientSecret))
      await world.authenticate(String(json.clientSecret), 'complete').catch(() => undefined)
    await world.settled()
    expect((await liveOf(email)).map(({ id }) => id)).toEqual([row.stripe_subscription_id])
    expect(await net(email)).toBe(centsOf('growth'))
    expect(await chargesOf(world, email)).toHaveLength(1)
  })

  test('128. A stranger’s 3-D Secure is open, link used, and the payer’s card asks too → the payer’s account', async () => {
    const email = freshEmail()
    const foreign = await world.subscribe(email, await world.card('4000000000003220'))
    const stranger = world.client()
    await stranger.auth.verifyOtp({ token_hash: String(foreign.json.token), type: 'signup' })
    await stranger.auth.updateUser({ password: 'of a stranger' })
    const card = await world.card(asksForAuthentication)
    const own = await world.subscribe(email, card)
    expect(own.json).toMatchObject({ status: 'requires_action', token: null })
    await posts(email, 3)
    await world.authenticate(String(own.json.clientSecret), 'complete')
    const again = await world.subscribe(email, card)
    expect(again.json.status).toBe('active')
    await rowWithStatus(world, email, 'active')
    expect(await verified(again.json.token)).toBe(email)
    expect((await stranger.auth.getUser()).data.user).toBeNull()
    const theirs = await world.client().auth.signInWithPassword({ email, password: 'of a stranger' })
    expect(theirs.data.session).toBeNull()
    await world.settled()
    await world.authenticate(String(foreign.json.clientSecret), 'complete').catch(() => undefined)
    await world.settled()
    expect(await liveOf(email)).toHaveLength(1)
    expect(await chargesOf(world, email)).toHaveLength(1)
    expect(world.mails().filter(({ to }) => to === email)).not.toEqual([])
  })

  test('128. Its events come before the payer asks for the token → the token works all the same', async () => {
    const email = freshEmail()
    await world.subscribe(email, await world.card(others[0]!))
    const card = await world.card(asksForAuthentication)
    const own = await world.subscribe(email, card)
    await world.authenticate(String(own.json.clientSecret), 'complete')
    await rowWithStatus(world, email, 'active')
    await world.settled()
    expect(await verified((await world.subscribe(email, card)).json.token)).toBe(email)
    expect(await chargesOf(world, email)).toHaveLength(1)
  })

  test('129. A good card pays while 3-D Secure is open → it has the account, and the other is not charged', async () => {
    const email = freshEmail()
    const first = await world.subscribe(email, await world.card(asksForAuthentication))
    const paid = await world.subscribe(email, await world.card(paying), 'pro')
    expect(paid.json.status).toBe('active')
    expect(await verified(paid.json.token)).toBe(email)
    await world.settled()
    await world.authenticate(String(first.json.clientSecret), 'complete').catch(() => undefined)
    await world.settled()
    expect(await rowWithStatus(world, email, 'active')).toMatchObject({ plan: 'pro' })
    expect(await chargesOf(world, email)).toMatchObject([{ amount: centsOf('pro'), refunded: false }])
    expect(await liveOf(email)).toHaveLength(1)
    await expectOneCard(email, '4242')
  })

  test('129. Both are paid before any event → the first that is seen stays, the other is given back and ends', async () => {
    const email = freshEmail()
    await world.holdWebhooks()
    const cards = [await world.card(asksForAuthentication), await world.card(others[0]!)]
    const attempts = [await world.subscribe(email, cards[0]!), await world.subscribe(email, cards[1]!)]
    for (const { json } of attempts) await world.authenticate(String(json.clientSecret), 'complete')
    expect(await chargesOf(world, email)).toHaveLength(2)
    await world.sendWebhooks()
    await world.settled()
    const row = await rowWithStatus(world, email, 'active')
    expect((await liveOf(email)).map(({ id }) => id)).toEqual([row.stripe_subscription_id])
    expect(await net(email)).toBe(centsOf('growth'))
    expect(await world.sql('select id from public.webhook_events where handled_at is null')).toEqual([])
  })

  test('129. Paid beside an attempt that fails meanwhile, and no event has told of it → not paid once more', async () => {
    const email = freshEmail()
    const foreign = await world.subscribe(email, await world.card(others[0]!))
    const card = await world.card(asksForAuthentication)
    const own = await world.subscribe(email, card)
    await world.settled()
    await world.holdWebhooks()
    await world.authenticate(String(own.json.clientSecret), 'complete')
    await world.authenticate(String(foreign.json.clientSecret), 'fail')
    expect((await world.subscribe(email, card)).json.status).toBe('active')
    await world.sendWebhooks()
    await world.settled()
    expect(await chargesOf(world, email)).toMatchObject([{ refunded: false }])
    expect(await liveOf(email)).toHaveLength(1)
  })

  test('129. One person in two tabs, the same card → one subscription', async () => {
    const email = freshEmail()
    await world.subscribe(email, await world.card(asksForAuthentication))
    const again = await world.subscribe(email, await world.card(asksForAuthentication))
    expect(await subscriptionsOf(world, email)).toHaveLength(1)
    await world.authenticate(String(again.json.clientSecret), 'complete')
    await rowWithStatus(world, email, 'active')
    expect(await chargesOf(world, email)).toHaveLength(1)
  })

  test('129. An answer about the payment is lost beside another attempt → the same card gets the account, uncharged', async () => {
    const email = freshEmail()
    await world.subscribe(email, await world.card(asksForAuthentication))
    await world.holdWebhooks()
    const failing = world.afterCall('POST payment_intents', () =>
      world.sql(`update public.checkouts set lease_expires_at = now() where email = $1`, [email]),
    )
    world.afterCall('POST payment_intents', () => world.failNextCall('GET /v1/subscriptions'))
    world.afterCall('POST payment_intents', () => world.failNextCall('GET /v1/subscriptions'))
    world.afterCall('POST payment_intents', () => world.failNextCall('GET /v1/subscriptions'))
    expect((await world.subscribe(email, await world.card(paying))).status).toBe(502)
    failing()
    const again = await world.subscribe(email, await world.card(paying))
    expect(again.json.status).toBe('active')
    expect(await verified(again.json.token)).toBe(email)
    await world.sendWebhooks()
    await world.settled()
    expect(await chargesOf(world, email)).toHaveLength(1)
    expect(await liveOf(email)).toHaveLength(1)
  })
})

describe('what nobody paid', () => {
  const remove = async () => {
    await world.hasten('unpaid customers')
    await world.work('unpaid checkouts', 'unpaid customers')
  }
  const age = (email: string) =>
    world.sql(`update public.checkouts set updated_at = updated_at - interval '3 days' where email = $1`, [
      email,
    ])
  const left = async (email: string) => ({
    users: (await world.sql('select from auth.users where email = $1', [email])).length,
    checkouts: (await world.sql('select from public.checkouts where email = $1', [email])).length,
    customers: (await customersOf(world, email)).length,
  })
  const all = { users: 1, checkouts: 1, customers: 1 }
  const nothing = { users: 0, checkouts: 0, customers: 0 }

  test('65. The user, the checkout and the Stripe customer of an unpaid attempt go after two days', async () => {
    const emails = [freshEmail(), freshEmail(), freshEmail(), freshEmail()]
    const cards = [declinedAtCharge, '4000000000000002', asksForAuthentication]
    for (const [nth, number] of cards.entries()) {
      await world.subscribe(emails[nth] ?? '', await world.card(number))
    }
    await world.subscribe(emails[3] ?? '', 'pm_unknown')
    await world.settled()
    await remove()
    for (const email of emails) expect(await left(email)).toEqual(all)
    await world.advanceClock(3)
    await world.settled()
    for (const email of emails) await age(email)
    await remove()
    for (const email of emails) expect(await left(email)).toEqual(nothing)
    expect((await world.subscribe(emails[0] ?? '', await world.card(paying))).json.status).toBe('active')
  })

  test('65. An attempt that died before it had a subscription leaves nothing, nor does a customer that could not be deleted at once', async () => {
    const email = freshEmail()
    // No subscription was made, so none expires, which would remove the user.
    for (let nth = 0; nth < 3; nth++) await world.failNextCall('POST /v1/subscriptions')
    expect((await world.subscribe(email, await world.card(paying))).status).toBe(502)
    await world.sql('update public.checkouts set stripe_customer_id = null where email = $1', [email])
    expect(await left(email)).toEqual(all)
    await age(email)
    await world.failNextCall('DELETE /v1/customers')
    await world.failNextCall('DELETE /v1/customers')
    await world.failNextCall('DELETE /v1/customers')
    await remove()
    expect(await left(email)).toEqual({ ...nothing, customers: 1 })
    await remove()
    expect(await left(email)).toEqual(nothing)
  })

  test('65. Nothing of a payer goes, and nothing that can still be paid', async () => {
    const [paid, unseen, open, begun] = [freshEmail(), freshEmail(), freshEmail(), freshEmail()]
    await world.subscribe(paid, await world.card(paying))
    await rowWithStatus(world, paid, 'active')
    await world.holdWebhooks()
    await world.subscribe(unseen, await world.card(paying))
    await world.sql(`update public.checkouts set state = 'open' where email = $1`, [unseen])
    const { json } = await world.subscribe(open, await world.card(asksForAuthentication))
    await world.holdPayment(String(json.clientSecret))
    await world.subscribe(begun, await world.card(declinedAtCharge))
    await world.sql(
      `update public.checkouts set lease = gen_random_uuid(), lease_expires_at = now() + interval '1 minute'
       where email = $1`,
      [begun],
    )
    for (const email of [paid, unseen, open, begun]) await age(email)
    await remove()
    for (const email of [paid, unseen, open, begun]) expect(await left(email)).toEqual(all)
    await world.sendWebhooks()
    await world.authenticate(String(json.clientSecret), 'complete')
    await rowWithStatus(world, unseen, 'active')
    await rowWithStatus(world, open, 'active')
  })

  test('155. An attempt beside a payer that cannot be removed does not keep the others', async () => {
    const [payer, unpaid] = [freshEmail(), freshEmail()]
    await world.subscribe(payer, await world.card(paying))
    await rowWithStatus(world, payer, 'active')
    await world.sql(
      `insert into public.checkouts (email, plan, is_parallel, state, stripe_customer_id, updated_at)
       values ($1, 'growth', true, 'requires_action', 'cus_of_another_mode', now() - interval '9 days')`,
      [payer],
    )
    await world.subscribe(unpaid, await world.card(declinedAtCharge))
    await world.advanceClock(3)
    await world.settled()
    await age(unpaid)
    await remove()
    expect(await left(unpaid)).toEqual(nothing)
  })

  test('65. A checkout that begins at that moment waits, then begins anew', async () => {
    const email = freshEmail()
    await world.subscribe(email, await world.card(declinedAtCharge))
    await world.advanceClock(3)
    await world.settled()
    await age(email)
    const card = await world.card(paying)
    let meanwhile: number | undefined
    world.afterCall('GET charges', async () => {
      meanwhile = (await world.subscribe(email, card)).status
    })
    await remove()
    expect(meanwhile).toBe(409)
    expect((await world.subscribe(email, card)).json.status).toBe('active')
    await rowWithStatus(world, email, 'active')
    expect(await chargesOf(world, email)).toHaveLength(1)
  })

  test('65. A later attempt that fails leaves a paid checkout paid', async () => {
    const email = freshEmail()
    await world.subscribe(email, await world.card(paying))
    await rowWithStatus(world, email, 'active')
    await world.settled()
    for (let nth = 0; nth < 3; nth++) await world.failNextCall('GET /v1/subscriptions')
    expect((await world.subscribe(email, await world.card(paying))).status).toBe(502)
    expect(await world.sql('select state from public.checkouts where email = $1', [email])).toEqual([
      { state: 'paid' },
    ])
  })

  test('65. Paid while it was being looked at → the checkout and the Stripe customer stay', async () => {
    const email = freshEmail()
    await world.subscribe(email, await world.card(declinedAtCharge))
    await world.advanceClock(3)
    await world.settled()
    await age(email)
    world.afterCall('GET charges', () =>
      world.sql(`update public.checkouts set state = 'paid' where email = $1`, [email]),
    )
    await remove()
    expect(await left(email)).toEqual({ ...all, users: 0 })
  })
})

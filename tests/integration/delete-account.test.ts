import { randomUUID } from 'node:crypto'
import type { SupabaseClient } from '@supabase/supabase-js'
import { describe, expect, test } from 'vitest'
import { services } from '#platform/server/services.ts'
import { minutePackage, priceAmount } from '#plans/domain/plans.ts'
import { emptyCall } from '../support/payloads.ts'
import { signedIn, signedInAdmin } from '../support/admin.ts'
import { madeBooking } from '../support/bookings.ts'
import { captureLog } from '../support/log.ts'
import {
  cards,
  chargesOf,
  customersOf,
  freshEmail,
  rowWithStatus,
  subscriptionsOf,
} from '../support/money.ts'
import { subscriber } from '../support/plan-change.ts'
import { centsOf, minutesOf, planName, priceText } from '../support/plan-facts.ts'
import { useWorld, type Answer } from '../support/world.ts'

const world = useWorld()

const paying = '4242424242424242'
const samples = (client: SupabaseClient) => client.storage.from('voice-samples')

interface Customer {
  id: string
  email: string
  token: string
  client: SupabaseClient
  customer: string
  subscription: string
}

/** Returns a customer who has paid, uploaded a sample, chosen a template and used a minute. */
async function customer(email = freshEmail()): Promise<Customer> {
  const { json } = await world.subscribe(email, await world.card(paying))
  const client = world.client()
  const { data } = await client.auth.verifyOtp({ token_hash: String(json.token), type: 'signup' })
  const row = await rowWithStatus(world, email, 'active')
  await world.settled()
  const path = `${row.user_id}/sample.wav`
  const sample = new Blob(['RIFF'], { type: 'audio/wav' })
  expect((await samples(client).upload(path, sample)).error).toBeNull()
  await world
    .admin()
    .rpc('record_voice_sample_check', {
      p_user_id: row.user_id,
      p_path: path,
      p_is_audio: true,
      p_consent_version: '2026-11',
    })
    .throwOnError()
  await client
    .from('agent_settings')
    .upsert({ user_id: row.user_id, voice_sample_path: path, industry_template: 'retail' })
    .throwOnError()
  await world
    .admin()
    .rpc('report_call', {
      p: {
        ...emptyCall,
        user_id: row.user_id,
        call_id: row.user_id,
        kind: 'call',
        direction: 'inbound',
        started_at: new Date().toISOString(),
        seconds: 60,
      },
    })
    .throwOnError()
  await madeBooking(world, { id: row.user_id }, 'booked')
  await client.rpc('create_api_key', { p_kind: 'api', p_name: 'Front desk' }).throwOnError()
  await client
    .rpc('create_webhook', { p_url: 'https://example.com/', p_events: ['call.ended'] })
    .throwOnError()
  await client.rpc('connect_calendar', { p_url: 'https://example.com/my.ics' }).throwOnError()
  await world.sql(
    `insert into private.busy_times select id, '[2026-12-01,2026-12-02)' from public.calendars where user_id = $1`,
    [row.user_id],
  )
  await world.sql(
    `insert into public.usage_alerts (user_id, period_start, minutes_limit, percent) values ($1, now(), ${minutesOf('growth')}, 50)`,
    [row.user_id],
  )
  const token = data.session?.access_token ?? ''
  return {
    id: row.user_id,
    email,
    token,
    client,
    customer: row.stripe_customer_id,
    subscription: row.stripe_subscription_id,
  }
}

const findings = () =>
  world.sql('select kind, subject from public.payment_findings where resolved_at is null')
const ask = ({ token }: { token: string }, email: string): Promise<Answer> =>
  world.post('delete-account', { email }, { authorization: `Bearer ${token}` })

/** Returns the tables and the bucket that still contain data of an account. */
async function traces({ id, email }: { id: string; email: string }): Promise<string[]> {
  const found = await world.sql<{ place: string }>(
    `select 'auth.users' as place from auth.users where id = $1 or email = $2
     union select 'users' from public.users where id = $1 or email = $2
     union select 'user_subscriptions' from public.user_subscriptions where user_id = $1
     union select 'agent_settings' from public.agent_settings where user_id = $1
     union select 'bookings' from public.bookings where user_id = $1
     union select 'api_keys' from public.api_keys where user_id = $1
     union select 'calendars' from public.calendars where user_id = $1
     union select 'webhook_endpoints' from public.webhook_endpoints where user_id = $1
     union select 'calls' from public.calls where user_id = $1
     union select 'minute_ledger' from public.minute_ledger where user_id = $1
     union select 'checkouts' from public.checkouts where user_id = $1 or email = $2
     union select 'usage_alerts' from public.usage_alerts where user_id = $1
     union select 'voice_sample_checks' from public.voice_sample_checks where user_id = $1
     union select 'auth.sessions' from auth.sessions where user_id = $1`,
    [id, email],
  )
  const files = (await samples(world.admin()).list(id)).data ?? []
  return [...found.map(({ place }) => place), ...files.map(({ name }) => name)].toSorted()
}
const everywhere = [
  'agent_settings',
  'api_keys',
  'auth.sessions',
  'auth.users',
  'bookings',
  'calendars',
  'calls',
  'checkouts',
  'minute_ledger',
  'sample.wav',
  'usage_alerts',
  'user_subscriptions',
  'users',
  'voice_sample_checks',
  'webhook_endpoints',
]

const statuses = async (email: string) => (await subscriptionsOf(world, email)).map(({ status }) => status)

describe('a customer who deletes the account', () => {
  test('ends the subscription, leaves no data, gets a mail, and is not created again', async () => {
    const person = await customer()
    expect(await traces(person)).toEqual(everywhere)
    await world.holdWebhooks()
    await world.countCallsToStripe()
    const answer = await ask(person, person.email.toUpperCase())
    expect([answer.status, answer.json]).toEqual([200, { deleted: true }])
    expect(world.callsToStripe()).toEqual([
      `GET customers/${person.customer}`,
      'GET subscriptions',
      `DELETE subscriptions/${person.subscription}`,
      'GET invoiceitems',
    ])
    await world.sendWebhooks()
    expect(await traces(person)).toEqual([])
    expect(await statuses(person.email)).toEqual(['canceled'])
    expect(await chargesOf(world, person.email)).toHaveLength(1)
    const mails = world.mails().filter(({ to, subject }) => to === person.email && /deleted/.test(subject))
    expect(mails).toHaveLength(1)
    const ended = `Your ${planName('growth')} plan (${priceText('growth')} a month) has ended`
    expect(mails[0]?.text).toMatch(new RegExp(`${RegExp.escape(ended)}[^]*Nothing more will be charged`))

    expect((await ask(person, person.email)).status).toBe(401)
    expect((await person.client.from('user_subscriptions').select('user_id')).data).toEqual([])
    expect(
      (await samples(person.client).upload(`${person.id}/again.wav`, new Blob(['RIFF']))).error,
    ).not.toBeNull()
    await world.settled()
    const [left] = await world.sql<{ handled: boolean; error: string | null }>(
      `select bool_and(handled_at is not null) as handled, max(error) as error
       from public.webhook_events where stripe_subscription_id = $1`,
      [person.subscription],
    )
    expect(left).toEqual({ handled: true, error: null })
    expect(await traces(person)).toEqual([])
  })

  test('is not reported as a payment without an account, and a late read of the subscription restores nothing', async () => {
    const person = await customer()
    const admin = await signedInAdmin(world)
    const { data: paid } = await world.stripe.events.list({ type: 'invoice.paid', limit: 100 })
    const event = paid.find(({ data }) => JSON.stringify(data.object).includes(person.subscription))
    const replay = () =>
      world.post('replay-webhook-event', { eventId: event?.id }, { authorization: `Bearer ${admin.token}` })

    // The subscription is read while it is active, and written after the account is deleted.
    const unread = world.afterCall(`GET subscriptions/${person.subscription}`, async () => {
      expect((await ask(person, person.email)).status).toBe(200)
    })
    const late = await replay()
    unread()
    expect([late.status, late.text]).toEqual([502, expect.stringContaining('account_missing')])
    expect((await replay()).json).toEqual({ outcome: 'unknown_customer' })
    expect(await traces(person)).toEqual([])

    const mailsBefore = world.mails().length
    await world.work('reconciliation')
    expect(await findings()).toEqual([])
    expect(world.mails()).toHaveLength(mailsBefore)
    expect(await traces(person)).toEqual([])
  })

  test('is not reported by a reconciliation that is already running, either', async () => {
    const person = await customer()
    const mailsBefore = world.mails().filter(({ subject }) => /your attention/.test(subject)).length
    const unread = world.afterCall('GET subscriptions', async () => {
      expect((await ask(person, person.email)).status).toBe(200)
    })
    await world.work('reconciliation')
    unread()
    expect(await findings()).toEqual([])
    expect(world.mails().filter(({ subject }) => /your attention/.test(subject))).toHaveLength(mailsBefore)
    expect(await traces(person)).toEqual([])
  })

  test('148. pays for the packages that no invoice has charged, also those on an upgrade that waits for its payment', async () => {
    const person = await subscriber(world, 'growth', paying)
    const { customer: payer } = await world.stripe.subscriptions.retrieve(person.subscription)
    const payWith = async (number: string): Promise<void> => {
      const card = await world.card(number)
      await world.stripe.paymentMethods.attach(card, { customer: String(payer) })
      await world.stripe.customers.update(String(payer), {
        invoice_settings: { default_payment_method: card },
      })
    }
    for (let nth = 0; nth < 2; nth++)
      expect((await person.post('buy-package', { request: randomUUID() })).status).toBe(200)
    await payWith(cards.asksForAuthentication)
    expect((await person.confirm(await person.preview('pro'))).json).toMatchObject({
      status: 'requires_action',
    })
    await payWith(paying)
    const { data: minutes } = await person.client.rpc('my_minutes').throwOnError()
    expect(minutes).toMatchObject({ waiting_cents: 2 * minutePackage.cents })
    expect((await person.post('delete-account', { email: person.email })).status).toBe(200)
    await world.settled()
    await world.advanceClock(1)
    const { data: invoices } = await world.stripe.invoices.list({ customer: String(payer), limit: 100 })
    expect(invoices.map(({ status, total }) => [status, total])).toEqual([
      ['paid', 2 * minutePackage.cents],
      ['void', expect.any(Number)],
      ['paid', centsOf('growth')],
    ])
    const items = await world.stripe.invoiceItems.list({ customer: String(payer), pending: true })
    expect(items.data).toEqual([])
    const mail = world.mails().find(({ to, subject }) => to === person.email && /deleted/.test(subject))
    expect(mail?.text).toContain(`Your ${planName('growth')} plan (${priceText('growth')} a month) has ended`)
    expect(mail?.text).toContain(
      `A last invoice of ${priceAmount(2 * minutePackage.cents)} is for the packages`,
    )
  })

  test('can buy again with the same e-mail', async () => {
    const email = freshEmail()
    await ask(await customer(email), email)
    const again = await customer(email)
    expect((await statuses(email)).toSorted()).toEqual(['active', 'canceled'])
    expect(await traces(again)).toEqual(everywhere)
  })

  test('may have a subscription that has ended, or never have had one', async () => {
    const person = await customer()
    await world.stripe.subscriptions.cancel(person.subscription)
    await rowWithStatus(world, person.email, 'canceled')
    expect((await ask(person, person.email)).status).toBe(200)
    expect(await traces(person)).toEqual([])

    const email = freshEmail()
    const stranger = { ...(await signedIn(world, email)), email }
    await world.countCallsToStripe()
    expect((await ask(stranger, email)).status).toBe(200)
    expect(world.callsToStripe()).toEqual([])
    expect(await traces(stranger)).toEqual([])
  })

  test('152. The Stripe customers of an account that never paid are deleted, and that of a payer stays', async () => {
    const payer = await customer()
    const remove = () => world.work('unpaid checkouts', 'unpaid customers')
    for (const unrecorded of [false, true]) {
      const email = freshEmail()
      const { json } = await world.subscribe(email, await world.card(cards.asksForAuthentication))
      const { data } = await world.client().auth.verifyOtp({ token_hash: String(json.token), type: 'signup' })
      if (unrecorded)
        await world.sql('update public.checkouts set stripe_customer_id = null where email = $1', [email])
      expect(await customersOf(world, email)).toHaveLength(1)
      // The end of the subscription would remove the account first.
      await world.holdWebhooks()
      expect((await ask({ token: data.session?.access_token ?? '' }, email)).status).toBe(200)
      await world.sendWebhooks()
      await remove()
      expect(await customersOf(world, email)).toEqual([])
    }
    expect((await ask(payer, payer.email)).status).toBe(200)
    await remove()
    expect(await customersOf(world, payer.email)).toMatchObject([{ id: payer.customer }])
    expect(await world.sql(`select from private.jobs where kind = 'unpaid customers'`)).toEqual([])
  })

  test('272. is told so later if the mail cannot be sent, and what is still uploaded is removed', async () => {
    const person = await customer()
    const { env } = services()
    const key = env.MAIL_API_KEY
    env.MAIL_API_KEY = 're_wrong'
    const log = captureLog()
    expect((await ask(person, person.email)).status).toBe(200)
    env.MAIL_API_KEY = key
    expect(log.notices()).toMatchObject([{ event: 'deletion mails', code: 'mail invalid_api_key' }])
    const late = new Blob(['RIFF'], { type: 'audio/wav' })
    expect((await samples(world.admin()).upload(`${person.id}/late.wav`, late)).error).toBeNull()
    for (const kind of ['deletion mails', 'voice samples']) {
      await world.hasten(kind)
      await world.work(kind)
    }
    expect(
      world.mails().filter(({ to, subject }) => to === person.email && /deleted/.test(subject)),
    ).toHaveLength(1)
    expect(await traces(person)).toEqual([])
  })

  test('may have been deleted at Stripe', async () => {
    const person = await customer()
    await world.stripe.customers.del(person.customer)
    await rowWithStatus(world, person.email, 'canceled')
    expect((await ask(person, person.email)).status).toBe(200)
    expect(await traces(person)).toEqual([])
  })

  test('deletes every recording', async () => {
    const person = await customer()
    // More files than the storage lists at once.
    for (let nth = 0; nth < 101; nth++) {
      const recording = new Blob(['RIFF'], { type: 'audio/wav' })
      expect((await samples(world.admin()).upload(`${person.id}/${nth}.wav`, recording)).error).toBeNull()
    }
    expect((await ask(person, person.email)).status).toBe(200)
    expect(await traces(person)).toEqual([])
  })

  test('does not affect another account that once paid with the same e-mail', async () => {
    const email = freshEmail()
    const first = await customer(email)
    await world.admin().auth.admin.updateUserById(first.id, { email: freshEmail(), email_confirm: true })
    const second = { ...(await signedIn(world, email)), email }
    expect((await ask(second, email)).status).toBe(200)
    expect(await statuses(email)).toEqual(['active'])
    expect(await traces(first)).toEqual(everywhere)
  })

  test('twice at the same time deletes once', async () => {
    const person = await customer()
    const answers = await Promise.all([ask(person, person.email), ask(person, person.email)])
    for (const { status } of answers) expect([200, 401]).toContain(status)
    expect(await traces(person)).toEqual([])
    expect(
      world.mails().filter(({ to, subject }) => to === person.email && /deleted/.test(subject)),
    ).toHaveLength(1)
  })

  test('may have a subscription that ends by itself meanwhile', async () => {
    const person = await customer()
    const unread = world.beforeCall('DELETE subscriptions/', () =>
      world.stripe.subscriptions.cancel(person.subscription),
    )
    expect((await ask(person, person.email)).status).toBe(200)
    unread()
    expect(await traces(person)).toEqual([])
  })
})

describe('an account is not deleted:', () => {
  const untouched = async (person: Customer): Promise<void> => {
    expect(await traces(person)).toEqual(everywhere)
    expect(await statuses(person.email)).toEqual(['active'])
  }

  test('another e-mail, none, no token: refused before Stripe is asked', async () => {
    const person = await customer()
    const other = await customer()
    await world.countCallsToStripe()
    expect(await ask(person, other.email)).toMatchObject({
      status: 400,
      json: { error: { message: 'This is not the email address of your account.' } },
    })
    expect((await ask(person, '')).status).toBe(400)
    expect((await ask({ token: 'garbage' }, person.email)).status).toBe(401)
    expect((await world.post('delete-account', { email: person.email })).status).toBe(401)
    expect(world.callsToStripe()).toEqual([])
    await untouched(person)
    await untouched(other)
  })

  test('a blocked customer, so that the block stays', async () => {
    const person = await customer()
    await world.sql(`update public.user_subscriptions set admin_status = 'blocked' where user_id = $1`, [
      person.id,
    ])
    await world.countCallsToStripe()
    const answer = await ask(person, person.email)
    expect([answer.status, answer.json.error]).toMatchObject([403, { code: 'forbidden' }])
    expect(world.callsToStripe()).toEqual([])
    await untouched(person)
  })

  test('a customer who is blocked while the subscription is being ended', async () => {
    const person = await customer()
    const unread = world.beforeCall('DELETE subscriptions/', () =>
      world.sql(`update public.user_subscriptions set admin_status = 'blocked' where user_id = $1`, [
        person.id,
      ]),
    )
    expect((await ask(person, person.email)).status).toBe(403)
    unread()
    expect(await traces(person)).toEqual(everywhere.filter((place) => place !== 'sample.wav'))
    const { data } = await person.client.from('agent_settings').select('voice_sample_path, industry_template')
    expect(data).toEqual([{ voice_sample_path: null, industry_template: 'retail' }])
  })

  test('the admin', async () => {
    const email = freshEmail()
    const admin = { ...(await signedIn(world, email)), email }
    await world.sql('select public.make_admin($1, false)', [admin.id])
    expect((await ask(admin, email)).status).toBe(403)
    expect(await traces(admin)).toContain('auth.users')
  })

  test('while a checkout is running', async () => {
    const person = await customer()
    await world.sql(
      `update public.checkouts set lease = gen_random_uuid(), lease_expires_at = now() + interval '1 minute'
       where email = $1`,
      [person.email],
    )
    expect((await ask(person, person.email)).status).toBe(409)
    await untouched(person)
  })

  test('157. while a purchase came in between: the next try ends it too', async () => {
    const person = await customer()
    const unread = world.beforeCall('DELETE subscriptions/', async () => {
      await world.stripe.subscriptions.cancel(person.subscription)
      await world.settled()
      const body = { email: person.email, planId: 'growth', paymentMethodId: await world.card(paying) }
      const bought = await world.post('create-stripe-subscription', body, {
        authorization: `Bearer ${person.token}`,
      })
      expect(bought.status).toBe(200)
    })
    expect((await ask(person, person.email)).json.error).toMatchObject({ code: 'checkout_in_progress' })
    unread()
    expect(await traces(person)).toContain('user_subscriptions')
    expect((await statuses(person.email)).toSorted()).toEqual(['active', 'canceled'])

    expect((await ask(person, person.email)).status).toBe(200)
    expect(await statuses(person.email)).toEqual(['canceled', 'canceled'])
    expect(await traces(person)).toEqual([])
  })

  test('while Stripe does not answer: nothing is lost, and a retry succeeds', async () => {
    const log = captureLog()
    const person = await customer()
    // As often as the SDK tries.
    for (let nth = 0; nth < 3; nth++)
      await world.failNextCall(`DELETE /v1/subscriptions/${person.subscription}`)
    const failed = await ask(person, person.email)
    expect([failed.status, failed.json.error]).toMatchObject([502, { code: 'provider_unavailable' }])
    await untouched(person)
    expect(log.text()).not.toContain(person.email)

    expect((await ask(person, person.email)).status).toBe(200)
    expect(await traces(person)).toEqual([])
  })

  test('if Stripe does not know the customer: the key may be of another account', async () => {
    captureLog()
    const person = await customer()
    await world.sql(
      `update public.user_subscriptions set stripe_customer_id = 'cus_of_another' where user_id = $1`,
      [person.id],
    )
    expect((await ask(person, person.email)).status).toBe(502)
    expect(await traces(person)).toEqual(everywhere)
  })

  test('if Stripe refuses to end the subscription', async () => {
    captureLog()
    const person = await customer()
    await world.failNextCall(`DELETE /v1/subscriptions/${person.subscription}`, 400)
    expect((await ask(person, person.email)).status).toBe(502)
    await untouched(person)
  })
})

import { expect, test, vi } from 'vitest'
import { signedIn, signedInAdmin } from '../../support/admin.ts'
import {
  cards,
  freshEmail,
  isEntitled,
  rowWithStatus,
  subscriptionRow,
  subscriptionsOf,
} from '../../support/money.ts'
import { centsOf, stripeCurrency } from '../../support/plan-facts.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
const { paying } = cards

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

async function paid(): Promise<{ email: string; subscription: string }> {
  const email = freshEmail()
  await world.subscribe(email, await world.card(paying))
  const { stripe_subscription_id: subscription } = await rowWithStatus(world, email, 'active')
  await world.settled()
  return { email, subscription }
}

test('only the admin sees every event with payer, amount, outcome, error and attempts', async () => {
  const { email, subscription } = await paid()
  const { client } = await signedInAdmin(world)
  const { data } = await client
    .from('payment_events')
    .select('type, email, amount, currency, outcome, error, attempts, handled_at')
    .eq('stripe_subscription_id', subscription)
    .eq('type', 'invoice.paid')
  expect(data).toMatchObject([
    {
      email,
      amount: centsOf('growth'),
      currency: stripeCurrency,
      outcome: expect.any(String),
      error: null,
      attempts: 1,
    },
  ])
  const { client: customer } = await signedIn(world)
  for (const table of ['webhook_events', 'payment_events']) {
    expect((await customer.from(table).select('id')).data).toEqual([])
    expect((await world.client().from(table).select('id')).error?.code).toBe('42501')
  }
})

test('Replay reads the event again, stores its subscription, and counts the attempt', async () => {
  const { email, subscription } = await paid()
  const [event] = await world.sql<{ id: string; attempts: number }>(
    `select id, attempts from public.webhook_events
     where stripe_subscription_id = $1 and type = 'customer.subscription.updated'`,
    [subscription],
  )
  await world.sql(
    `update public.user_subscriptions set billing_status = 'incomplete' where stripe_subscription_id = $1`,
    [subscription],
  )
  expect(await isEntitled(world, email)).toBe(false)
  const { token } = await signedInAdmin(world)
  const replayed = await world.post('replay-webhook-event', { eventId: event?.id }, bearer(token))
  expect(replayed.json).toEqual({ outcome: 'synced' })
  expect(await isEntitled(world, email)).toBe(true)
  const [after] = await world.sql('select attempts from public.webhook_events where id = $1', [event?.id])
  expect(after).toEqual({ attempts: (event?.attempts ?? 0) + 1 })

  const unknown = await world.post('replay-webhook-event', { eventId: 'evt_unknown' }, bearer(token))
  expect(unknown.status).toBe(404)
})

test.each([
  ['replay-webhook-event', { eventId: 'evt_1' }],
  ['resend-payment-link', { checkoutId: crypto.randomUUID() }],
] as const)('%s is only for those who are admins in the database at this moment', async (name, body) => {
  await world.countCallsToStripe()
  expect((await world.post(name, body)).status).toBe(401)
  expect([401, 403]).toContain((await world.post(name, body, bearer('garbage'))).status)
  const { token, client } = await signedIn(world)
  expect((await world.post(name, body, bearer(token))).status).toBe(403)
  await client.auth.updateUser({ data: { role: 'admin', is_admin: true } })
  expect((await world.post(name, body, bearer(token))).status).toBe(403)
  const admin = await signedInAdmin(world)
  await world.sql('delete from private.admins where user_id = $1', [admin.id])
  expect((await world.post(name, body, bearer(admin.token))).status).toBe(403)
  expect(world.callsToStripe()).toEqual([])
})

test('payments whose link is unused are in the admin’s queue, and the link can be mailed again', async () => {
  const { email } = await paid()
  const admin = await signedInAdmin(world)
  const queue = async () =>
    ((await admin.client.rpc('unclaimed_payments')).data as { email: string; checkout_id: string }[]).filter(
      (one) => one.email === email,
    )
  const [entry] = await queue()
  expect(entry).toMatchObject({ plan: 'growth', link_mailed: true })
  const { client: customer } = await signedIn(world)
  expect((await customer.rpc('unclaimed_payments')).data).toEqual([])

  const before = world.mails().filter(({ to }) => to === email).length
  const resent = await world.post(
    'resend-payment-link',
    { checkoutId: entry?.checkout_id },
    bearer(admin.token),
  )
  expect(resent.json).toEqual({ mailed: true })
  const [mail, ...earlier] = world.mails().filter(({ to }) => to === email)
  expect(earlier).toHaveLength(before)
  const token = new URL(mail?.links[0] ?? '').searchParams.get('token') ?? ''
  expect((await world.client().auth.verifyOtp({ token_hash: token, type: 'recovery' })).error).toBeNull()
  expect(await queue()).toEqual([])
})

test('the reconciliation stores what no event brought, mails the link, and reports the rest', async () => {
  await world.holdWebhooks()
  const missed = freshEmail()
  await world.subscribe(missed, await world.card(paying))
  const orphaned = freshEmail()
  await world.subscribe(orphaned, await world.card(paying))
  const [orphan] = await subscriptionsOf(world, orphaned)
  await world.sql('delete from auth.users where email = $1', [orphaned])
  const { id: idle } = await signedIn(world)
  await world.sql(`update public.users set created_at = now() - interval '2 hours' where id = $1`, [idle])

  await world.work('reconciliation', 'account links')
  expect(await subscriptionRow(world, missed)).toMatchObject({ status: 'active' })
  expect(world.mails().filter(({ to }) => to === missed)).toHaveLength(1)

  const { client } = await signedInAdmin(world)
  const findings = async () =>
    (await client.from('payment_findings').select('kind, subject').is('resolved_at', null)).data
  expect(await findings()).toEqual(
    expect.arrayContaining([
      { kind: 'payment_without_account', subject: orphan?.id },
      { kind: 'account_without_subscription', subject: idle },
    ]),
  )
  const reports = () => world.mails().filter(({ to }) => to === process.env.PUBLIC_ADMIN_EMAIL)
  expect(reports()[0]?.text).toContain(orphan?.id)
  expect(reports()[0]?.text).not.toContain('@')
  const told = reports().length

  await world.work('reconciliation')
  expect(reports(), 'nothing new, nothing mailed').toHaveLength(told)
  await world.sql('delete from auth.users where id = $1', [idle])
  await world.work('reconciliation')
  expect(await findings()).not.toContainEqual({ kind: 'account_without_subscription', subject: idle })
  await world.sendWebhooks()
})

test('54. A reconciliation goes on with the page after which the last one ran out of time, then begins anew', async () => {
  const { email, subscription } = await paid()
  // No event has told of this payment, and younger subscriptions fill the first page.
  await world.sql('delete from public.user_subscriptions where stripe_subscription_id = $1', [subscription])
  await world.holdWebhooks()
  const { id: customer } = await world.stripe.customers.create({ email: freshEmail() })
  const items = [{ price: 'price_local_growth' }]
  for (let nth = 0; nth < 100; nth++) {
    await world.stripe.subscriptions.create({ customer, items, payment_behavior: 'default_incomplete' })
  }
  const runForOnePage = async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    world.afterCall('GET subscriptions', () => {
      vi.setSystemTime(Date.now() + 240_000)
      return Promise.resolve()
    })
    await world.work('reconciliation')
    vi.useRealTimers()
  }
  await runForOnePage()
  expect(await subscriptionRow(world, email)).toBeUndefined()
  await runForOnePage()
  expect(await subscriptionRow(world, email)).toMatchObject({ stripe_subscription_id: subscription })
  expect(await world.sql('select after_subscription from private.reconciliation')).toEqual([
    { after_subscription: null },
  ])
  await world.sendWebhooks()
  await world.settled()
})

import { randomUUID } from 'node:crypto'
import { afterEach, expect, test, vi } from 'vitest'
import { local } from '../../local/environment.ts'
import { minutePackage } from '#plans/domain/plans.ts'
import { captureLog } from '../support/log.ts'
import { cards, freshEmail } from '../support/money.ts'
import { invoicesOf, subscriber, type Subscriber } from '../support/plan-change.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()
afterEach(async () => {
  vi.useRealTimers()
  await world.sendWebhooks()
})

const alarms = () =>
  world.mails().filter(({ subject }) => subject.endsWith('Stripe’s events are not arriving'))
const later = (hours: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hours * 3600_000 })

test('110. Stripe’s events do not arrive for hours → the admin gets one mail, and another for the next silence', async () => {
  const buy = async () => world.subscribe(freshEmail(), await world.card(cards.paying))
  await buy()
  await world.settled()
  later(4)
  await world.work('webhook silence')
  expect(alarms(), 'Stripe had nothing that did not arrive').toHaveLength(0)
  vi.useRealTimers()

  await world.sql(`update public.webhook_events set received_at = received_at - interval '1 minute'`)
  await world.holdWebhooks()
  await buy()
  await world.work('webhook silence')
  expect(alarms(), 'the event is not three hours old').toHaveLength(0)
  later(4)
  await world.work('webhook silence')
  await world.work('webhook silence')
  expect(alarms()).toHaveLength(1)
  expect(alarms()[0]).toMatchObject({ to: local.adminEmail, text: expect.stringContaining('3 hours old') })
  vi.useRealTimers()

  await world.sendWebhooks()
  await world.settled()
  await world.sql(`update private.webhook_alarm set mailed_at = now() - interval '1 day'`)
  await world.sql(`update public.webhook_events set received_at = received_at - interval '1 hour'`)
  later(4)
  await world.work('webhook silence')
  expect(alarms()).toHaveLength(2)
})

test('154. The events of a renewal, of a late payment and of an end are lost → the next run records them', async () => {
  const renewed = await subscriber(world, 'starter', cards.paying)
  const owing = await subscriber(world, 'growth', cards.paying)
  const ended = await subscriber(world, 'growth', cards.paying)
  expect((await ended.post('buy-package', { request: randomUUID() })).status).toBe(200)
  const pass = (...over: Subscriber[]) =>
    world.sql(
      `update public.user_subscriptions set current_period_end = now() - interval '2 hours' where user_id = any ($1)`,
      [over.map(({ user }) => user)],
    )
  const stateOf = async ({ user }: Subscriber) =>
    (
      await world.sql<{ status: string; period_end: string }>(
        `select status, extract(epoch from current_period_end)::integer as period_end
         from public.user_subscriptions where user_id = $1`,
        [user],
      )
    )[0]
  const endOf = async ({ subscription }: Subscriber) =>
    (await world.stripe.subscriptions.retrieve(subscription)).items.data[0]?.current_period_end

  await world.holdWebhooks()
  await world.failRenewal(owing.subscription)
  await world.advanceClock(32)
  await pass(renewed, owing)
  await world.work('doubtful subscriptions')
  expect(await stateOf(renewed)).toEqual({ status: 'active', period_end: await endOf(renewed) })
  expect(await stateOf(owing)).toMatchObject({ status: 'payment_failed' })

  const [owed] = await invoicesOf(world, owing.subscription)
  await world.stripe.invoices.pay(owed?.id ?? '')
  expect((await ended.post('buy-package', { request: randomUUID() })).status).toBe(200)
  await world.stripe.subscriptions.cancel(ended.subscription)
  await pass(ended)
  await world.work('doubtful subscriptions')
  expect(await stateOf(owing)).toMatchObject({ status: 'active' })
  expect(await stateOf(ended)).toMatchObject({ status: 'canceled' })
  const { data: invoices } = await world.stripe.invoices.list({ limit: 1 })
  expect(invoices).toMatchObject([{ billing_reason: 'manual', total: minutePackage.cents }])
})

test('112. Requests with a bad signature → one line in the log each, which says why and nothing else', async () => {
  const log = captureLog()
  const body = JSON.stringify({ id: randomUUID() })
  await world.post('stripe-webhook', body, { 'stripe-signature': 't=1,v1=00' })
  await world.post('stripe-webhook', body)
  await world.post('call-report', body)
  await world.post('vapi-events', body)
  await world.post('ring-vapi', body)
  expect(log.notices()).toMatchObject([
    { level: 'warn', event: 'stripe-webhook', signature: 'wrong' },
    { level: 'warn', event: 'stripe-webhook', signature: 'missing' },
    { level: 'warn', event: 'call-report', signature: 'missing' },
    { level: 'warn', event: 'call-events', signature: 'wrong' },
    { level: 'warn', event: 'ring', signature: 'wrong' },
  ])
})

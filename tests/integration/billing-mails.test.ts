import { randomUUID } from 'node:crypto'
import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import { minutePackage, exactPrice, priceAmount } from '#plans/domain/plans.ts'
import { site } from '#site'
import { local } from '../../local/environment.ts'
import { signedIn, signedInAdmin } from '../support/admin.ts'
import { eventually } from '../support/eventually.ts'
import { cards, rowWithStatus } from '../support/money.ts'
import { subscriber, type Subscriber } from '../support/plan-change.ts'
import { centsOf, minutesOf, planName, priceText } from '../support/plan-facts.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()
const { minutes, cents } = minutePackage

/** Returns the subjects of the mails about the plan, oldest first. */
const subjects = ({ email }: { email: string }): string[] =>
  world
    .mails()
    .filter(({ to, links }) => to === email && links.some((link) => link.includes('/portal/billing')))
    .map(({ subject }) => subject)
    .toReversed()
const lastMail = ({ email }: { email: string }) => world.mails().find(({ to }) => to === email)
const send = () => world.work('graces', 'billing mails')
/** Lets the events and the schedule mail what is new: an event leaves to the schedule what another one has claimed. */
const allTold = async () => {
  await world.settled()
  await send()
}
/** Lets the minute pass for which the mail about an end waits. */
const minutePasses = ({ user }: Subscriber) =>
  world.sql(`update private.jobs set due_at = due_at - interval '1 minute' where key = $1`, [user])

async function deliverAgain(subscription: string): Promise<void> {
  const { data } = await world.stripe.events.list({ limit: 100 })
  const about = data.filter((event: Stripe.Event) => JSON.stringify(event.data).includes(subscription))
  expect(about.length).toBeGreaterThan(3)
  for (const event of about.toReversed()) {
    const payload = JSON.stringify({ ...event, id: `evt_${randomUUID().replaceAll('-', '')}` })
    const signature = world.stripe.webhooks.generateTestHeaderString({
      payload,
      secret: local.stripeWebhookSecret,
    })
    await world.post('stripe-webhook', payload, { 'stripe-signature': signature })
  }
}

test('132. Each change of a plan → one mail, whatever is delivered twice or in the wrong order', async () => {
  const customer = await subscriber(world, 'starter', cards.paying)
  expect(subjects(customer)).toEqual([])
  // An upgrade in the very second of the purchase cannot be told from it.
  await world.advanceClock(1)
  const preview = await customer.preview('growth')
  expect((await customer.confirm(preview)).json).toMatchObject({ status: 'changed' })
  await allTold()
  expect(subjects(customer)).toEqual([`Your plan is now ${planName('growth')}`])
  expect(lastMail(customer)?.text).toContain(`${priceAmount(preview.due)} was charged to your card`)
  expect(lastMail(customer)?.html).toContain('prefers-color-scheme:dark')

  await customer.post('change-next-plan', { plan: 'starter' })
  await allTold()
  await customer.post('change-next-plan', { plan: 'growth' })
  await allTold()
  await customer.post('change-next-plan', { plan: 'starter' })
  await allTold()
  await customer.post('end-subscription', {})
  await allTold()
  await customer.post('resume-subscription', {})
  await allTold()
  const told = subjects(customer).slice(1)
  expect(told.map((subject) => subject.replace(/ on \d.*/, ''))).toEqual([
    `Your plan changes to ${planName('starter')}`,
    `You keep the ${planName('growth')} plan`,
    `Your plan changes to ${planName('starter')}`,
    `Your ${planName('growth')} plan ends`,
    `Your ${planName('growth')} plan continues`,
  ])
  await deliverAgain(customer.subscription)
  await send()
  expect(subjects(customer)).toHaveLength(6)

  await world.advanceClock(32)
  await world.settled()
  expect(await customer.row()).toMatchObject({ plan: 'starter' })
  await customer.post('end-subscription', {})
  await world.settled()
  await world.advanceClock(32)
  await rowWithStatus(world, customer.email, 'canceled')
  await world.settled()
  await send()
  expect(subjects(customer).at(-1)).toMatch(
    new RegExp(`^Your ${RegExp.escape(planName('starter'))} plan ends on`),
  )
  await minutePasses(customer)
  await send()
  await send()
  expect(subjects(customer).slice(6).at(-1)).toBe(`Your ${planName('starter')} plan has ended`)
  expect(subjects(customer)).toHaveLength(8)
})

test('133. Minutes bought at the limit, and the cap → one mail each; the answer is lost → no other', async () => {
  const customer = await subscriber(world, 'starter', cards.paying)
  const use = (used: number) =>
    world.sql(
      `insert into public.minute_ledger (user_id, minutes, reason, provider_event_id, created_at)
       select $1, $2, 'call', $3, s.current_period_start + interval '1 minute'
       from public.user_subscriptions s where s.user_id = $1`,
      [customer.user, used, randomUUID()],
    )
  const ring = () =>
    world
      .admin()
      .rpc('cover_ring', { p_user_id: customer.user, p_minutes: minutes, p_cents: cents })
      .throwOnError()
  await world.sql(`insert into public.call_settings (user_id, limit_policy) values ($1, 'answer')`, [
    customer.user,
  ])
  // The cap is the plan's price.
  const most = Math.floor(centsOf('starter') / cents)
  for (let bought = 1; bought < most; bought++) await customer.post('buy-package', { request: randomUUID() })
  expect(subjects(customer), 'the customer has pressed this button').toEqual([])

  await use(minutesOf('starter') + (most - 1) * minutes)
  await Promise.all([ring(), ring()])
  await world.work('packages')
  const added = `${minutes} minutes were added for ${priceAmount(cents)}`
  expect(subjects(customer)).toEqual([added])
  expect(lastMail(customer)?.text).toContain(
    `packages have cost ${priceAmount(most * cents)} of the ${priceText('starter')}`,
  )

  await use(minutes)
  await ring()
  await ring()
  await send()
  const capped = 'Your minutes are used up, and so is your spending limit for packages'
  expect(subjects(customer)).toEqual([added, capped])
  expect(lastMail(customer)?.text).toContain('takes messages from now on')

  // The answer of the mail service was lost: it is sent, and nobody has written that down.
  await world.sql(
    `update private.billing_told t set told = t.told || '{"is_capped": false}', version = t.version - 1
     where t.user_id = $1`,
    [customer.user],
  )
  await world.sql(`select private.enqueue('billing mails', $1::text)`, [customer.user])
  await send()
  const told = () =>
    world.sql(`select told -> 'is_capped' as is_capped from private.billing_told where user_id = $1`, [
      customer.user,
    ])
  expect(await told()).toEqual([{ is_capped: true }])
  expect(subjects(customer)).toHaveLength(2)
})

test('134. A renewal stays unpaid → a mail two days before the agent stops, one when it has, and one at the end', async () => {
  const customer = await subscriber(world, 'growth', cards.paying)
  await world.failRenewal(customer.subscription)
  await world.advanceClock(32)
  await rowWithStatus(world, customer.email, 'payment_failed')
  await world.settled()
  const failed = subjects(customer)
  expect(failed).toEqual([`Your ${site.name} payment of ${exactPrice(centsOf('growth'))} failed`])
  /** Lets time pass: nothing else is written, so that no trigger notes it. */
  const owedFor = async (days: number) => {
    await world.sql('alter table public.user_subscriptions disable trigger note_billing_change')
    await world.sql(
      `update public.user_subscriptions set past_due_since = now() - make_interval(days => $2) where user_id = $1`,
      [customer.user, days],
    )
    await world.sql('alter table public.user_subscriptions enable trigger note_billing_change')
    await send()
    await send()
  }
  await owedFor(4)
  expect(subjects(customer)).toEqual(failed)
  await owedFor(6)
  expect(subjects(customer).slice(1)).toEqual([
    expect.stringMatching(
      new RegExp(
        String.raw`^Your agent stops on \d+ \w+ \d{4} unless you pay ${RegExp.escape(priceText('growth'))}$`,
      ),
    ),
  ])
  expect(lastMail(customer)?.links).toContain(`${world.origin}/portal/billing?pay`)
  expect(lastMail(customer)?.text).toContain(
    `${priceText('growth')} for the renewal of your ${planName('growth')} plan`,
  )
  await owedFor(8)
  expect(subjects(customer).slice(2)).toEqual([`Your agent has stopped: ${priceText('growth')} is not paid`])

  await world.stripe.subscriptions.cancel(customer.subscription)
  await rowWithStatus(world, customer.email, 'canceled')
  await world.settled()
  await minutePasses(customer)
  await send()
  expect(subjects(customer).slice(3)).toEqual([`Your ${planName('growth')} plan has ended`])
  expect(lastMail(customer)?.text).toContain('because its renewal was not paid')

  const own = await customer.client.rpc('my_mails').throwOnError()
  expect((own.data as { kind: string }[]).at(-1)).toEqual({
    kind: 'plan ended',
    sent_at: expect.any(String) as string,
  })
  expect((await customer.client.from('sent_mails').select('*').throwOnError()).data).toEqual([])
  const { client: stranger } = await signedIn(world)
  expect((await stranger.rpc('my_mails').throwOnError()).data).toEqual([])
  expect((await world.client().rpc('my_mails')).error?.code).toBe('42501')

  const admin = await signedInAdmin(world)
  const kinds = await admin.client
    .from('sent_mails')
    .select('kind')
    .eq('user_id', customer.user)
    .order('id')
    .throwOnError()
  expect(kinds.data.map(({ kind }) => String(kind)).slice(-3)).toEqual([
    'payment missing',
    'payment missing',
    'plan ended',
  ])
})

test('A payment between the look and the mail → no mail; a deleted account → no mail', async () => {
  const customer = await subscriber(world, 'growth', cards.paying)
  await world.sql(
    `update public.user_subscriptions set past_due_since = now() - interval '6 days', stripe_status = 'past_due'
     where user_id = $1`,
    [customer.user],
  )
  await send()
  expect(subjects(customer), 'Stripe says that nothing is owed').toEqual([])

  expect((await customer.post('delete-account', { email: customer.email })).json).toEqual({ deleted: true })
  await world.settled()
  await eventually(() => expect(lastMail(customer)?.subject).toContain('deleted'))
  await send()
  expect(subjects(customer)).toEqual([])
})

import { expect, onTestFinished, test } from 'vitest'
import type { CallReport } from '#calls/domain/call-report.ts'
import { site } from '#site'
import { mounts } from '../../local/environment.ts'
import { customerInPeriod, type Customer } from '../support/admin.ts'
import { ago, callOf, signedHeaders } from '../support/call-report.ts'
import { answerInProcess } from '../support/in-process.ts'
import { captureLog } from '../support/log.ts'
import { centsOf, planName, priceText } from '../support/plan-facts.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()

/** Returns an account with this many minutes in the current period. */
const customer = (limit = 100, more: Record<string, unknown> = {}): Promise<Customer> =>
  customerInPeriod(world, { minutes_limit: limit, current_period_end: '2126-12-01T10:00:00Z', ...more })

async function send(report: CallReport): Promise<number> {
  const body = JSON.stringify(report)
  return (await world.call('call-report', { method: 'POST', headers: signedHeaders(body), body })).status
}
/** Reports a call that has just ended. */
const use = (person: Customer, minutes: number, more: Partial<CallReport> = {}) =>
  send(callOf(person.id, { seconds: minutes * 60, started_at: ago(minutes * 60_000), ...more }))

const mailsTo = ({ email }: Customer) => world.mails().filter(({ to }) => to === email)
/** Returns the thresholds in the mails, in the order of sending. */
const alerted = (person: Customer) =>
  mailsTo(person)
    .map(({ subject }) => parseInt(subject.replace('You have reached ', '')))
    .toReversed()
const recorded = async ({ id }: Customer) =>
  (
    await world.sql<{ percent: number; mailed: boolean }>(
      `select percent, mailed_at is not null as mailed from public.usage_alerts
       where user_id = $1 order by period_start, percent`,
      [id],
    )
  ).map(({ percent, mailed }) => [percent, mailed])

/** Makes the mail API answer with 500 until the returned function is called or the test ends. */
function withoutMail(): () => void {
  const mailAgain = answerInProcess(`${world.origin}${mounts.mail}`, () =>
    Response.json({ statusCode: 500, name: 'application_error', message: 'down' }, { status: 500 }),
  )
  onTestFinished(mailAgain)
  return mailAgain
}

test('50, 80 and 100 percent of the minutes are each mailed once', async () => {
  const person = await customer()
  await use(person, 49)
  expect(alerted(person)).toEqual([])
  await use(person, 1)
  expect(alerted(person)).toEqual([50])
  await use(person, 29)
  await use(person, 1)
  await use(person, 19)
  expect(alerted(person)).toEqual([50, 80])
  await use(person, 1)
  await use(person, 60)
  expect(alerted(person)).toEqual([50, 80, 100])
})

test('the mail contains minutes used, limit, end of the period, and the link', async () => {
  const person = await customer(150, { price_cents: centsOf('growth') })
  await use(person, 83)
  const plan = `${planName('growth')}, at ${priceText('growth')} a month`
  const sender = site.address.slice(0, 2).join(', ')
  expect(mailsTo(person)).toMatchObject([
    {
      subject: `You have reached 50% of your ${site.name} minutes`,
      text: expect.stringMatching(
        new RegExp(
          `83 of the 150 minutes[^]*on 1 December 2126[^]*${RegExp.escape(plan)}[^]*What to do next[^]*${RegExp.escape(sender)}`,
        ),
      ),
      links: [`${world.origin}/portal/billing`],
    },
  ])
})

test.each([
  ['message', null, 'Your agent takes messages now.'],
  ['hand_over', '+12025550181', 'Calls are put through to the person whom you have named.'],
  [
    'hand_over',
    null,
    'Your agent takes messages now: you have named nobody to whom calls can be put through.',
  ],
  ['answer', null, 'Your agent goes on answering, with packages of'],
] as const)(
  'once all are used, the mail says what %s with the number %s does to calls',
  async (policy, fallback, words) => {
    const person = await customer(100, { price_cents: centsOf('growth'), stripe_status: 'active' })
    await world.sql(
      'insert into public.call_settings (user_id, limit_policy, fallback_number) values ($1, $2, $3)',
      [person.id, policy, fallback],
    )
    await use(person, 100)
    expect(mailsTo(person)[0]?.text).toContain(words)
  },
)

test('if a call passes several thresholds, only the highest is mailed', async () => {
  const person = await customer()
  await use(person, 85)
  expect(alerted(person)).toEqual([80])
  expect(await recorded(person)).toEqual([
    [50, false],
    [80, true],
  ])
  await use(person, 1)
  expect(alerted(person)).toEqual([80])
})

test('after a credit, a threshold that is reached again is not mailed again', async () => {
  const person = await customer()
  const long = callOf(person.id, { seconds: 100 * 60, started_at: ago(100 * 60_000) })
  await use(person, 55)
  await send(long)
  expect(alerted(person)).toEqual([50, 100])
  // The 80 percent that were passed meanwhile are not mailed later.
  await use(person, 30)
  await send({ ...long, kind: 'spam' })
  await use(person, 1)
  expect(alerted(person)).toEqual([50, 100])
  await use(person, 40)
  expect(alerted(person)).toEqual([50, 100])
})

test('a failed mail is replaced by that of the next threshold if more is used meanwhile', async () => {
  captureLog()
  const person = await customer()
  const mailAgain = withoutMail()
  expect(await use(person, 50), 'the report is stored').toBe(200)
  expect(alerted(person)).toEqual([])
  mailAgain()
  await use(person, 30)
  expect(alerted(person)).toEqual([80])
})

test('after more minutes were added to the period, thresholds are mailed again', async () => {
  const person = await customer()
  await use(person, 100)
  expect(alerted(person)).toEqual([100])
  await world
    .admin()
    .from('user_subscriptions')
    .update({ minutes_limit: 500 })
    .eq('user_id', person.id)
    .throwOnError()
  await use(person, 149)
  expect(alerted(person)).toEqual([100])
  await use(person, 1)
  expect(alerted(person)).toEqual([100, 50])
})

test('a period that has ended is not mailed: minutes used now belong to the next one', async () => {
  const person = await customer(100, { current_period_end: ago(60_000) })
  await use(person, 90)
  expect(alerted(person)).toEqual([])
  expect(await recorded(person)).toEqual([])
})

test('a new period starts without mailed thresholds', async () => {
  const person = await customer()
  await use(person, 50, { started_at: ago(120 * 60_000) })
  await world
    .admin()
    .from('user_subscriptions')
    .update({ current_period_start: ago(30 * 60_000) })
    .eq('user_id', person.id)
    .throwOnError()
  // This call ended in the previous period.
  await use(person, 20, { started_at: ago(60 * 60_000) })
  await use(person, 49)
  expect(alerted(person)).toEqual([50])
  await use(person, 1)
  expect(alerted(person)).toEqual([50, 50])
})

test.each<[string, number, Record<string, unknown>]>([
  ['A blocked customer', 100, { admin_status: 'blocked' }],
  ['A customer whose plan has no minutes', 0, {}],
  ['A customer whose period is not known', 100, { current_period_start: null }],
])('%s is not alerted', async (_who, limit, more) => {
  const person = await customer(limit, more)
  expect(await use(person, 120)).toBe(200)
  expect(alerted(person)).toEqual([])
  expect(await recorded(person)).toEqual([])
})

import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { signedIn, signedInAdmin } from '../support/admin.ts'
import { captureLog } from '../support/log.ts'
import { cards, freshEmail, rowWithStatus } from '../support/money.ts'
import { personalLines } from '../support/personal-log.ts'
import { useWorld } from '../support/world.ts'
import { logNotice } from '#platform/server/log.ts'

const world = useWorld()

/** An id as Netlify gives it. */
const hostsId = (): string => `01K${randomUUID().replaceAll('-', '').slice(0, 23).toUpperCase()}`
const named = (id: string) => ({ 'x-nf-request-id': id })

/** Returns the ids that a part of our origin received in its requests, until the test ends. */
function idsSentTo(path: string): Set<string | null> {
  const before = globalThis.fetch
  const ids = new Set<string | null>()
  globalThis.fetch = (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input)
    if (pathname.startsWith(path)) ids.add(new Request(input, init).headers.get('x-function-request-id'))
    return before(input, init)
  }
  onTestFinished(() => void (globalThis.fetch = before))
  return ids
}

test('a purchase: every line of the log has the host’s id, beside the ids of Stripe and of the mail service', async () => {
  const email = freshEmail()
  const paymentMethodId = await world.card(cards.paying, email)
  const id = hostsId()
  const toDatabase = idsSentTo('/supabase/')
  await world.holdWebhooks()
  const log = captureLog()
  const bought = await world.post(
    'create-stripe-subscription',
    { email, planId: 'growth', paymentMethodId },
    named(id),
  )
  expect(bought.headers.get('x-request-id')).toBe(id)
  const entries = log.entries()
  for (const entry of entries)
    expect(entry).toMatchObject({ request_id: id, level: 'info', function: 'create-stripe-subscription' })
  expect(entries.filter(({ event }) => event === 'request')).toMatchObject([
    { method: 'POST', status: 200, ms: expect.any(Number) },
  ])
  const stripe = entries.filter(({ provider }) => provider === 'stripe')
  expect(stripe.map(({ resource }) => resource)).toEqual(
    expect.arrayContaining(['customers', 'subscriptions']),
  )
  for (const { provider_request_id: theirs } of stripe) expect(theirs).toMatch(/^req_\w+$/)
  expect([...toDatabase]).toEqual([id])

  await world.sendWebhooks()
  await rowWithStatus(world, email, 'active')
  await world.settled()
  const other = hostsId()
  await world.post('resend-link', { email }, named(other))
  expect(log.entries().filter(({ request_id, provider }) => request_id === other && provider)).toMatchObject([
    { provider: 'mail', provider_request_id: expect.stringMatching(/^[\w-]{10,}$/) },
  ])
})

test('137. The id is in the rows that a function writes for the operator', async () => {
  const person = await signedIn(world)
  const { data } = await person.client.auth.getUser()
  await world.admin().from('users').upsert({ id: person.id, email: data.user?.email })
  const [mailed, published, reported] = [hostsId(), hostsId(), hostsId()]
  await world.post('request-password-reset', { email: data.user?.email }, named(mailed))
  const admin = await signedInAdmin(world)
  await world.post('publish', {}, { ...named(published), authorization: `Bearer ${admin.token}` })
  await world.subscribe(freshEmail(), await world.card(cards.paying))
  await world.settled()
  const [event] = await world.sql<{ id: string }>('select id from public.webhook_events limit 1')
  await world.post(
    'replay-webhook-event',
    { eventId: event?.id },
    { ...named(reported), authorization: `Bearer ${admin.token}` },
  )
  const found = await world.sql(
    `select (select request_id from public.sent_mails where user_id = $1) as mailed,
       (select request_id from public.audit_log where actor = $2 and action = 'published') as published,
       (select request_id from public.webhook_events where id = $3) as reported`,
    [person.id, admin.id, event?.id],
  )
  expect(found).toEqual([{ mailed, published, reported }])
})

test('the voice provider is told the id', async () => {
  const ids = idsSentTo('/local/voice/')
  const log = captureLog()
  await world.work('lost calls')
  const [id, ...others] = ids
  expect([id, others]).toEqual([expect.any(String), []])
  expect(log.entries().filter(({ provider }) => provider === 'vapi')).toMatchObject([
    { request_id: id, method: 'GET', status: 200 },
  ])
})

test.each(['ada@hotel.example and more', 'short', 'x'.repeat(65)])(
  'a host’s id that is none, %s, is replaced by a new one',
  async (given) => {
    const log = captureLog()
    const { headers } = await world.post('resend-link', { email: 'nobody@example.com' }, named(given))
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    expect(log.text()).not.toContain(given)
  },
)

test('the database keeps no id that is none', async () => {
  const header = (value: string) =>
    world.sql(
      `select private.request_id() as id from set_config('request.headers', json_build_object('x-function-request-id', $1::text)::text, true)`,
      [value],
    )
  const id = hostsId()
  expect(await header(id)).toEqual([{ id }])
  expect(await header('ada@hotel.example and more')).toEqual([{ id: null }])
  expect(await world.sql('select private.request_id() as id')).toEqual([{ id: null }])
})

test('137. A failure on our side → its message names the id; that of a customer’s mistake does not', async () => {
  captureLog()
  await world.sql('alter function public.take_rate_limit(text, text, text) rename to take_rate_limit_gone')
  const id = hostsId()
  const failed = await world.post('resend-link', { email: 'nobody@example.com' }, named(id))
  await world.sql('alter function public.take_rate_limit_gone(text, text, text) rename to take_rate_limit')
  expect(failed.json).toEqual({
    error: {
      code: 'internal',
      message: `Something went wrong on our side. Please try again, and write to us if it goes on. Reference: ${id}`,
    },
  })
  const refused = await world.post('resend-link', {}, named(id))
  expect(refused.json).toEqual({
    error: { code: 'invalid_request', message: 'Missing or malformed: email.' },
  })
})

test('a line that names a person is found in every test of functions, whether its log is captured or not', () => {
  const write = (value: string) => logNotice('update-agents', { of: randomUUID(), value })
  write('+15550100200')
  captureLog()
  write('ada@hotel.example')
  write('in_1QabcDEF')
  expect(personalLines().map((line) => (JSON.parse(line) as { value: string }).value)).toEqual([
    '+15550100200',
    'ada@hotel.example',
  ])
})

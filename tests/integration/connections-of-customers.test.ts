import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import { describe, expect, onTestFinished, test } from 'vitest'
import bookingCalendar from '../../functions/booking-calendar.ts'
import type { CallReport } from '#calls/domain/call-report.ts'
import { runJobs } from '#platform/server/jobs.ts'
import { webhooksWithin, testWebhook } from '#connections/server/deliveries.ts'
import type { Reach } from '#platform/server/public-request.ts'
import { services } from '#platform/server/services.ts'
import { webhookEvents } from '#connections/domain/connections.ts'
import { site } from '#site'
import { customerInPeriod, type Customer } from '../support/admin.ts'
import { madeBooking } from '../support/bookings.ts'
import { callOf, signedHeaders } from '../support/call-report.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()

const customer = (): Promise<Customer> =>
  customerInPeriod(world, { minutes_limit: 100, current_period_end: '2126-12-01T10:00:00Z' })

async function report(person: Customer, more: Partial<CallReport> = {}): Promise<void> {
  const body = JSON.stringify(callOf(person.id, more))
  const { status } = await world.call('call-report', { method: 'POST', headers: signedHeaders(body), body })
  expect(status).toBe(200)
}

async function key(person: Customer, kind: 'api' | 'calendar' = 'api'): Promise<string> {
  const { data } = await person.client
    .rpc('create_api_key', { p_kind: kind, p_name: 'Front desk' })
    .throwOnError()
  return data as unknown as string
}
const read = (name: 'api-calls' | 'api-bookings', bearer: string) =>
  world.call(name, { headers: { authorization: `Bearer ${bearer}` } })

const everything = [...webhookEvents]

/** A customer's server: it answers as told, and keeps what it was sent. */
async function receiver(status = 200) {
  const received: { headers: IncomingMessage['headers']; body: string }[] = []
  const state = { status }
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({ headers: request.headers, body })
      response.writeHead(state.status).end('x')
    })
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const reach: Reach = {
    isAllowed: (address) => address === '127.0.0.1',
    isPort: (given) => given === String(port),
  }
  return { url: `http://127.0.0.1:${port}/hook`, reach, received, state }
}

/** Makes a webhook as the portal does, and leads it to a server of this test. */
async function webhook(person: Customer, url: string, events = everything) {
  const { data } = await person.client
    .rpc('create_webhook', { p_url: 'https://example.com/hook', p_events: events })
    .throwOnError()
  const made = data as unknown as { id: string; secret: string }
  await world.sql('update public.webhook_endpoints set url = $2 where id = $1', [made.id, url])
  return made
}
/** Makes all waiting messages due, and sends them. */
async function deliver(reach?: Reach): Promise<void> {
  await world.hasten('webhooks')
  await runJobs(webhooksWithin(reach), services(), { until: Date.now() + 10_000 })
  await world.work('switched off mails')
}
const deliveries = (endpoint: string) =>
  world.sql<{ event: string; tries: number; status: number | null; problem: string | null; waits: boolean }>(
    `select event, tries, status, problem, next_try_at is not null as waits
     from public.webhook_deliveries where endpoint_id = $1 order by created_at, event`,
    [endpoint],
  )

describe('an API key', () => {
  test('103. A key of one account reads another’s → it is stored as a hash, reads calls and bookings of its account alone, and can be revoked', async () => {
    const [one, other] = [await customer(), await customer()]
    await report(one, { about: 'A table' })
    await madeBooking(world, one, 'booked', { about: 'A table' })
    await report(other, { about: 'Another’s' })
    const secret = await key(one)
    expect(await world.sql('select * from public.api_keys where name = $1', [secret])).toEqual([])
    expect(JSON.stringify(await world.sql('select * from public.api_keys'))).not.toContain(secret)

    const calls = await read('api-calls', secret)
    expect([calls.status, calls.json]).toMatchObject([200, { items: [{ about: 'A table' }], next: null }])
    expect((await read('api-bookings', secret)).json).toMatchObject({
      items: [{ name: 'Ada Ferrer', about: 'A table' }],
      next: null,
    })
    expect((await read('api-calls', await key(one, 'calendar'))).status, 'a calendar key').toBe(401)
    expect((await read('api-calls', `${secret}0`)).status).toBe(401)

    await one.client.from('api_keys').delete().eq('kind', 'api').throwOnError()
    expect((await read('api-calls', secret)).status).toBe(401)
  })

  test('goes through a long list page by page', async () => {
    const person = await customer()
    for (const about of ['first', 'second', 'third']) await report(person, { about })
    const secret = await key(person)
    const first = (await (
      await fetch(`${world.origin}/.netlify/functions/api-calls?limit=2`, {
        headers: { authorization: `Bearer ${secret}` },
      })
    ).json()) as { items: { about: string }[]; next: string }
    expect(first.items).toHaveLength(2)
    const rest = (await (
      await fetch(`${world.origin}/.netlify/functions/api-calls?limit=2&after=${first.next}`, {
        headers: { authorization: `Bearer ${secret}` },
      })
    ).json()) as typeof first
    expect([...first.items, ...rest.items].map(({ about }) => about).toSorted()).toEqual([
      'first',
      'second',
      'third',
    ])
    expect(rest.next).toBeNull()
    const wrong = await fetch(`${world.origin}/.netlify/functions/api-calls?limit=101`)
    expect(wrong.status).toBe(400)
  })

  test('opens nothing once its account is blocked', async () => {
    const person = await customer()
    const secret = await key(person)
    await world.sql(`update public.user_subscriptions set admin_status = 'blocked' where user_id = $1`, [
      person.id,
    ])
    expect((await read('api-calls', secret)).status).toBe(401)
  })
})

test('the calendar has each booking once, with its end', async () => {
  const person = await customer()
  const at = '2126-07-04T23:30:00Z'
  await madeBooking(world, person, 'booked', { at, name: 'Ferrer; Ada', about: 'Table for six' })
  await madeBooking(world, person, 'requested')
  const secret = await key(person, 'calendar')
  const url = `${world.origin}/.netlify/functions/booking-calendar`
  const answer = await bookingCalendar(new Request(`${url}?key=${secret}`))
  const calendar = await answer.text()
  expect(answer.headers.get('content-type')).toBe('text/calendar; charset=utf-8')
  expect(calendar.match(/BEGIN:VEVENT/g)).toHaveLength(1)
  expect(calendar).toContain('DTSTART:21260704T233000Z')
  expect(calendar).toContain('DTEND:21260705T003000Z')
  expect(calendar).toContain('SUMMARY:Ferrer\\; Ada: Table for six')
  for (const wrong of [await key(person), '%00'])
    expect((await bookingCalendar(new Request(`${url}?key=${wrong}`))).status, wrong).toBe(401)
})

describe('a webhook', () => {
  test('is told of calls, bookings and the limit, and of messages, signed, once each', async () => {
    const person = await customer()
    const { url, reach, received } = await receiver()
    const { id, secret } = await webhook(person, url)
    await report(person, {
      seconds: 6_000,
      started_at: new Date(Date.now() - 6_000_000).toISOString(),
      about: 'A table',
    })
    const booking = await madeBooking(world, person, 'booked')
    await deliver(reach)
    await world.sql(`update public.bookings set starts_at = starts_at + interval '1 hour' where id = $1`, [
      booking,
    ])
    await deliver(reach)
    await person.client.rpc('cancel_my_booking', { p_booking: booking }).throwOnError()
    const message = {
      name: 'Grace',
      phone_number: null,
      about: 'Keys',
      message: 'I lost them.',
      is_urgent: true,
    }
    await world
      .admin()
      .rpc('take_message', { p: { user_id: person.id, call: `call_${person.id}`, ...message } })
    await deliver(reach)
    await deliver(reach)
    const messages = received.map(({ body, headers }) => {
      const verified = new Webhook(secret).verify(body, headers as Record<string, string>)
      return verified as { type: string; data: Record<string, unknown> }
    })
    expect(messages.toSorted((one, two) => one.type.localeCompare(two.type))).toMatchObject([
      { type: 'booking.cancelled', data: { id: booking, state: 'cancelled' } },
      {
        type: 'booking.made',
        data: { id: booking, state: 'booked', name: 'Ada Ferrer', ends_at: expect.any(String) },
      },
      { type: 'booking.moved', data: { id: booking, state: 'booked' } },
      { type: 'call.ended', data: { about: 'A table', seconds: 6_000 } },
      { type: 'limit.reached', data: { minutes_used: 100, minutes_limit: 100 } },
      { type: 'message.taken', data: message },
    ])
    expect(await deliveries(id)).toMatchObject(
      Array(6).fill({ status: 200, tries: 1, problem: null, waits: false }),
    )
  })

  test('hears only of the events that were chosen, and not of another’s', async () => {
    const [one, other] = [await customer(), await customer()]
    const { url, reach, received } = await receiver()
    await webhook(one, url, ['booking.made'])
    await report(one)
    await madeBooking(world, other, 'booked')
    await deliver(reach)
    expect(received).toEqual([])
  })

  test('102. A customer’s server is down → the message is tried again, and the webhook is switched off with a mail after days', async () => {
    const person = await customer()
    const { url, reach, received, state } = await receiver(500)
    const { id } = await webhook(person, url)
    await report(person)
    await deliver(reach)
    expect(await deliveries(id)).toMatchObject([{ tries: 1, status: 500, waits: true }])
    state.status = 204
    await deliver(reach)
    expect(await deliveries(id)).toMatchObject([{ tries: 2, status: 204, waits: false }])
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size, 'the same message').toBe(1)

    state.status = 500
    await report(person)
    await deliver(reach)
    await world.sql(
      `update public.webhook_endpoints set failing_since = failing_since - interval '5 days' where id = $1`,
      [id],
    )
    await deliver(reach)
    const [endpoint] = await world.sql<{ disabled_at: string | null }>(
      'select disabled_at from public.webhook_endpoints where id = $1',
      [id],
    )
    expect(endpoint?.disabled_at).not.toBeNull()
    expect(world.mails().find(({ to }) => to === person.email)).toMatchObject({
      subject: `Your ${site.name} webhook was switched off`,
      links: [`${world.origin}/portal/connections`],
    })
    const before = received.length
    await report(person)
    await deliver(reach)
    expect(received).toHaveLength(before)
    await person.client.rpc('enable_webhook', { p_id: id }).throwOnError()
    await report(person)
    await deliver(reach)
    expect(received).toHaveLength(before + 1)
  })

  test('101. A webhook leads inside our network → it gets nothing, and one that answers 410 is switched off at once', async () => {
    const person = await customer()
    const inside = await receiver()
    const { id } = await webhook(person, inside.url)
    await report(person)
    await deliver()
    expect(inside.received).toEqual([])
    expect(await deliveries(id)).toMatchObject([{ status: null, problem: 'forbidden', waits: true }])

    const gone = await customer()
    const { url, reach } = await receiver(410)
    const left = await webhook(gone, url)
    await report(gone)
    await deliver(reach)
    expect(await deliveries(left.id)).toMatchObject([{ status: 410, waits: false }])
  })

  test('is tested by its owner only', async () => {
    const [one, other] = [await customer(), await customer()]
    const { url, reach, received } = await receiver()
    const { id, secret } = await webhook(one, url)
    const test = async (person: Customer) => {
      const { data } = await person.client.auth.getSession()
      const request = new Request(url, { headers: { authorization: `Bearer ${data.session?.access_token}` } })
      return testWebhook({ endpoint: id }, services(), { request }, reach)
    }
    expect(await test(one)).toEqual({ ok: true, value: { status: 200, problem: null } })
    const [{ body, headers } = { body: '', headers: {} }] = received
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({
      type: 'test',
    })
    expect((await test(other)).ok).toBe(false)
    expect((await world.post('test-webhook', { endpoint: id })).status).toBe(401)
    expect(received).toHaveLength(1)
  })
})

test('customers see their own only, never a secret, and write nothing themselves', async () => {
  const [one, other] = [await customer(), await customer()]
  await key(one)
  const { id } = await webhook(one, 'https://example.com/')
  await madeBooking(world, one, 'booked')
  const tables = ['bookings', 'api_keys', 'webhook_endpoints', 'webhook_deliveries']
  for (const table of tables) {
    const mine = await one.client.from(table).select('id')
    expect(mine.data?.length, table).toBeGreaterThan(0)
    expect((await other.client.from(table).select('id')).data, table).toEqual([])
    await other.client.from(table).delete().neq('id', one.id)
    expect((await one.client.from(table).select('id')).data?.length, table).toBe(mine.data?.length)
    expect((await world.client().from(table).select('id')).error?.code, table).toBe('42501')
    expect((await one.client.from(table).insert({ id: one.id })).error?.code, table).toBe('42501')
  }
  expect((await one.client.from('webhook_endpoints').select('secret')).error?.code).toBe('42501')
  expect((await one.client.from('api_keys').select('hash')).error?.code).toBe('42501')
  expect((await other.client.rpc('enable_webhook', { p_id: id })).data).toBe(false)
  for (const url of ['http://example.com/', 'ftp://example.com/'])
    expect((await one.client.rpc('create_webhook', { p_url: url, p_events: everything })).data).toBeNull()
  await world.sql(`update public.user_subscriptions set admin_status = 'blocked' where user_id = $1`, [
    one.id,
  ])
  expect(
    (await one.client.rpc('create_api_key', { p_kind: 'api', p_name: 'More' })).error?.code,
    'a blocked customer',
  ).toBe('42501')
})

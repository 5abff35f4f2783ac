import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { calendarsAt } from '#connections/server/calendars.ts'
import { testWebhook } from '#connections/server/deliveries.ts'
import type { Reach } from '#platform/server/public-request.ts'
import { services } from '#platform/server/services.ts'
import { site } from '#site'
import { customerInPeriod, type Customer } from '../support/admin.ts'
import { madeBooking } from '../support/bookings.ts'
import { calendarServers, login, type CalendarServer } from '../support/calendar-server.ts'
import { connect, deliver, newCalendar, reachOf } from '../support/own-calendar.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()

const customer = (): Promise<Customer> =>
  customerInPeriod(world, { minutes_limit: 100, current_period_end: '2126-12-01T10:00:00Z' })

const book = (person: Customer, name: string): Promise<string> =>
  madeBooking(world, person, 'booked', { at: '2126-12-24T19:30:00Z', name })

const deliveries = (endpoint: string) =>
  world.sql(
    `select event, tries, status, problem, next_try_at is not null as waits
     from public.webhook_deliveries where endpoint_id = $1 order by created_at, event`,
    [endpoint],
  )

describe.each(Object.entries(calendarServers))('on %s', (name, start) => {
  let server: CalendarServer
  beforeAll(async () => {
    server = await start()
  })
  afterAll(() => server.close())

  test('a customer’s calendars are found from the server’s address, without lists of tasks', async () => {
    const [bookings, rooms] = [await newCalendar(server, 'Bookings'), await newCalendar(server, '2027')]
    await newCalendar(server, 'Tasks', 'VTODO')
    const found = await calendarsAt({ url: server.url, ...login }, reachOf(server))
    expect(found.ok && found.value.calendars).toEqual(
      expect.arrayContaining([
        { url: bookings.url, name: 'Bookings' },
        { url: rooms.url, name: '2027' },
      ]),
    )
    expect(JSON.stringify(found)).not.toContain('Tasks')
    expect(
      await calendarsAt({ url: bookings.url, ...login }, reachOf(server)),
      'a calendar’s own address',
    ).toEqual({
      ok: true,
      value: { calendars: [{ url: bookings.url, name: 'Bookings' }] },
    })
    expect(
      await calendarsAt({ url: server.url, ...login, password: 'wrong' }, reachOf(server)),
    ).toMatchObject({ ok: false, failure: { message: expect.stringContaining('refused this login') } })
  })

  test(`143. The answer to a booking written into ${name} is lost → the calendar has it once, as it was changed since`, async () => {
    const person = await customer()
    const calendar = await newCalendar(server, 'Front desk')
    const id = await connect(world, person, calendar)
    const booked = await book(person, 'Ada; Ferrer')
    await deliver(world, reachOf(server))
    const [event, ...others] = await calendar.events()
    expect(others).toEqual([])
    expect(event).toMatch(/^SUMMARY:Ada\\; Ferrer/m)
    expect(event).toMatch(/^DTSTART:21261224T193000Z/m)
    // As if nothing had been noted either, and its owner has moved it.
    await world.sql('delete from private.calendar_events where booking_id = $1', [booked])
    await calendar.change(booked, (was) => was.replace('T193000Z', 'T200000Z'))

    await world.sql(
      `with again as (
         update public.webhook_deliveries set next_try_at = clock_timestamp(), delivered_at = null
         where endpoint_id = $1 returning id
       )
       select private.enqueue('webhooks', id::text) from again`,
      [id],
    )
    await deliver(world, reachOf(server))
    expect(await calendar.events()).toEqual([expect.stringMatching(/^DTSTART:21261224T200000Z/m)])
    expect(await deliveries(id)).toEqual([
      { event: 'booking.made', tries: 2, status: 204, problem: null, waits: false },
      { event: 'booking.moved', tries: 1, status: 204, problem: null, waits: false },
    ])
    expect(await world.sql('select starts_at from public.bookings where id = $1', [booked])).toEqual([
      { starts_at: '2126-12-24T20:00:00+00:00' },
    ])
  })

  test('a booking that is moved moves in the calendar, and one that is cancelled goes', async () => {
    const person = await customer()
    const calendar = await newCalendar(server, 'Moved')
    await connect(world, person, calendar)
    const booked = await book(person, 'Ada')
    await deliver(world, reachOf(server))
    await world.sql(`update public.bookings set starts_at = $2, ends_at = $3 where id = $1`, [
      booked,
      '2126-12-27T08:00:00Z',
      '2126-12-27T09:30:00Z',
    ])
    await deliver(world, reachOf(server))
    expect(await calendar.events()).toEqual([
      expect.stringMatching(/^DTSTART:21261227T080000Z\s+DTEND:21261227T093000Z/m),
    ])
    await person.client.rpc('cancel_my_booking', { p_booking: booked }).throwOnError()
    await deliver(world, reachOf(server))
    expect(await calendar.events()).toEqual([])
  })

  test('a test is written and removed again, by its owner only', async () => {
    const [one, other] = [await customer(), await customer()]
    const calendar = await newCalendar(server, 'Tried')
    const [id, refused] = [await connect(world, one, calendar), await connect(world, one, calendar, 'wrong')]
    const run = async (person: Customer, endpoint: string) => {
      const { data } = await person.client.auth.getSession()
      const headers = { authorization: `Bearer ${data.session?.access_token}` }
      return testWebhook(
        { endpoint },
        services(),
        { request: new Request(calendar.url, { headers }) },
        reachOf(server),
      )
    }
    expect(await run(one, id)).toEqual({ ok: true, value: { status: 201, problem: null } })
    expect(await calendar.events()).toEqual([])
    expect(await run(one, refused)).toEqual({ ok: true, value: { status: 401, problem: null } })
    expect((await run(other, id)).ok).toBe(false)
  })

  test('a calendar that refuses its password for days is switched off, with a mail', async () => {
    const person = await customer()
    const calendar = await newCalendar(server, 'Closed')
    const id = await connect(world, person, calendar, 'changed since')
    await book(person, 'Ada')
    await deliver(world, reachOf(server))
    expect(await deliveries(id)).toMatchObject([{ tries: 1, status: 401, waits: true }])
    await world.sql(
      `update public.webhook_endpoints set failing_since = failing_since - interval '5 days' where id = $1`,
      [id],
    )
    await deliver(world, reachOf(server))
    expect(await deliveries(id)).toMatchObject([{ tries: 2, waits: false }])
    expect(world.mails().find(({ to }) => to === person.email)).toMatchObject({
      subject: `${site.name} no longer writes to your calendar`,
      links: [`${world.origin}/portal/connections`],
    })
    await world.sql('update public.webhook_endpoints set secret = $2 where id = $1', [id, login.password])
    await person.client.rpc('enable_webhook', { p_id: id }).throwOnError()
    await deliver(world, reachOf(server))
    expect(await calendar.events(), 'what it has missed').toHaveLength(1)
  })
})

const isCalendar = '<resourcetype><c:calendar xmlns:c="urn:ietf:params:xml:ns:caldav"/></resourcetype>'
const described = (href: string, properties: string): string =>
  `<multistatus xmlns="DAV:"><response><href>${href}</href><propstat><prop>${properties}</prop><status>HTTP/1.1 200 OK</status></propstat></response></multistatus>`
const nothing = { failure: { message: 'No calendar was found at this address.' } }

test('the search stays on public addresses and on the protocol that it began with', async () => {
  const [start] = Object.values(calendarServers)
  const server = await start!()
  onTestFinished(server.close)
  const forbidden = { ok: false, failure: { code: 'invalid_request' } }
  for (const url of [server.url, 'https://10.0.0.1/', 'file:///etc/passwd', 'nonsense'])
    expect(await calendarsAt({ url, ...login }), url).toMatchObject(forbidden)

  // From http to https here; the other way round the password would be sent in the clear.
  const at = 'https://localhost/'
  const principal = `<current-user-principal><href>${at}</href></current-user-principal>`
  expect(await found(described('/', principal))).toMatchObject(nothing)
  expect(await found(described(at, isCalendar))).toMatchObject(nothing)
  expect(await found(described('/', isCalendar))).toMatchObject({ ok: true })
})

test.each([
  ['a million errors', '<'.repeat(900_000)],
  [
    'an element in an element, and so on',
    described('/', `${isCalendar}${'<a>'.repeat(200)}${'</a>'.repeat(200)}`),
  ],
])('an answer of %s is not read to its end', async (_, answer) => {
  expect(await found(answer)).toMatchObject(nothing)
})
/** Searches a server that has one answer to all. */
async function found(answer: string) {
  const server = createServer((_, response) => {
    response.writeHead(207, { 'content-type': 'application/xml' }).end(answer)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const reach: Reach = { isAllowed: () => true, isPort: () => true }
  return calendarsAt({ url: `http://localhost:${port}/`, ...login }, reach)
}

test('customers connect twenty calendars, whose passwords and private addresses nobody reads', async () => {
  const person = await customer()
  const make = async (p_url: string, login: { p_username?: string; p_password?: string } = {}) =>
    (await person.client.rpc('connect_calendar', { p_url, ...login }).throwOnError()).data as unknown
  for (let nth = 1; nth < 20; nth++)
    expect(await make(`https://example.com/${nth}.ics`)).toEqual(expect.any(String))
  expect(await make('http://example.com/')).toBeNull()
  const login = { p_username: 'ada', p_password: 'secret' }
  expect(await make('https://caldav.example.com/20/', login)).toEqual(expect.any(String))
  expect(await make('https://caldav.example.com/21/', login)).toBeNull()
  const of = async () =>
    world.sql('select id, secret from public.webhook_endpoints where user_id = $1', [person.id])
  const [before, ...others] = await of()
  expect(others).toEqual([])
  await make('https://caldav.example.com/20/', { ...login, p_password: 'changed' })
  expect(await of(), 'connected again').toEqual([{ ...before, secret: 'changed' }])
  const { data } = await person.client.from('calendars').select('kind, name').throwOnError()
  expect(data).toHaveLength(20)
  expect(data).toContainEqual({ kind: 'ical', name: 'example.com' })
  expect(data).toContainEqual({ kind: 'caldav', name: 'caldav.example.com' })
  expect((await person.client.from('calendars').select('url')).error?.code).toBe('42501')
  expect((await person.client.from('webhook_endpoints').select('secret')).error?.code).toBe('42501')
  const stranger = await customer()
  expect((await stranger.client.from('calendars').select('id').throwOnError()).data).toEqual([])
  expect(
    (await world.client().rpc('connect_calendar', { p_url: '', p_username: '', p_password: '' })).error?.code,
  ).toBe('42501')
  const search = { url: 'https://caldav.example.com/', username: 'ada', password: 'x' }
  expect((await world.post('find-calendars', search)).status).toBe(401)
  expect((await world.post('find-calendars', { ...search, username: '' })).status).toBe(400)
})

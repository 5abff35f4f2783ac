import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { readNow, refreshCalendars } from '#bookings/server/own-calendars.ts'
import type { ToolAnswer } from '#bookings/server/run-booking-tool.ts'
import { momentOf } from '#bookings/domain/free-times.ts'
import type { Reach } from '#platform/server/public-request.ts'
import { services } from '#platform/server/services.ts'
import { inboxPage } from '#portal/domain/inbox.ts'
import type { Outcome } from '../../local/voice/calls.ts'
import { dayIn, setUpBookings, timeZone, unitIds } from '../support/bookings.ts'
import { authorization, calendarServers, login, type CalendarServer } from '../support/calendar-server.ts'
import { telephonyIn, type Customer } from '../support/telephony.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()
const { control, customer, update, numberOf } = telephonyIn(world)

async function business(): Promise<Customer> {
  const person = await customer()
  await setUpBookings(person)
  await update(person)
  return person
}
/** A caller at a business, whose agent calls its tools. */
async function callerAt(person: Customer, caller = '+12025550101') {
  const { call } = await control<Outcome>('ring', { number: await numberOf(person), caller })
  return async (name: string, given: object): Promise<ToolAnswer> => {
    const { results } = await control<{ results: { result: string }[] }>('tools', {
      call,
      calls: [{ name, given }],
    })
    return JSON.parse(results[0]!.result) as ToolAnswer
  }
}
const clocksOf = ({ offers }: ToolAnswer, day: string): string[] =>
  (offers ?? []).flatMap(({ starts }) => (starts.startsWith(day) ? [starts.slice(11)] : []))
const checkUp = (day: string) => ({ service: 'Check-up', date: day })

/** Connects a calendar as the portal does, and points it at a server of this test. Returns its id. */
async function connect(person: Customer, url: string, more: object = {}, isIcal = false): Promise<string> {
  const { data } = await person.client
    .rpc('connect_calendar', {
      p_url: 'https://caldav.example.com/',
      ...(!isIcal && { p_username: login.username, p_password: login.password }),
    })
    .throwOnError()
  const id = data as unknown as string
  await world.sql('update public.calendars set url = $2 where id = $1 and url is not null', [id, url])
  await world.sql(
    'update public.webhook_endpoints e set url = $2 from public.calendars c where c.id = $1 and e.id = c.endpoint_id',
    [id, url],
  )
  if (Object.keys(more).length > 0)
    await person.client.from('calendars').update(more).eq('id', id).throwOnError()
  return id
}
const reachOf = (url: string): Reach => ({
  isAllowed: (address) => address === '127.0.0.1',
  isPort: (port) => port === new URL(url).port,
})
const read = (person: Customer, url: string) => readNow(person.id, services().supabase, reachOf(url))
const stateOf = async (id: string) =>
  (
    await world.sql<{ problem: string | null; is_read: boolean; is_failing: boolean; busy: number }>(
      `select c.problem, c.read_at is not null as is_read, c.failing_since is not null as is_failing,
         (select count(*)::int from private.busy_times b where b.calendar_id = c.id) as busy
       from public.calendars c where c.id = $1`,
      [id],
    )
  )[0]!
/** Lets what calendars have said be older than a minute. */
const age = ({ id }: Customer) =>
  world.sql(
    `update public.calendars set tried_at = tried_at - interval '3 minutes', read_at = read_at - interval '3 minutes'
     where user_id = $1`,
    [id],
  )

const stamp = (moment: number): string => new Date(moment).toISOString().replace(/[-:]|\.\d+/g, '')
/** An event of an hour by the clock of the business. */
const eventAt = (day: string, clock: string, uid = 'dentist@example.com', ...more: string[]): string => {
  const starts = momentOf(day, clock, timeZone)!
  return [
    'BEGIN:VEVENT',
    `UID:${uid}`,
    'DTSTAMP:20260101T000000Z',
    `DTSTART:${stamp(starts)}`,
    `DTEND:${stamp(starts + 3_600_000)}`,
    'SUMMARY:Dentist',
    ...more,
    'END:VEVENT',
  ].join('\r\n')
}
const calendarOf = (...events: string[]): string =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//x//y//EN', ...events, 'END:VCALENDAR', ''].join('\r\n')

/** A server of a private address. */
async function addressOf(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/private/calendar.ics`
}

describe.each(Object.entries(calendarServers))('on %s', (_, start) => {
  let server: CalendarServer
  beforeAll(async () => {
    server = await start()
  })
  afterAll(() => server.close())
  let made = 0
  async function calendar() {
    const url = new URL(`${server.home}busy-${(made += 1)}/`, server.url).href
    const ask = async (method: string, path = '', body?: string) => {
      const type = path ? 'text/calendar; charset=utf-8' : 'text/xml'
      const { status } = await fetch(url + path, {
        method,
        body,
        headers: { authorization, 'content-type': type },
      })
      expect(status).toBeLessThan(300)
    }
    await ask(
      'MKCALENDAR',
      '',
      `<?xml version="1.0"?><C:mkcalendar xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:set><D:prop><C:supported-calendar-component-set><C:comp name="VEVENT"/></C:supported-calendar-component-set></D:prop></D:set></C:mkcalendar>`,
    )
    return {
      url,
      put: (name: string, event: string) => ask('PUT', `${name}.ics`, calendarOf(event)),
      remove: (name: string) => ask('DELETE', `${name}.ics`),
    }
  }

  test('an event of the owner’s calendar is not free at the next ring, and free again once it is gone', async () => {
    const person = await business()
    const { url, put, remove } = await calendar()
    const id = await connect(person, url)
    await read(person, url)
    const before = await callerAt(person)
    expect(clocksOf(await before('find_times', checkUp(dayIn(2))), dayIn(2))).toEqual([
      '09:00',
      '10:00',
      '11:00',
    ])

    await put('dentist', eventAt(dayIn(2), '10:00'))
    const declined = `ATTENDEE;PARTSTAT=DECLINED:mailto:${person.email}`
    await put('party', eventAt(dayIn(2), '11:00', 'party@example.com', declined))
    await put('weekly', eventAt(dayIn(3), '09:00', 'weekly@example.com', 'RRULE:FREQ=WEEKLY'))
    await read(person, url)
    const use = await callerAt(person)
    expect(clocksOf(await use('find_times', checkUp(dayIn(2))), dayIn(2))).toEqual(['09:00', '11:00'])
    expect(clocksOf(await use('find_times', checkUp(dayIn(10))), dayIn(10))).toEqual(['10:00', '11:00'])
    const stored = await world.sql('select * from private.busy_times where calendar_id = $1', [id])
    expect(JSON.stringify(stored)).not.toContain('Dentist')

    await remove('dentist')
    await read(person, url)
    expect(clocksOf(await use('find_times', checkUp(dayIn(2))), dayIn(2))).toEqual([
      '09:00',
      '10:00',
      '11:00',
    ])
  })

  test('278. An event comes into the calendar after its time was offered → it is taken, for a booking and for a move', async () => {
    const person = await business()
    const { url, put } = await calendar()
    await connect(person, url)
    await read(person, url)
    const use = await callerAt(person)
    const { offers } = await use('find_times', checkUp(dayIn(2)))
    await put('dentist', eventAt(dayIn(2), '09:00'))
    await read(person, url)
    const taken = await use('book', { offer: offers![0]!.offer, name: 'Ada Meyer' })
    expect(taken.say).toMatch(/^It is taken by now\. /)
    expect(clocksOf(taken, dayIn(2))).toEqual(['10:00', '11:00'])
    expect((await use('book', { offer: taken.offers![0]!.offer, name: 'Ada Meyer' })).say).toMatch(/^Booked/)
    await put('school', eventAt(dayIn(2), '11:00', 'school@example.com'))
    await read(person, url)
    expect((await use('move', { offer: taken.offers![1]!.offer, name: 'Ada Meyer' })).say).toMatch(
      /^It is taken by now/,
    )
  })

  test('what we have written there ourselves takes no time twice', async () => {
    const person = await business()
    const { url, put } = await calendar()
    const id = await connect(person, url)
    const use = await callerAt(person)
    await read(person, url)
    const { offers } = await use('find_times', checkUp(dayIn(2)))
    await use('book', { offer: offers![1]!.offer, name: 'Ada Meyer' })
    const [booking] = await world.sql<{ id: string }>('select id from public.bookings where user_id = $1', [
      person.id,
    ])
    await put(booking!.id, eventAt(dayIn(2), '10:00', booking!.id))
    await read(person, url)
    expect(await stateOf(id)).toMatchObject({ problem: null, busy: 0 })
  })

  test('a calendar of one person takes the time of nobody else', async () => {
    const person = await business()
    const { url, put } = await calendar()
    await connect(person, url, { unit: unitIds.small })
    await put('party', eventAt(dayIn(2), '10:00'))
    await read(person, url)
    const use = await callerAt(person)
    expect(clocksOf(await use('find_times', checkUp(dayIn(2))), dayIn(2))).toEqual([
      '09:00',
      '10:00',
      '11:00',
    ])
    const tables = await use('find_times', { service: 'Table', date: dayIn(2), people: 6 })
    expect(clocksOf(tables, dayIn(2))).toEqual(['09:00', '11:00'])
  })

  test('a login that is refused is said, and read again once it is right', async () => {
    const person = await business()
    const { url } = await calendar()
    const id = await connect(person, url)
    const secret = async (value: string) =>
      world.sql('update public.webhook_endpoints set secret = $2 where user_id = $1', [person.id, value])
    await secret('changed')
    await read(person, url)
    expect(await stateOf(id)).toMatchObject({ problem: 'refused', is_failing: true, is_read: false })
    await secret(login.password)
    await read(person, url)
    expect(await stateOf(id)).toMatchObject({ problem: null, is_failing: false, is_read: true })
  })
})

describe('a calendar that does not answer', () => {
  const hanging = () => addressOf(() => undefined)

  test('is asked before something is booked, and by the ring before', async () => {
    const person = await business()
    // Only public addresses are asked without a test's reach.
    const id = await connect(person, 'http://127.0.0.1:9/', {}, true)
    const use = await callerAt(person)
    expect(await stateOf(id)).toMatchObject({ problem: 'forbidden', is_failing: true })
    await world.sql('update public.calendars set problem = null, failing_since = null where id = $1', [id])
    await use('find_times', checkUp(dayIn(2)))
    expect(await stateOf(id), 'within a minute').toMatchObject({ is_failing: false })
    await age(person)
    await use('find_times', checkUp(dayIn(2)))
    expect(await stateOf(id)).toMatchObject({ problem: 'forbidden', is_failing: true })
  })

  test('leaves the agent with a message, and nothing is offered or booked', async () => {
    const person = await business()
    const url = await hanging()
    const id = await connect(person, url, { accepts_delay: true }, true)
    const before = await callerAt(person)
    const { offers } = await before('find_times', checkUp(dayIn(2)))
    await world.sql(
      `update public.calendars set tried_at = '-infinity', failing_since = null where id = $1`,
      [id],
    )
    await refreshCalendars(person.id, services().supabase, reachOf(url))
    expect(await stateOf(id)).toMatchObject({ problem: 'unreachable', is_failing: true })
    const use = await callerAt(person)
    expect(await use('find_times', checkUp(dayIn(2)))).toEqual({
      say: expect.stringMatching(
        /^The calendar does not answer, so nothing can be booked now\. .*take a message/,
      ),
    })
    expect(offers).toBeUndefined()
    expect(await world.sql('select 1 from public.bookings where user_id = $1', [person.id])).toEqual([])
  })

  test('279. A calendar stops answering after times were offered → nothing is booked or moved until it answers', async () => {
    const person = await business()
    const answers =
      (...events: string[]): RequestListener =>
      (_, response) =>
        void response.end(calendarOf(...events))
    let answer = answers()
    const url = await addressOf((...asked) => answer(...asked))
    await connect(person, url, { accepts_delay: true }, true)
    await read(person, url)
    const use = await callerAt(person)
    const { offers } = await use('find_times', checkUp(dayIn(2)))
    const [first, second, third] = offers!.map(({ offer }) => ({ offer, name: 'Ada Meyer' }))
    expect((await use('book', first!)).say).toMatch(/^Booked: .+ at 9:00.AM/)
    const startOf = async () =>
      (await person.client.from('bookings').select('starts_at').throwOnError()).data!.map(
        ({ starts_at: at }) => Date.parse(at),
      )
    const booked = await startOf()

    const silent: Record<string, RequestListener> = {
      hangs: () => undefined,
      refuses: (_, response) => void response.writeHead(403).end(),
    }
    for (const [how, listener] of Object.entries(silent)) {
      answer = listener
      await age(person)
      await refreshCalendars(person.id, services().supabase, reachOf(url))
      for (const tool of ['book', 'move'])
        expect(await use(tool, second!), `${tool} while it ${how}`).toEqual({
          say: expect.stringMatching(
            /^The calendar does not answer, so nothing can be booked now\. .*take a message/,
          ),
        })
    }
    expect(await startOf()).toEqual(booked)

    answer = answers(eventAt(dayIn(2), '10:00'))
    await read(person, url)
    expect((await use('move', second!)).say).toMatch(/^It is taken by now/)
    expect((await use('move', third!)).say).toMatch(/^Booked: .+ at 11:00.AM/)
  })

  test('is mailed about once if it has not answered for hours', async () => {
    const person = await business()
    const url = await addressOf((_, response) => void response.writeHead(404).end())
    const id = await connect(person, url, {}, true)
    const mails = async () => {
      await world.work('silent calendar mails')
      return world.mails().filter(({ to, subject }) => to === person.email && /cannot be read/.test(subject))
    }
    await read(person, url)
    expect(await mails()).toEqual([])
    await world.sql(
      `update public.calendars set failing_since = now() - interval '7 hours', tried_at = now() - interval '2 hours'
       where id = $1`,
      [id],
    )
    for (const nth of [1, 2]) {
      await read(person, url)
      expect(await mails(), `reading ${nth}`).toMatchObject([
        { text: expect.stringContaining('there is no calendar at this address any more') },
      ])
    }
  })

  test('blocks nobody whose time is another’s', async () => {
    const person = await business()
    const url = await hanging()
    await connect(person, url, { unit: unitIds.small }, true)
    await refreshCalendars(person.id, services().supabase, reachOf(url))
    const use = await callerAt(person)
    expect((await use('find_times', checkUp(dayIn(2)))).say).toMatch(/^Free are /)
    expect((await use('find_times', { ...checkUp(dayIn(2)), earliest: '20:00', people: 8 })).say).toMatch(
      /^Nothing is free in that time/,
    )
    expect((await use('find_times', { service: 'Table', date: dayIn(2), people: 6 })).say).toMatch(
      /^The calendar does not answer/,
    )
    expect((await use('find_times', { service: 'Table', date: dayIn(2), people: 2 })).say).toMatch(
      /^Free are /,
    )
  })

  test('lets the agent book if its owner wants that, and the booking waits until it was compared', async () => {
    const person = await business()
    let events: string[] | undefined = []
    const url = await addressOf((_, response) => {
      if (events) response.end(calendarOf(...events))
    })
    const calendar = await connect(person, url, { if_silent: 'mark', accepts_delay: true }, true)
    await read(person, url)
    events = undefined
    await age(person)
    await refreshCalendars(person.id, services().supabase, reachOf(url))
    const use = await callerAt(person)
    const { offers } = await use('find_times', checkUp(dayIn(2)))
    for (const { offer } of offers!.slice(0, 2))
      expect((await use('book', { offer, name: 'Ada Meyer' })).say).toMatch(/^Booked/)
    const bookings = async () =>
      (
        await person.client.from('bookings').select('id, unchecked_since').order('starts_at').throwOnError()
      ).data!.map(({ id, unchecked_since: since }) => ({ id, waits: since !== null }))
    const waits = async () => (await bookings()).map((each) => each.waits)
    const inbox = async () => {
      const asked = { p_is_done: false, p_kind: 'event', p_search: '', p_limit: 10 }
      const { data } = await person.client.rpc('list_inbox', asked).throwOnError()
      return inboxPage.parse(data).rows.map(({ id, why }) => [id, why])
    }
    expect([await waits(), await inbox()]).toEqual([[true, true], []])
    const [first] = (await bookings()).map(({ id }) => id)
    events = [eventAt(dayIn(2), '09:00')]
    await read(person, url)
    expect([await waits(), await inbox()], 'one clashes').toEqual([[true, false], [[first, 'busy']]])
    await person.client.rpc('put_event_back', { p_booking: first! }).throwOnError()
    expect([await waits(), await inbox()], 'it is kept').toEqual([[false, false], []])
    await world.sql('update public.bookings set unchecked_since = now() where user_id = $1', [person.id])
    expect(await inbox()).toEqual([[first, 'busy']])
    await person.client.from('calendars').delete().eq('id', calendar).throwOnError()
    expect([await waits(), await inbox()], 'the calendar is gone').toEqual([[false, false], []])
  })
})

const otherProtocol = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: other\r\nConnection: Upgrade\r\n\r\n'

describe('a private address', () => {
  test('has what is booked at once be a request, unless its owner accepts the delay', async () => {
    const person = await business()
    const url = await addressOf((_, response) => void response.end(calendarOf(eventAt(dayIn(2), '09:00'))))
    const id = await connect(person, url, {}, true)
    await read(person, url)
    const use = await callerAt(person)
    const first = await use('find_times', checkUp(dayIn(2)))
    expect(clocksOf(first, dayIn(2))).toEqual(['10:00', '11:00'])
    expect((await use('book', { offer: first.offers![0]!.offer, name: 'Ada' })).say).toMatch(
      /^Noted as a request/,
    )
    await person.client.from('calendars').update({ accepts_delay: true }).eq('id', id).throwOnError()
    expect((await use('book', { offer: first.offers![1]!.offer, name: 'Ada' })).say).toMatch(/^Booked/)
  })

  test.each<[string, RequestListener, string]>([
    ['answers with a page of the web', (_, response) => void response.end('<!doctype html>'), 'unreadable'],
    ['is gone', (_, response) => void response.writeHead(404).end(), 'missing'],
    ['answers with 11 MB', (_, response) => void response.end('x'.repeat(11_000_000)), 'too_large'],
    ['changes the protocol', ({ socket }) => void socket.write(otherProtocol), 'unreachable'],
  ])('that %s keeps what it has said before, and says why', async (_, answer, problem) => {
    const person = await business()
    let isWell = true
    const url = await addressOf((request, response) =>
      isWell ? void response.end(calendarOf(eventAt(dayIn(2), '09:00'))) : answer(request, response),
    )
    const id = await connect(person, url, {}, true)
    await read(person, url)
    isWell = false
    await read(person, url)
    expect(await stateOf(id)).toEqual({ problem, is_read: true, is_failing: true, busy: 1 })
  })

  test('with an event of millennia is read', async () => {
    const person = await business()
    const event = eventAt(dayIn(2), '10:00').replace(/DTEND:.*/, 'DURATION:P1000000W')
    const url = await addressOf((_, response) => void response.end(calendarOf(event)))
    const id = await connect(person, url, {}, true)
    await read(person, url)
    expect(await stateOf(id)).toEqual({ problem: null, is_read: true, is_failing: false, busy: 1 })
  })

  test('with 5,000 events is read as a whole', async () => {
    const person = await business()
    const events = Array.from({ length: 5_000 }, (_, nth) =>
      eventAt(dayIn(1 + (nth % 250)), `${10 + (Math.floor(nth / 250) % 2)}:00`, `${nth}@example.com`),
    )
    const url = await addressOf((_, response) => void response.end(calendarOf(...events)))
    const id = await connect(person, url, { accepts_delay: true }, true)
    await read(person, url)
    expect(await stateOf(id)).toEqual({ problem: null, is_read: true, is_failing: false, busy: 250 })
    const use = await callerAt(person)
    expect(clocksOf(await use('find_times', checkUp(dayIn(200))), dayIn(200))).toEqual(['09:00'])
  })

  test('is read by the clock, but not within a quarter of an hour again', async () => {
    const person = await business()
    const id = await connect(person, 'http://127.0.0.1:9/', {}, true)
    await world.work('calendars')
    expect(await stateOf(id)).toMatchObject({ problem: 'forbidden' })
    await world.sql('update public.calendars set problem = null where id = $1', [id])
    await world.work('calendars')
    expect(await stateOf(id)).toMatchObject({ problem: null })
  })
})

test('an owner who books over an own event is asked first', async () => {
  const person = await business()
  const url = await addressOf((_, response) => void response.end(calendarOf(eventAt(dayIn(2), '09:00'))))
  await connect(person, url, {}, true)
  await read(person, url)
  const { data } = await person.client.auth.getSession()
  const bookable = '00000000-0000-4000-8000-000000000021'
  const asked = { bookable, day: dayIn(2), people: 1, nights: 0, wanted: null, moved: null }
  const headers = { authorization: `Bearer ${data.session!.access_token}` }
  const { json } = await world.post('booking-times', asked, headers)
  const { times } = json as unknown as { times: { offer: string; starts: string; isTaken: boolean }[] }
  expect(times.map(({ isTaken }) => isTaken)).toEqual([true, false, false])
  const add = (p_overbooks: boolean) =>
    person.client
      .rpc('add_my_booking', { p_offer: times[0]!.offer, p_name: 'Ada', p_overbooks })
      .throwOnError()
  expect((await add(false)).data).toMatchObject({
    outcome: 'taken',
    taken_by: [{ name: null, about: null, starts_at: expect.any(String) }],
  })
  expect((await add(true)).data).toMatchObject({ outcome: 'booked' })

  const from = new Date(momentOf(dayIn(2), '00:00', timeZone)!).toISOString()
  const until = new Date(momentOf(dayIn(3), '00:00', timeZone)!).toISOString()
  const busy = await person.client.rpc('my_busy_times', { p_from: from, p_until: until }).throwOnError()
  expect(busy.data).toMatchObject([{ unit: null }])
  const stranger = await business()
  expect(
    (await stranger.client.rpc('my_busy_times', { p_from: from, p_until: until }).throwOnError()).data,
  ).toEqual([])
})

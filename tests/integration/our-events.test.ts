import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readNow } from '#bookings/server/own-calendars.ts'
import { calendarChangesWithin } from '#connections/server/written-events.ts'
import { runJobs } from '#platform/server/jobs.ts'
import { services } from '#platform/server/services.ts'
import { inboxPage } from '#portal/domain/inbox.ts'
import { customerInPeriod, type Customer } from '../support/admin.ts'
import { madeBooking, unitIds } from '../support/bookings.ts'
import { calendarServers, type CalendarServer } from '../support/calendar-server.ts'
import { connect, deliver, newCalendar, reachOf, type OwnCalendar } from '../support/own-calendar.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()

/** The start of an event of an hour in iCalendar, at so many o'clock in two days, and in ISO 8601. */
const day = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)
const at = (hour: string): string => `${day}T${hour}:00:00Z`
const stamp = (hour: string): string => `${day.replaceAll('-', '')}T${hour}0000Z`
/** Moves an event of 10 o'clock. */
const to = (hour: string) => (event: string) =>
  event.replace(stamp('10'), stamp(hour)).replace(stamp('11'), stamp(String(Number(hour) + 1)))
const startsAt = (hour: string): unknown => expect.stringMatching(new RegExp(`^DTSTART:${stamp(hour)}`, 'm'))

describe.each(Object.entries(calendarServers))('on %s', (_, start) => {
  let server: CalendarServer
  beforeAll(async () => {
    server = await start()
  })
  afterAll(() => server.close())

  const send = () => deliver(world, reachOf(server))
  /** Reads the owner's calendars, as at a ring, and follows what has changed. */
  async function read({ id }: Customer): Promise<void> {
    await readNow(id, services().supabase, reachOf(server))
    await runJobs(calendarChangesWithin(reachOf(server)), services(), { until: Date.now() + 10_000 })
  }
  /** A customer with a booking at ten, which is in the own calendar. */
  async function booked(email: string | null = null) {
    const person = await customerInPeriod(world, {
      minutes_limit: 100,
      current_period_end: '2126-12-01T10:00:00Z',
    })
    const calendar = await newCalendar(server, 'Front desk')
    await connect(world, person, calendar)
    const id = await madeBooking(world, person, 'booked', { at: at('10') })
    await world.sql('update public.bookings set email = $2 where id = $1', [id, email])
    await send()
    expect(await calendar.events()).toEqual([startsAt('10')])
    return { person, calendar, id }
  }
  const bookingOf = async (id: string) => {
    const [row] = await world.sql<{ state: string; starts: string; taken: string[]; waits: boolean }>(
      `select b.state, to_char(b.starts_at at time zone 'UTC', 'HH24') as starts, b.untold_since is not null as waits,
         array(select to_char(lower(o.during) at time zone 'UTC', 'HH24') from private.occupancy o where o.booking_id = b.id) as taken
       from public.bookings b where b.id = $1`,
      [id],
    )
    return row
  }
  const inboxOf = async ({ client }: Customer) => {
    const asked = { p_is_done: false, p_kind: 'event', p_search: '', p_limit: 10 }
    const { data } = await client.rpc('list_inbox', asked).throwOnError()
    return inboxPage.parse(data).rows.map(({ id, why }) => [id, why])
  }
  const putBack = async ({ client }: Customer, id: string): Promise<void> => {
    await client.rpc('put_event_back', { p_booking: id }).throwOnError()
    await send()
  }
  const messages = (id: string) =>
    world.sql<{ event: string }>('select event from public.webhook_deliveries where subject = $1', [id])

  test('what is moved in the calendar moves here, the caller is told, and nothing is written back', async () => {
    const { person, calendar, id } = await booked('ada@guests.example')
    const other = await newCalendar(server, 'Another')
    await connect(world, person, other)
    await calendar.change(id, to('14'))
    await read(person)
    expect(await bookingOf(id)).toEqual({ state: 'booked', starts: '14', taken: ['14'], waits: true })
    const moved = await calendar.events()
    await send()
    await world.work('booking mails')
    await read(person)
    await send()
    expect(await bookingOf(id)).toMatchObject({ starts: '14', waits: false })
    expect(
      world
        .mails()
        .filter(({ to }) => to === 'ada@guests.example')
        .at(0)?.subject,
    ).toContain('Booked')
    expect(await calendar.events(), 'as its owner left it').toEqual(moved)
    expect(await other.events(), 'in the other calendar').toEqual([startsAt('14')])
    expect(await messages(id)).toHaveLength(4)
    expect(await inboxOf(person)).toEqual([])
  })

  test('a calendar of one unit shows the bookings of that unit alone', async () => {
    const { person, calendar: everybodys, id } = await booked()
    const belongs = (endpoint: string, unit: string | null) =>
      person.client.from('calendars').update({ unit }).eq('endpoint_id', endpoint).throwOnError()
    const ofUnit = async (unit: string) => {
      const calendar = await newCalendar(server, 'Of one unit')
      const endpoint = await connect(world, person, calendar)
      await belongs(endpoint, unit)
      return { endpoint, ...calendar }
    }
    const ofRoom = await ofUnit(unitIds.room)
    const calendars = [everybodys, ofRoom, await ofUnit(unitIds.small)]
    const hours = async () => {
      await send()
      const events = await Promise.all(calendars.map((calendar) => calendar.events()))
      return events.map((all) => all.map((event) => /^DTSTART:.+T(..)/m.exec(event)![1]).sort())
    }
    const other = await madeBooking(world, person, 'booked', { at: at('14') })
    expect(await hours()).toEqual([['10', '14'], ['10', '14'], []])
    await world.sql('update public.bookings set units = $2 where id = $1', [other, [unitIds.small]])
    expect(await hours(), 'at another table').toEqual([['10', '14'], ['10'], ['14']])
    await belongs(ofRoom.endpoint, unitIds.small)
    expect(await hours(), 'of a table now').toEqual([['10', '14'], ['14'], ['14']])
    await belongs(ofRoom.endpoint, null)
    expect(await hours(), 'of everybody').toEqual([['10', '14'], ['10', '14'], ['14']])
    await belongs(ofRoom.endpoint, unitIds.room)
    await world.sql('update public.bookings set starts_at = $2, ends_at = $3, units = $4 where id = $1', [
      other,
      at('16'),
      at('17'),
      [unitIds.room],
    ])
    expect(await hours(), 'at another time, too').toEqual([['10', '16'], ['10', '16'], []])
    await read(person)
    await person.client.rpc('cancel_my_booking', { p_booking: other }).throwOnError()
    await person.client.rpc('cancel_my_booking', { p_booking: id }).throwOnError()
    expect(await hours()).toEqual([[], [], []])
    expect(await inboxOf(person)).toEqual([])
  })

  test('a caller without an address waits to be rung', async () => {
    const { person, calendar, id } = await booked()
    await calendar.change(id, to('14'))
    await read(person)
    await world.work('booking mails')
    expect(await bookingOf(id)).toMatchObject({ starts: '14', waits: true })
  })

  test('other words in the calendar change nothing, and stay if the booking moves here', async () => {
    const { person, calendar, id } = await booked()
    await calendar.change(id, (event) => event.replace(/^SUMMARY:.*$/m, 'SUMMARY:Ring her before'))
    await read(person)
    expect(await bookingOf(id)).toMatchObject({ starts: '10', waits: false })
    await world.sql(`update public.bookings set starts_at = $2, ends_at = $3 where id = $1`, [
      id,
      at('15'),
      at('16'),
    ])
    await send()
    const events = await calendar.events()
    expect(events).toEqual([startsAt('15')])
    expect(events[0]).toContain('SUMMARY:Ring her before')
    await read(person)
    expect(await bookingOf(id)).toMatchObject({ starts: '15' })
    await person.client.rpc('cancel_my_booking', { p_booking: id }).throwOnError()
    await send()
    expect(await calendar.events()).toEqual([])
  })

  test('273. The owner deletes a booking in the calendar → it stays booked, and waits for the owner’s decision', async () => {
    const { person, calendar, id } = await booked()
    await calendar.remove(id)
    await read(person)
    await read(person)
    expect(await bookingOf(id)).toEqual({ state: 'booked', starts: '10', taken: ['10'], waits: false })
    expect(await inboxOf(person)).toEqual([[id, 'deleted']])
    await world.sql(`update public.bookings set starts_at = $2, ends_at = $3 where id = $1`, [
      id,
      at('15'),
      at('16'),
    ])
    await send()
    expect(await calendar.events(), 'not without being asked').toEqual([])
    const stranger = await booked()
    await putBack(stranger.person, id)
    expect(await inboxOf(person)).toEqual([[id, 'deleted']])
    await putBack(person, id)
    await read(person)
    expect(await calendar.events()).toEqual([startsAt('15')])
    expect(await inboxOf(person)).toEqual([])

    await calendar.change(id, (event) => event.replace('END:VEVENT', 'STATUS:CANCELLED\r\nEND:VEVENT'))
    await read(person)
    expect(await inboxOf(person), 'cancelled there').toEqual([[id, 'deleted']])
    await putBack(person, id)
    expect(await calendar.events()).toEqual([expect.not.stringContaining('CANCELLED')])
    expect(await inboxOf(person)).toEqual([])

    await calendar.remove(id)
    await read(person)
    await person.client.rpc('cancel_my_booking', { p_booking: id }).throwOnError()
    await send()
    await read(person)
    expect(await inboxOf(person)).toEqual([])
  })

  test('274. The owner moves a booking over another → it stays where it is, and waits for the owner’s decision', async () => {
    const { person, calendar, id } = await booked()
    const taken = await madeBooking(world, person, 'booked', { at: at('14') })
    await send()
    await calendar.change(id, to('14'))
    await read(person)
    await read(person)
    expect(await bookingOf(id)).toEqual({ state: 'booked', starts: '10', taken: ['10'], waits: false })
    expect(await inboxOf(person)).toEqual([[id, 'clashing']])
    expect(await calendar.events()).toEqual([startsAt('14'), startsAt('14')])
    await person.client.rpc('cancel_my_booking', { p_booking: taken }).throwOnError()
    await putBack(person, id)
    expect(await calendar.events()).toEqual([startsAt('10')])
    await calendar.change(id, to('14'))
    await read(person)
    expect(await bookingOf(id), 'once it is free').toMatchObject({ starts: '14', taken: ['14'] })
    expect(await inboxOf(person)).toEqual([])
  })

  test('275. A booking is moved or cancelled here and in the calendar at once → neither is overwritten', async () => {
    const { person, calendar, id } = await booked()
    await calendar.change(id, to('14'))
    await world.sql(`update public.bookings set starts_at = $2, ends_at = $3 where id = $1`, [
      id,
      at('15'),
      at('16'),
    ])
    await send()
    await read(person)
    expect(await calendar.events()).toEqual([startsAt('14')])
    expect(await bookingOf(id)).toMatchObject({ starts: '15' })
    expect(await inboxOf(person)).toEqual([[id, 'clashing']])
    await putBack(person, id)
    expect(await calendar.events()).toEqual([startsAt('15')])

    await calendar.change(id, (event) => event.replaceAll(stamp('15'), stamp('12')))
    await person.client.rpc('cancel_my_booking', { p_booking: id }).throwOnError()
    await send()
    expect(await calendar.events()).toEqual([startsAt('12')])
    expect(await inboxOf(person)).toEqual([[id, 'clashing']])
    await putBack(person, id)
    expect(await calendar.events()).toEqual([])
    expect(await inboxOf(person)).toEqual([])
  })

  test('a day without times, a time that is over, and an end before its start wait for the owner’s decision', async () => {
    for (const [starts, ends] of [
      [`;VALUE=DATE:${day.replaceAll('-', '')}`, ''],
      [':20200101T100000Z', ':20200101T110000Z'],
      [':20300101T110000Z', ':20300101T100000Z'],
    ] as const) {
      const { person, calendar, id } = await booked()
      await calendar.change(id, (event) =>
        event
          .replace(/^DTSTART:.*$/m, `DTSTART${starts}`)
          .replace(/^DTEND:.*\r\n/m, ends && `DTEND${ends}\r\n`),
      )
      await read(person)
      expect(await bookingOf(id)).toMatchObject({ starts: '10' })
      expect(await inboxOf(person)).toEqual([[id, 'clashing']])
    }
  })
})

test('a calendar that refuses or does not answer changes nothing', async () => {
  const [open] = Object.values(calendarServers)
  const server = await open!()
  const person = await customerInPeriod(world, {
    minutes_limit: 100,
    current_period_end: '2126-12-01T10:00:00Z',
  })
  const calendar: OwnCalendar = await newCalendar(server, 'Front desk')
  const endpoint = await connect(world, person, calendar)
  const id = await madeBooking(world, person, 'booked', { at: at('10') })
  await deliver(world, reachOf(server))
  const known = () => world.sql('select * from private.calendar_events where booking_id = $1', [id])
  const before = await known()
  const compare = async (): Promise<void> => {
    await world.sql(`select private.enqueue('calendar changes', $1)`, [`${endpoint}:${id}`])
    await runJobs(calendarChangesWithin(reachOf(server)), services(), { until: Date.now() + 10_000 })
  }
  await world.sql(`update public.webhook_endpoints set secret = 'changed' where id = $1`, [endpoint])
  await compare()
  expect(await known()).toEqual(before)
  server.close()
  await compare()
  expect(await known()).toEqual(before)
})

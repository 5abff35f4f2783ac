import { describe, expect, onTestFinished, test } from 'vitest'
import { momentOf } from '#bookings/domain/free-times.ts'
import { readNow } from '#bookings/server/own-calendars.ts'
import type { ToolAnswer } from '#bookings/server/run-booking-tool.ts'
import { services } from '#platform/server/services.ts'
import { inboxPage } from '#portal/domain/inbox.ts'
import type { Outcome } from '../../local/voice/calls.ts'
import { dayIn, setUpBookings, someSetup, timeZone, unitIds } from '../support/bookings.ts'
import { calendarServers } from '../support/calendar-server.ts'
import { connect, deliver, newCalendar, reachOf } from '../support/own-calendar.ts'
import { telephonyIn, type Customer } from '../support/telephony.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()
const { control, agentsOf, customer, update, numberOf } = telephonyIn(world)

/** A customer whose agent books. */
async function business(setup = someSetup): Promise<Customer> {
  const person = await customer()
  await setUpBookings(person, setup)
  await update(person)
  return person
}
interface Answered {
  status: number
  results?: { name: string; result: string }[]
}
/** A caller at a business, whose agent calls its tools. */
async function callerAt(person: Customer, caller: string | null = '+12025550101') {
  const { call } = await control<Outcome>('ring', { number: await numberOf(person), caller })
  const answered = (calls: object[], more: object = {}) =>
    control<Answered>('tools', { call, calls, ...more })
  const use = async (name: string, given: object = {}, more: object = {}): Promise<ToolAnswer> => {
    const { results } = await answered([{ name, given }], more)
    return JSON.parse(results![0]!.result) as ToolAnswer
  }
  /** Takes the first time that is free. */
  const book = async (given: object, name = 'Ada Meyer'): Promise<ToolAnswer> => {
    const { offers } = await use('find_times', given)
    return use('book', { offer: offers![0]!.offer, name })
  }
  const hangUp = (promised?: string) =>
    control('hang-up', { call, seconds: 30, findings: promised ? { promised } : {} })
  return { call, answered, use, book, hangUp }
}
const bookingsOf = ({ id }: Customer) =>
  world.sql(
    `select state, name, about, phone_number, people, units, code, call_id is not null as is_linked
     from public.bookings where user_id = $1 order by created_at`,
    [id],
  )
const codeIn = ({ say }: ToolAnswer): string => /The code is (.+)\.$/.exec(say)![1]!.replaceAll(' ', '')

test('a free time is found, booked, moved and cancelled while the caller is on the line', async () => {
  const person = await business()
  const caller = await callerAt(person)
  const found = await caller.use('find_times', { service: 'check-up', date: dayIn(2), latest: '11:00' })
  expect(found.offers!.map(({ starts }) => starts)).toEqual(
    ['09:00', '10:00', '11:00'].map((time) => `${dayIn(2)}T${time}`),
  )
  expect(found.say).toMatch(/^Free are \w+, \w+ \d+ at 9:00.AM; .+\. Which suits you\?$/)
  expect(await world.sql('select * from private.occupancy where user_id = $1', [person.id])).toEqual([])

  const taken = { offer: found.offers![1]!.offer, name: 'Ada Meyer' }
  const booked = await caller.use('book', taken)
  expect(booked.say).toMatch(
    /^Booked: Check-up, .+ at 10:00.AM, for Ada Meyer\. The code is ([A-Z\d] ){5}[A-Z\d]\.$/,
  )
  expect(await caller.use('book', taken, { times: 3 }), 'a repetition').toEqual(booked)
  expect(await bookingsOf(person)).toMatchObject([
    { state: 'booked', units: [unitIds.ada, unitIds.cabin], phone_number: '+12025550101', is_linked: false },
  ])
  await caller.hangUp()
  expect(await bookingsOf(person)).toMatchObject([{ is_linked: true }])

  const again = await callerAt(person)
  const other = await again.use('find_times', { service: 'Check-up', date: dayIn(2) })
  expect(other.offers!.map(({ starts }) => starts.slice(11))).toEqual(['09:00', '11:00'])
  // A booking that is moved takes nothing from itself.
  const others = await again.use('find_other_times', { name: 'Maier', date: dayIn(2) })
  expect(others.offers!.map(({ starts }) => starts.slice(11))).toEqual(['09:00', '10:00', '11:00'])
  const moved = { offer: other.offers![1]!.offer, name: 'Maier' }
  expect((await again.use('move', { ...moved, offer: others.offers![1]!.offer })).say).toMatch(/10:00.AM/)
  expect((await again.use('move', moved)).say).toMatch(/^Booked: Check-up, .+ at 11:00.AM, for Ada Meyer/)
  expect((await again.use('move', moved)).say, 'a repetition').toMatch(/11:00/)
  expect((await again.use('cancel', { name: 'Ada Meyer' })).say).toMatch(/^Cancelled: Check-up/)
  expect((await again.use('cancel', { name: 'Ada Meyer' })).say, 'a repetition').toMatch(/^Cancelled/)
  expect((await again.use('move', { ...moved, name: 'Ada Meyer' })).say).toMatch(/^I find no such booking/)
  expect(await world.sql('select * from private.occupancy where user_id = $1', [person.id])).toEqual([])
})

const weekdayIn = (days: number): string =>
  new Date(dayIn(days)).toLocaleDateString('en-US', { weekday: 'long', timeZone: 'UTC' })
/** Returns how a caller on a laptop says a line and hears the reply, of an agent without a language model. */
async function callOf(person: Customer) {
  const { call, hangUp } = await callerAt(person)
  const hear = async (text: string) => (await control<{ reply: string }>('say', { call, text })).reply
  return { hear, hangUp }
}

test('a caller on a laptop hears free times, takes one of them, has it, and moves it in the next call', async () => {
  const person = await business()
  const weekday = weekdayIn(3)
  const { hear, hangUp } = await callOf(person)
  expect(await hear(`Can I have an appointment on ${weekday}?`)).toBe('What would you like to book?')
  expect(await hear('A check-up, please.')).toMatch(/^Free are .+ at 9:00.AM; .+ Which suits you\?$/)
  expect(await hear('The second one.')).toBe('What is your name?')
  expect(await hear('Ada Meyer')).toMatch(/^Booked: Check-up, .+ at 10:00.AM, for Ada Meyer/)
  expect(await bookingsOf(person)).toMatchObject([{ state: 'booked', name: 'Ada Meyer' }])
  await hangUp('booked')

  const { hear: hearAgain } = await callOf(person)
  expect(await hearAgain('I need to move my appointment.')).toBe('Under which name is it booked?')
  expect(await hearAgain('Ada Maier')).toBe('To which day shall I move it?')
  expect(await hearAgain(`${weekday}, please.`)).toMatch(
    /^Free are .+ at 9:00.AM; .+ at 10:00.AM; .+ at 11:00.AM\. /,
  )
  expect(await hearAgain('At eleven.')).toMatch(/^Booked: Check-up, .+ at 11:00.AM, for Ada Meyer/)
  const { hear: hearOther } = await callOf(person)
  expect(await hearOther(`Can I have a check-up on ${weekday} morning?`)).toMatch(
    /^Free are .+ at 9:00.AM; [^;]+ at 10:00.AM\. /,
  )
  expect(await hearOther('At eleven.'), 'the time that is taken').not.toMatch(/^Booked|^What is your name/)
})

test('a caller on a laptop books a table for six, two nights, and what the staff has to confirm', async () => {
  const person = await business()
  for (const [asked, booked] of [
    [`Do you have a table for six on ${weekdayIn(3)}?`, /^Booked: Table, /],
    [`Is a double room free for two nights on ${weekdayIn(3)}?`, /^Booked: Double room, .+ – /],
    [`I would like an appointment for surgery on ${weekdayIn(3)}`, /^Noted as a request: Surgery, /],
  ] as const) {
    const { hear, hangUp } = await callOf(person)
    expect(await hear(asked)).toMatch(/^Free (is|are) /)
    expect(await hear('The first one.')).toBe('What is your name?')
    expect(await hear('Ada Meyer')).toMatch(booked)
    await hangUp('booked')
  }
  expect(await bookingsOf(person)).toMatchObject([
    { state: 'booked', people: 6, units: [unitIds.small, unitIds.large] },
    { state: 'booked', units: [unitIds.room] },
    { state: 'requested', about: 'Surgery' },
  ])
})

test('a table for six takes two that are joined, and a stay its nights', async () => {
  const person = await business()
  const caller = await callerAt(person)
  expect((await caller.book({ service: 'Table', date: dayIn(3), people: 6 })).say).toMatch(/^Booked: Table/)
  expect((await caller.book({ service: 'Double room', date: dayIn(3), people: 2, nights: 2 })).say).toMatch(
    /^Booked: Double room, .+ – .+, for Ada Meyer/,
  )
  expect(await bookingsOf(person)).toMatchObject([
    { units: [unitIds.small, unitIds.large], people: 6 },
    { units: [unitIds.room], people: 2 },
  ])
  const next = await callerAt(person)
  const full = await next.use('find_times', { service: 'Double room', date: dayIn(4), nights: 1 })
  expect(full.say).toMatch(/^Nothing is free then\. The next times are /)
  expect(full.offers![0]!.starts).toBe(`${dayIn(5)}T15:00`)
  expect((await next.use('find_times', { service: 'Table', date: dayIn(3), people: 9 })).say).toMatch(
    /^At most 8/,
  )
})

test('two callers who want the same time: one has it, and the other hears new times in the same answer', async () => {
  const person = await business()
  const callers = await Promise.all([1, 2, 3, 4].map((nth) => callerAt(person, `+1202555020${nth}`)))
  const offers = await Promise.all(
    callers.map(
      async ({ use }) => (await use('find_times', { service: 'Check-up', date: dayIn(4) })).offers![0]!,
    ),
  )
  const said = await Promise.all(
    callers.map(({ use }, nth) => use('book', { offer: offers[nth]!.offer, name: 'Ada' })),
  )
  expect(said.filter(({ say }) => say.startsWith('Booked'))).toHaveLength(1)
  const others = said.filter(({ say }) => !say.startsWith('Booked'))
  expect(others.map(({ say }) => say.slice(0, 20))).toEqual(others.map(() => 'It is taken by now. '))
  expect(others[0]!.offers!.map(({ starts }) => starts.slice(11))).toEqual(['10:00', '11:00'])
  expect(await bookingsOf(person)).toHaveLength(1)
})

describe('an offer', () => {
  test.each<[string, (person: Customer) => Promise<unknown>]>([
    [
      'is over after half an hour',
      ({ id }) =>
        world.sql(
          `update private.booking_offers set created_at = now() - interval '31 minutes' where user_id = $1`,
          [id],
        ),
    ],
    ['is over once something else can be booked', (person) => setUpBookings(person)],
  ])('%s, and new times are offered', async (_, change) => {
    const person = await business()
    const caller = await callerAt(person)
    const { offers } = await caller.use('find_times', { service: 'Check-up', date: dayIn(2) })
    await change(person)
    const said = await caller.use('book', { offer: offers![0]!.offer, name: 'Ada' })
    expect(said.say).toMatch(/^It has to be looked up again\. Free are /)
    expect(await bookingsOf(person)).toEqual([])
  })
  test('that another booking has had is taken, for a booking and for a move', async () => {
    const person = await business()
    const caller = await callerAt(person)
    const { offers } = await caller.use('find_times', { service: 'Check-up', date: dayIn(2) })
    const [first, second] = offers!.map(({ offer }) => offer)
    await caller.use('book', { offer: first, name: 'Ada Meyer' })
    await caller.use('book', { offer: second, name: 'Bob Stone' })
    expect((await caller.use('move', { offer: second, name: 'Ada Meyer' })).say).toMatch(
      /^It is taken by now/,
    )
    const later = await callerAt(person)
    const other = await later.use('find_other_times', { name: 'Ada Meyer', date: dayIn(3) })
    const { offer } = other.offers![0]!
    expect((await later.use('move', { offer, name: 'Ada Meyer' })).say).toMatch(/^Booked/)
    expect((await later.use('book', { offer, name: 'Carl Berg' })).say).toMatch(/^It is taken by now/)
    expect(await bookingsOf(person)).toMatchObject([{ name: 'Ada Meyer' }, { name: 'Bob Stone' }])
  })
  test('of another call, or one that the model has invented, books nothing', async () => {
    const person = await business()
    const { offers } = await (
      await callerAt(person)
    ).use('find_times', { service: 'Check-up', date: dayIn(2) })
    const other = await callerAt(person)
    for (const offer of [offers![0]!.offer, 'tomorrow at ten'])
      expect((await other.use('book', { offer, name: 'Ada' })).say).toMatch(/^This offer is not known/)
    expect(await bookingsOf(person)).toEqual([])
  })
})

describe('who decides', () => {
  test('a request is noted, and takes its units', async () => {
    const person = await business()
    const caller = await callerAt(person)
    expect((await caller.book({ service: 'Surgery', date: dayIn(2) })).say).toMatch(
      /^Noted as a request: .+ not booked yet/,
    )
    const { offers } = await caller.use('find_times', { service: 'Check-up', date: dayIn(2) })
    expect(offers!.map(({ starts }) => starts.slice(11))).toEqual(['10:00', '11:00'])
  })
  test('beyond so many a day it is a request', async () => {
    const [checkUp, ...others] = someSetup.bookables
    const person = await business({ ...someSetup, bookables: [{ ...checkUp!, mostADay: 1 }, ...others] })
    const caller = await callerAt(person)
    expect((await caller.book({ service: 'Check-up', date: dayIn(2) })).say).toMatch(/^Booked/)
    expect((await caller.book({ service: 'Check-up', date: dayIn(2) })).say).toMatch(/^Noted as a request/)
    // One that is moved within its day is not one more.
    const { offers } = await caller.use('find_other_times', {
      name: 'Meyer',
      code: (await bookingsOf(person))[0]!.code,
      date: dayIn(2),
    })
    expect(
      (
        await caller.use('move', {
          name: 'Meyer',
          code: (await bookingsOf(person))[0]!.code,
          offer: offers![0]!.offer,
        })
      ).say,
    ).toMatch(/^Booked/)
  })
  test.each([null, 'anonymous', '+266696687'])(
    'somebody who withholds the number (%s) makes a request, and cancels it by its code',
    async (number) => {
      const person = await business()
      const caller = await callerAt(person, number)
      expect((await caller.book({ service: 'Check-up', date: dayIn(2) })).say).toMatch(/^Noted as a request/)
      expect((await caller.use('cancel', { name: 'Ada Meyer' })).say).toBe('Ask for the code of the booking.')
      const [{ code }] = (await bookingsOf(person)) as [{ code: string }]
      expect((await caller.use('cancel', { name: 'Somebody', code })).say).toMatch(/^I find no booking/)
      const spelled = [...code.toLowerCase()].join('-')
      expect((await caller.use('cancel', { name: 'Meyer', code: spelled })).say).toMatch(/^Cancelled/)
    },
  )
  test('two bookings a call, and so many of a number', async () => {
    const person = await business({ ...someSetup, mostOpen: 3 })
    const caller = await callerAt(person)
    const asked = { service: 'Check-up', date: dayIn(2), until: dayIn(9) }
    for (const expected of [/^Booked/, /^Booked/, /^No more/])
      expect((await caller.book(asked)).say).toMatch(expected)
    const again = await callerAt(person)
    for (const expected of [/^Booked/, /^No more/]) expect((await again.book(asked)).say).toMatch(expected)
  })
})

describe('whose booking', () => {
  test('another number needs the code, nothing is said of another person, and three wrong codes end it', async () => {
    const person = await business()
    const code = codeIn(await (await callerAt(person)).book({ service: 'Check-up', date: dayIn(2) }))
    const other = await callerAt(person, '+12025550999')
    expect((await other.use('cancel', { name: 'Ada Meyer' })).say).toMatch(/^I find no booking/)
    for (const wrong of ['AAAAAA', 'BBBBBB', 'CCCCCC'])
      expect((await other.use('cancel', { name: 'Ada Meyer', code: wrong })).say).toMatch(
        /^I find no booking/,
      )
    expect((await other.use('cancel', { name: 'Ada Meyer', code })).say).toMatch(/I will take a message/)
    const later = await callerAt(person, '+12025550999')
    expect((await later.use('cancel', { name: 'Ada Meyer', code })).say).toMatch(/^Cancelled/)
  })
  test('codes that are said at once count, each of them', async () => {
    const person = await business()
    const { use } = await callerAt(person)
    const guesses = Array.from({ length: 12 }, (_, nth) =>
      use('cancel', { name: 'Meyer', code: `AAAA${nth}` }),
    )
    const said = await Promise.all(guesses)
    expect(said.filter(({ say }) => say.startsWith('I find no booking'))).toHaveLength(3)
  })
  test('what a model fills with nothing is no code and no day', async () => {
    const person = await business()
    const caller = await callerAt(person)
    await caller.book({ service: 'Check-up', date: dayIn(2), until: '', with: null })
    for (const code of ['-', '', ' '])
      expect(
        (await caller.use('find_other_times', { name: 'Meyer', code, day: '', date: dayIn(2) })).say,
      ).toMatch(/^Free are /)
    expect((await caller.use('cancel', { name: 'Meyer', code: '' })).say).toMatch(/^Cancelled/)
  })
  test('of several the caller names the day', async () => {
    const person = await business()
    const caller = await callerAt(person)
    await caller.book({ service: 'Check-up', date: dayIn(2) })
    await caller.book({ service: 'Check-up', date: dayIn(3) })
    expect((await caller.use('cancel', { name: 'Meyer' })).say).toMatch(/^There are several: /)
    expect((await caller.use('cancel', { name: 'Meyer', day: dayIn(3) })).say).toMatch(/^Cancelled/)
    expect((await bookingsOf(person)).map(({ state }) => state)).toEqual(['booked', 'cancelled'])
  })
})

describe('what the agent said that it had done', () => {
  const isDoubted = async ({ id }: Customer, call?: string) => {
    const [row] = await world.sql<{ doubted: boolean }>(
      `select doubted_since is not null and heard_at is null as doubted from public.calls where user_id = $1 and provider_call_id = $2`,
      [id, `vapi:${call}`],
    )
    return row!.doubted
  }
  const checkUp = { service: 'check-up', date: dayIn(2) }

  test('is doubted if no row of the call agrees, until its owner has listened', async () => {
    const [person, stranger] = [await business(), await business()]
    const talker = await callerAt(person)
    await talker.use('find_times', checkUp)
    await talker.hangUp('booked')
    expect(await isDoubted(person, talker.call)).toBe(true)
    const [{ id }] = (await world.sql<{ id: string }>('select id from public.calls where user_id = $1', [
      person.id,
    ])) as [{ id: string }]
    await stranger.client.rpc('note_heard', { p_call: id }).throwOnError()
    expect(await isDoubted(person, talker.call)).toBe(true)
    await person.client.rpc('note_heard', { p_call: id }).throwOnError()
    expect(await isDoubted(person, talker.call)).toBe(false)
    await control('report', { call: talker.call })
    expect(await isDoubted(person, talker.call), 'reported once more').toBe(false)
    expect(await bookingsOf(person)).toEqual([])
  })

  test('is true if this call has booked, moved or cancelled', async () => {
    const person = await business()
    const first = await callerAt(person)
    await first.book(checkUp)
    await first.hangUp('booked')
    const second = await callerAt(person)
    const { offers } = await second.use('find_times', checkUp)
    await second.use('move', { offer: offers!.at(-1)!.offer, name: 'Ada Meyer' })
    await second.hangUp('moved')
    const third = await callerAt(person)
    await third.use('cancel', { name: 'Ada Meyer' })
    await third.hangUp('cancelled')
    const fourth = await callerAt(person)
    await fourth.hangUp('cancelled')
    const doubted = [first, second, third, fourth].map(({ call }) => isDoubted(person, call))
    expect(await Promise.all(doubted)).toEqual([false, false, false, true])
  })
})

test('who asks something that the agent was not taught leaves a message, and so does who asks to', async () => {
  const person = await business()
  const told = ['Ada Lind', 'A pool', 'Please ring me back.']
  for (const lines of [
    ['Do you have a swimming pool?', 'Yes, please', ...told],
    ['Can I leave a message?', ...told],
  ]) {
    const caller = await callOf(person)
    let said = ''
    for (const line of lines) said = await caller.hear(line)
    expect(said).toMatch(/^I have noted it/)
    await caller.hangUp()
  }
  const { data } = await person.client.from('messages').select('name, about, message, phone_number')
  const kept = {
    name: 'Ada Lind',
    about: 'A pool',
    message: 'Please ring me back.',
    phone_number: '+12025550101',
  }
  expect(data).toEqual([kept, kept])
})

test('a message is kept once for a call and a subject, with the number that rings', async () => {
  const person = await business()
  const caller = await callerAt(person)
  const message = { name: 'Ada', about: 'Invoice', message: 'Please call back.' }
  expect((await caller.use('take_message', message)).say).toMatch(/^I have noted it/)
  await caller.use('take_message', { ...message, message: 'Please call back after five.' })
  await caller.hangUp()
  const { data } = await person.client
    .from('messages')
    .select('about, message, phone_number, is_urgent, call_id')
  expect(data).toEqual([
    {
      about: 'Invoice',
      message: 'Please call back after five.',
      phone_number: '+12025550101',
      is_urgent: false,
      call_id: expect.any(String) as string,
    },
  ])
})

test('who books and asks to be rung is in the inbox, the own calendar and the mail after the call', async () => {
  const server = await calendarServers['a small server']!()
  onTestFinished(server.close)
  const reach = reachOf(server)
  const person = await business()
  const calendar = await newCalendar(server, 'Front desk')
  await connect(world, person, calendar)
  await readNow(person.id, services().supabase, reach)
  const reader = `${person.id}@example.com`
  await person.client
    .from('call_settings')
    .upsert({ user_id: person.id, summaries_to: [reader] })
    .throwOnError()
  const inbox = async () => {
    const asked = { p_is_done: false, p_kind: null as never, p_search: '', p_limit: 10 }
    const { rows } = inboxPage.parse((await person.client.rpc('list_inbox', asked).throwOnError()).data)
    return Object.fromEntries(rows.map((row) => [row.kind, row]))
  }
  const eventsThere = async () => {
    await deliver(world, reach)
    return (await calendar.events()).sort()
  }

  const caller = await callerAt(person)
  const said = [
    await caller.book({ service: 'check-up', date: dayIn(2) }),
    await caller.book({ service: 'surgery', date: dayIn(3) }),
  ].map(({ say }) => say)
  expect(said).toEqual([
    expect.stringMatching(/^Booked: Check-up, .+ at 9:00.AM/),
    expect.stringMatching(/^Noted as a request: Surgery, /),
  ])
  await caller.use('take_message', { name: 'Ada Meyer', about: 'Parking', message: 'Ring me back, please.' })
  await control('hang-up', { call: caller.call, seconds: 30, findings: { about: 'A check-up' } })
  await world.work('call mails')

  const [call] = await world.sql<{ id: string }>('select id from public.calls where user_id = $1', [
    person.id,
  ])
  const who = { name: 'Ada Meyer', phone_number: '+12025550101', call_id: call!.id }
  const waiting = await inbox()
  expect(waiting).toEqual({
    message: expect.objectContaining({ ...who, about: 'Parking', words: 'Ring me back, please.' }),
    request: expect.objectContaining({ ...who, about: 'Surgery' }),
    booking: expect.objectContaining({ ...who, about: 'Check-up' }),
  })

  const [mail] = world.mails().filter(({ to }) => to === reader)
  expect(mail!.text).toMatch(/^Booked: Check-up, .+ 09:00 \(Europe\/Berlin\), Ada Meyer$/m)
  expect(mail!.text).toMatch(
    /^Message from Ada Meyer, \+1 202 555 0101, about Parking: Ring me back, please\.$/m,
  )
  expect(mail!.text).toContain(`${world.origin}/portal?call=${call!.id}\n`)

  const eventOf = (day: number, service: string): unknown =>
    expect.stringMatching(
      new RegExp(
        `^DTSTART:${new Date(momentOf(dayIn(day), '09:00', timeZone)!).toISOString().replace(/[-:]|\.\d+/g, '')}\r\n[^]*^SUMMARY:Ada Meyer: ${service}\r\n[^]*\\+12025550101`,
        'm',
      ),
    )
  expect(await eventsThere()).toEqual([eventOf(2, 'Check-up')])
  const confirmed = { p_booking: waiting.request!.id, p_confirms: true }
  await person.client.rpc('decide_booking', confirmed).throwOnError()
  expect(await eventsThere()).toEqual(expect.arrayContaining([eventOf(2, 'Check-up'), eventOf(3, 'Surgery')]))
  expect(await inbox()).toMatchObject({ call_back: { ...who, about: 'Surgery', why: 'decided' } })
})

test('a test call books nothing, and says so', async () => {
  const person = await business()
  const started = await world.post(
    'start-test-call',
    { agent: person.id },
    { authorization: `Bearer ${person.token}` },
  )
  const call = String(started.json.call).replace('vapi:', '')
  await control('join', { call })
  const use = async (name: string, given: object): Promise<ToolAnswer> =>
    JSON.parse(
      (await control<Answered>('tools', { call, calls: [{ name, given }] })).results![0]!.result,
    ) as ToolAnswer
  const { offers } = await use('find_times', { service: 'Table', date: dayIn(2) })
  const { say } = await use('book', { offer: offers![0]!.offer, name: 'Ada' })
  expect(say).toMatch(/^Booked: .+ This is a test: nothing of it is kept\.$/)
  await use('take_message', { name: 'Ada', about: 'Test', message: 'A test' })
  expect(await bookingsOf(person)).toEqual([])
  expect(await world.sql('select * from public.messages where user_id = $1', [person.id])).toEqual([])
})

describe('requests that are not what they should be', () => {
  test('a forged or old one is refused, and books nothing', async () => {
    const person = await business()
    const caller = await callerAt(person)
    for (const signing of ['forged', 'stale', 'none']) {
      const { status } = await caller.answered([{ name: 'take_message', given: { name: 'Ada' } }], {
        signing,
      })
      expect(status).toBe(400)
    }
  })
  test('arguments that a model has made up are answered by what is wrong', async () => {
    const caller = await callerAt(await business())
    expect((await caller.use('find_times', { service: 'Check-up', date: 'next Thursday' })).say).toBe(
      'Missing or malformed: date.',
    )
    expect((await caller.use('find_times', { service: 'Haircut', date: dayIn(1) })).say).toBe(
      'Only this can be booked: Check-up, Table, Double room, Surgery.',
    )
    expect((await caller.use('book', {})).say).toBe('Missing or malformed: offer, name.')
  })
  test.each<[string, object, RegExp]>([
    ['nobody', { people: 0 }, /malformed: people/],
    ['less than nobody', { people: -1 }, /malformed: people/],
    ['a billion', { people: 1e9 }, /malformed: people/],
    ['nights without end', { nights: 1e9 }, /malformed: nights/],
    ['a day long ago', { date: '1900-01-01' }, /malformed: date/],
    ['a day that is over', { date: dayIn(-1) }, /^It can be booked from /],
    ['a day in a hundred years', { date: '2099-12-31' }, /^It can be booked from /],
    ['the end of time', { date: '9999-12-31' }, /malformed: date/],
    ['29 February of a year without one', { date: '2027-02-29' }, /malformed: date/],
    ['a century of days', { date: dayIn(1), until: '2099-12-31' }, /^Free are /],
    ['days from the last to the first', { date: dayIn(3), until: dayIn(1) }, /^Free are /],
  ])('%s → an answer that the model understands', async (_, given, said) => {
    const caller = await callerAt(await business())
    const asked = { service: 'Table', date: dayIn(1), ...given }
    expect((await caller.use('find_times', asked)).say).toMatch(said)
  })
  test('a name is kept as text of one line, or refused', async () => {
    const person = await business()
    const caller = await callerAt(person)
    const { offers } = await caller.use('find_times', { service: 'Table', date: dayIn(1) })
    const { offer } = offers![0]!
    for (const name of ['A'.repeat(500), ' \u0000 ', ''])
      expect((await caller.use('book', { offer, name })).say).toBe('Missing or malformed: name.')
    const said = await caller.use('book', { offer, name: 'Ada\u0000\r\nBcc: \ud800 {{this_call}} <b>' })
    expect(said.say).toMatch(/for Ada Bcc: . \{ \{this_call\}\} <b>\. The code/)
    expect(await bookingsOf(person)).toMatchObject([{ name: 'Ada Bcc: \ufffd {{this_call}} <b>' }])
  })
  test('a number that its owner blocks during the call books nothing', async () => {
    const person = await business()
    const caller = await callerAt(person)
    await world.sql(
      `insert into public.blocked_callers (user_id, phone_number) values ($1, '+12025550101')`,
      [person.id],
    )
    expect((await caller.book({ service: 'Table', date: dayIn(1) })).say).toMatch(/^No more can be booked/)
    expect(await bookingsOf(person)).toEqual([])
  })
  test('a tool that is called after the call books nothing, because nobody says so', async () => {
    const person = await business()
    const caller = await callerAt(person)
    const { offers } = await caller.use('find_times', { service: 'Table', date: dayIn(1) })
    await caller.hangUp()
    expect((await caller.use('book', { offer: offers![0]!.offer, name: 'Ada' })).say).not.toMatch(/^Booked/)
    expect(await bookingsOf(person)).toEqual([])
  })
  test('several tools at once are answered in their order', async () => {
    const caller = await callerAt(await business())
    const { results } = await caller.answered([
      { name: 'find_times', given: { service: 'Table', date: dayIn(1) } },
      { name: 'take_message', given: { name: 'Ada', about: 'Parking', message: 'Is there any?' } },
    ])
    expect(results!.map(({ name }) => name)).toEqual(['find_times', 'take_message'])
  })
})

test('an agent without anything that can be booked takes messages only, and gets the tools with the set-up', async () => {
  const person = await customer()
  await update(person)
  const toolsOf = async () => {
    const [agent] = (await agentsOf(person.id)) as unknown as {
      model: { tools: { function?: { name: string } }[] }
    }[]
    return agent!.model.tools.flatMap((each) => each.function?.name ?? [])
  }
  expect(await toolsOf()).toEqual(['take_message'])
  await setUpBookings(person)
  await update(person)
  expect(await toolsOf()).toEqual([
    'find_times',
    'book',
    'find_other_times',
    'move',
    'cancel',
    'take_message',
  ])
})

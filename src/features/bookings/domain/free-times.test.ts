import { describe, expect, test } from 'vitest'
import { noKnowledge, weekdays, type OpenHours } from '#agent/domain/knowledge/knowledge.ts'
import { bookablesOf, noSetup, parseSetup, type Bookable, type Resource } from './booking-setup.ts'
import { comingDays, isSameName, localOf, whenWords } from './booking-words.ts'
import { freeTimes, handTimes, type BusyRange, type Facts, type TimesRequest } from './free-times.ts'

const id = (nth: number): string => `00000000-0000-4000-8000-${String(nth).padStart(12, '0')}`
const unit = (nth: number, seats = 1, name = `Unit ${nth}`) => ({ id: id(nth), name, seats })
const resource = (nth: number, units: Resource['units'], more: Partial<Resource> = {}): Resource => ({
  id: id(nth),
  name: 'Resource',
  units,
  joins: [],
  isShared: false,
  mostShared: 3,
  ...more,
})
const bookable = (more: Partial<Bookable> = {}): Bookable => ({
  id: id(99),
  service: 'Massage',
  length: { minutes: 60, buffer: 0 },
  step: 60,
  resources: [id(10)],
  decision: 'at_once',
  mostADay: null,
  hours: null,
  notice: 0,
  horizon: 60,
  mostPeople: 20,
  mostNights: 14,
  ...more,
})
const always = (from: string, until: string): OpenHours =>
  Object.fromEntries(weekdays.map((day) => [day, [{ from, until }]])) as unknown as OpenHours

const timeZone = 'Europe/Berlin'
/** Tuesday, 24 November 2026, 08:00 in Berlin. */
const now = Date.parse('2026-11-24T07:00:00Z')
const facts = (resources: Resource[], more: Partial<Facts> = {}): Facts => ({
  setup: { ...noSetup, resources },
  knowledge: { ...noKnowledge, timeZone, hours: always('09:00', '12:00') },
  busy: [],
  now,
  ...more,
})
const request = (more: Partial<TimesRequest> = {}): TimesRequest => ({
  bookable: bookable(),
  from: '2026-11-26',
  until: '2026-11-26',
  earliest: '00:00',
  latest: '23:59',
  people: 1,
  nights: 0,
  wanted: null,
  ...more,
})
const busy = (nth: number, from: string, until: string): BusyRange => ({
  unit: id(nth),
  from: Date.parse(from),
  until: Date.parse(until),
})
const startsOf = (asked: TimesRequest, known: Facts): string[] =>
  freeTimes(asked, known).map(({ starts }) => localOf(starts, known.knowledge.timeZone))
const one = [resource(10, [unit(1)])]

describe('an appointment', () => {
  test('takes what it needs together, and is free only if all of it is', () => {
    const both = [resource(10, [unit(1)]), resource(11, [unit(2), unit(3)])]
    const asked = request({ bookable: bookable({ resources: [id(10), id(11)] }) })
    const known = facts(both, { busy: [busy(2, '2026-11-26T08:00Z', '2026-11-26T09:00Z')] })
    expect(freeTimes(asked, known)[0]!.units).toEqual([id(1), id(3)])
    known.busy = [...known.busy, busy(3, '2026-11-26T08:30Z', '2026-11-26T08:45Z')]
    expect(startsOf(asked, known)).toEqual(['2026-11-26T10:00', '2026-11-26T11:00'])
  })

  test('keeps its buffer free, and ends before the business closes', () => {
    const asked = request({ bookable: bookable({ length: { minutes: 50, buffer: 30 }, step: 10 }) })
    expect(
      startsOf(asked, facts(one, { busy: [busy(1, '2026-11-26T09:20Z', '2026-11-26T10:00Z')] })),
    ).toEqual(['2026-11-26T09:00', '2026-11-26T11:00'])
  })

  test.each<[string, Partial<TimesRequest>, Partial<Bookable>, string[]]>([
    ['in the morning', { latest: '09:30' }, {}, ['09:00']],
    ['from ten on', { earliest: '10:00' }, {}, ['10:00', '11:00']],
    [
      'with a day of notice',
      { from: '2026-11-24', until: '2026-11-25' },
      { notice: 1_500 },
      ['09:00', '10:00', '11:00'],
    ],
    ['beyond the horizon', {}, { horizon: 1 }, []],
    ['in the past', { from: '2026-11-01', until: '2026-11-02' }, {}, []],
    ['in narrower hours', {}, { hours: always('10:30', '23:00') }, ['10:30']],
    ['of too many', { people: 21 }, {}, []],
    ['for nights', { nights: 1 }, {}, []],
  ])('%s', (_, asked, more, times) => {
    expect(
      startsOf(request({ ...asked, bookable: bookable(more) }), facts(one)).map((each) => each.slice(11)),
    ).toEqual(times)
  })

  test('goes by the holidays, and by nothing without hours', () => {
    const knowledge = { ...noKnowledge, timeZone, hours: always('09:00', '12:00') }
    const holidays = [
      { date: '2026-11-26', name: 'Thanksgiving', blocks: [{ from: '15:00', until: '16:00' }] },
    ]
    expect(startsOf(request(), facts(one, { knowledge: { ...knowledge, holidays } }))).toEqual([
      '2026-11-26T15:00',
    ])
    expect(freeTimes(request(), facts(one, { knowledge: { ...knowledge, hours: null } }))).toEqual([])
  })

  test('with the person that the caller names', () => {
    const people = [resource(10, [unit(1, 1, 'Dr. Ada Lind'), unit(2, 1, 'Dr. Bo Berg')])]
    expect(freeTimes(request({ wanted: 'doctor berg' }), facts(people))[0]!.units).toEqual([id(1)])
    expect(freeTimes(request({ wanted: 'Dr Berg' }), facts(people))[0]!.units).toEqual([id(2)])
  })

  test.each([
    ['skips', '2026-03-29', ['01:00', '03:00', '04:00']],
    ['repeats', '2026-10-25', ['01:00', '02:00', '03:00']],
  ])('on the day on which the clock %s an hour', (_, day, times) => {
    const known = facts(one, {
      knowledge: { ...noKnowledge, timeZone, hours: always('01:00', '06:00') },
      now: Date.parse(`${day}T00:00:00Z`) - 86_400_000,
    })
    const found = freeTimes(request({ from: day, until: day }), known)
    expect(found.map(({ starts }) => localOf(starts, timeZone).slice(11))).toEqual(times)
    expect(found.every(({ starts, ends }) => ends - starts === 3_600_000)).toBe(true)
  })

  test('past midnight', () => {
    const late = facts(one, { knowledge: { ...noKnowledge, timeZone, hours: always('22:00', '01:00') } })
    expect(startsOf(request(), late)).toEqual(['2026-11-26T22:00', '2026-11-26T23:00', '2026-11-27T00:00'])
  })
})

describe('a table', () => {
  const tables = [
    resource(10, [unit(1, 2), unit(2, 4), unit(3, 2)], {
      joins: [
        [id(1), id(3)],
        [id(1), id(2), id(3)],
      ],
    }),
  ]
  test.each([
    [1, [1]],
    [3, [2]],
    [6, [1, 2, 3]],
    [9, undefined],
  ])('for %i', (people, units) => {
    expect(freeTimes(request({ people }), facts(tables))[0]?.units).toEqual(units?.map(id))
  })
  test('joins only what is free', () => {
    const known = facts(tables, { busy: [busy(2, '2026-11-26T00:00Z', '2026-11-27T00:00Z')] })
    expect(freeTimes(request({ people: 4 }), known)[0]?.units).toEqual([id(1), id(3)])
    expect(freeTimes(request({ people: 6 }), known)).toEqual([])
  })
})

describe('a stay', () => {
  const rooms = [resource(10, [unit(1, 2), unit(2, 2), unit(3, 3)], { isShared: true })]
  const stay = request({ bookable: bookable({ length: null }), nights: 2, people: 2 })

  test('lasts from check-in to check-out, and the next one begins on the day on which it ends', () => {
    const [first] = freeTimes(stay, facts(rooms))
    expect(whenWords({ ...first!, isStay: true }, { language: 'en-US', timeZone })).toBe(
      'Thursday, November 26 – Saturday, November 28',
    )
    const taken = (from: string, until: string) =>
      [1, 2, 3].map((nth) => busy(nth, `${from}T11:00Z`, `${until}T11:00Z`))
    expect(freeTimes(stay, facts(rooms, { busy: taken('2026-11-28', '2026-11-30') }))).toHaveLength(1)
    expect(freeTimes(stay, facts(rooms, { busy: taken('2026-11-27', '2026-11-30') }))).toEqual([])
  })
  test('of a group takes several rooms', () => {
    expect(freeTimes({ ...stay, people: 5 }, facts(rooms))[0]!.units).toEqual([id(3), id(2)])
    expect(freeTimes({ ...stay, people: 8 }, facts(rooms))).toEqual([])
    const known = facts(rooms.map((each) => ({ ...each, mostShared: 2 })))
    expect(freeTimes({ ...stay, people: 6 }, known), 'more rooms than a caller takes').toEqual([])
    const [byHand] = handTimes({ ...stay, people: 6 }, known)
    expect(byHand).toMatchObject({ units: [id(3), id(2), id(1)], isTaken: false })
  })
})

test('a day has its first times, at least an hour apart, and at most three in all', () => {
  const asked = request({ bookable: bookable({ step: 15 }), until: '2026-11-28' })
  expect(startsOf(asked, facts(one))).toEqual(['2026-11-26T09:00', '2026-11-26T10:00', '2026-11-26T11:00'])
})

test('a document that is unreadable, or a bookable without units, offers nothing', () => {
  expect(parseSetup({ resources: 'none' })).toEqual(noSetup)
  expect(bookablesOf({ ...noSetup, bookables: [bookable()], resources: [resource(10, [])] })).toEqual([])
  expect(bookablesOf({ ...noSetup, bookables: [bookable()], resources: one })).toHaveLength(1)
})

test.each([
  ['Meyer', 'Maier', true],
  ['Ada Lindgren', 'lindgren', true],
  ['José', 'Jose', true],
  ['Meyer', 'Berg', false],
  ['Ann', 'Bob', false],
  ['', '', false],
  ['Dr. Meyer', 'Dr. Smith', false],
  ['Mrs Jones', 'Mrs. Jones', true],
  ['van Dyk', 'van Gogh', false],
  ['Le', 'Le', true],
  ['Smith', 'Ada or Bob or Carl or Dan or Smith', false],
])('%s and %s may be one person: %s', (name, said, expected) => {
  expect(isSameName(name, said)).toBe(expected)
})

test('the agent is told the coming days by the clock of the business', () => {
  expect(comingDays(Date.parse('2026-11-24T23:30:00Z'), timeZone)).toMatch(
    /^Wednesday 2026-11-25, Thursday 2026-11-26, .*Tuesday 2026-12-08$/,
  )
})

describe('by hand', () => {
  const shown = (asked: TimesRequest, known: Facts): string[] =>
    handTimes(asked, known).map(
      ({ starts, units, isTaken }) =>
        `${localOf(starts, timeZone).slice(11)} ${units.map((each) => Number(each.slice(-2))).join('+')}${isTaken ? ' taken' : ''}`,
    )

  test('every time of a day is there, the taken ones with the units that they would have', () => {
    const known = facts([resource(10, [unit(1), unit(2)])], {
      busy: [
        busy(1, '2026-11-26T08:00Z', '2026-11-26T10:00Z'),
        busy(2, '2026-11-26T09:00Z', '2026-11-26T10:00Z'),
      ],
    })
    expect(shown(request({ bookable: bookable({ step: 30 }) }), known)).toEqual([
      '09:00 2',
      '09:30 1 taken',
      '10:00 1 taken',
      '10:30 1 taken',
      '11:00 1',
    ])
  })

  test('what limits callers does not limit the owner, and what is over is over', () => {
    const known = facts(one)
    const limited = { notice: 20_000, horizon: 1, mostPeople: 1, mostNights: 1 }
    expect(shown(request({ bookable: bookable(limited) }), known)).toHaveLength(3)
    expect(shown(request({ from: '2026-11-23', until: '2026-11-23' }), known)).toEqual([])
    expect(shown(request({ people: 2 }), known), 'nothing seats two').toEqual([])
  })

  test.each([
    ['2026-03-29', ['01:00', '03:00', '04:00']],
    ['2026-10-25', ['01:00', '02:00', '03:00', '04:00']],
  ])('on %s, when the clock changes', (day, times) => {
    const known = facts(one, {
      knowledge: { ...noKnowledge, timeZone, hours: always('01:00', '05:00') },
      now: Date.parse('2026-03-01T00:00Z'),
    })
    const asked = request({ from: day, until: day })
    expect(shown(asked, known).map((each) => each.slice(0, 5))).toEqual(times)
  })
})

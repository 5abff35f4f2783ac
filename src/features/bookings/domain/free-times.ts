import { Temporal } from 'temporal-polyfill'
import { blocksOn, type AgentKnowledge, type OpenBlock } from '#agent/domain/knowledge/knowledge.ts'
import { wordsIn } from './booking-words.ts'
import {
  longestHorizon,
  setupLimits,
  type Bookable,
  type BookingSetup,
  type Resource,
  type Unit,
} from './booking-setup.ts'

/** What a caller asks for. Days are YYYY-MM-DD and times HH:MM, by the clock of the business. */
export interface TimesRequest {
  bookable: Bookable
  /** The first and the last day on which it may begin. */
  from: string
  until: string
  /** Between which times of day it may begin. */
  earliest: string
  latest: string
  people: number
  /** 0 for all but a stay. */
  nights: number
  /** The name of the unit that is wanted, such as a practitioner's; null if any will do. */
  wanted: string | null
}

/** Returns the request for all times of a day, of any unit. */
export const anyTimeOn = (
  day: string,
  of: Pick<TimesRequest, 'bookable' | 'people' | 'nights'>,
): TimesRequest => ({ ...of, from: day, until: day, earliest: '00:00', latest: '23:59', wanted: null })

/** When a unit is taken, in milliseconds since 1970; without a unit all are. */
export interface BusyRange {
  unit: string | null
  from: number
  until: number
}

/** A time that can be booked, in milliseconds since 1970. */
export interface FreeTime {
  starts: number
  ends: number
  /** For how long its units are taken: with what is kept free after it. */
  takenFrom: number
  takenUntil: number
  units: string[]
}

export interface Facts {
  setup: Pick<BookingSetup, 'resources' | 'checkIn' | 'checkOut'>
  knowledge: Pick<AgentKnowledge, 'hours' | 'holidays' | 'timeZone'>
  busy: readonly BusyRange[]
  /** In milliseconds since 1970. */
  now: number
}

/** How many times a caller hears at once. */
export const mostTimes = 3
/** The longest time between the first and the last day of a request, in days. */
export const longestSearch = 31
const minuteMs = 60_000

/**
 * Returns free times for a request, earliest first, at most {@link mostTimes}: on each day the first, and others at least
 * an hour later. None if the business has entered no hours.
 */
export function freeTimes(request: TimesRequest, facts: Facts): FreeTime[] {
  const { bookable, people, nights } = request
  if (
    people > bookable.mostPeople ||
    nights > bookable.mostNights ||
    (bookable.length === null) !== nights > 0
  )
    return []
  const found: FreeTime[] = []
  for (const date of daysOf(request, facts)) {
    for (const span of spansOn(date, request, facts)) {
      const last = found.at(-1)
      if (last && span.starts - last.starts < 60 * minuteMs) continue
      const units = unitsFor(request, facts, span)
      if (units) found.push({ ...span, units })
      if (found.length === mostTimes) return found
    }
  }
  return found
}

/** A time that the owner can book by hand. */
export interface HandTime extends FreeTime {
  /** Whether another booking has its units, which it then would have if it were alone. */
  isTaken: boolean
}

/** Returns every time of a day, free or taken, at which the owner can book by hand: whatever callers are limited to. */
export function handTimes({ bookable, ...asked }: TimesRequest, facts: Facts): HandTime[] {
  const request = { ...asked, bookable: { ...bookable, notice: 0, horizon: longestHorizon } }
  const resources = facts.setup.resources.map((each) => ({ ...each, mostShared: setupLimits.units }))
  const known = { ...facts, setup: { ...facts.setup, resources } }
  return daysOf(request, known)
    .flatMap((date) => spansOn(date, request, known))
    .flatMap((span) => {
      const free = unitsFor(request, known, span)
      const units = free ?? unitsFor(request, { ...known, busy: [] }, span)
      return units ? [{ ...span, units, isTaken: !free }] : []
    })
}

type Span = Omit<FreeTime, 'units'>

/** Returns the days of a request that lie within the notice and the horizon. */
function daysOf({ bookable, from, until }: TimesRequest, { knowledge, now }: Facts): string[] {
  const today = Temporal.Instant.fromEpochMilliseconds(now)
    .toZonedDateTimeISO(knowledge.timeZone)
    .toPlainDate()
  const first = latestOf(Temporal.PlainDate.from(from), today)
  const end = earliestOf(
    Temporal.PlainDate.from(until),
    today.add({ days: bookable.horizon }),
    first.add({ days: longestSearch }),
  )
  const days: string[] = []
  for (let day = first; Temporal.PlainDate.compare(day, end) <= 0; day = day.add({ days: 1 }))
    days.push(day.toString())
  return days
}
const latestOf = (...days: Temporal.PlainDate[]): Temporal.PlainDate =>
  days.toSorted(Temporal.PlainDate.compare).at(-1)!
const earliestOf = (...days: Temporal.PlainDate[]): Temporal.PlainDate =>
  days.toSorted(Temporal.PlainDate.compare)[0]!

/** Returns when a booking could begin on a day, whether its units are free or not. */
function spansOn(date: string, request: TimesRequest, { setup, knowledge, now }: Facts): Span[] {
  const { bookable, nights, earliest, latest } = request
  const { hours, holidays, timeZone } = knowledge
  const notBefore = now + bookable.notice * minuteMs
  if (!bookable.length) {
    if (hours && blocksOn({ hours, holidays }, date).length === 0) return []
    const leaving = Temporal.PlainDate.from(date).add({ days: nights }).toString()
    const [starts, ends] = [
      momentOf(date, setup.checkIn, timeZone),
      momentOf(leaving, setup.checkOut, timeZone),
    ]
    // Nights are counted from noon to noon, whatever the hours of check-in and check-out are today.
    const [takenFrom, takenUntil] = [momentOf(date, '12:00', timeZone), momentOf(leaving, '12:00', timeZone)]
    return starts && ends && takenFrom && takenUntil && starts >= notBefore
      ? [{ starts, ends, takenFrom, takenUntil }]
      : []
  }
  if (!hours) return []
  const { minutes, buffer } = bookable.length
  const blocks = blocksOn({ hours, holidays }, date).flatMap((block) =>
    bookable.hours ? narrowed(block, blocksOn({ hours: bookable.hours, holidays: [] }, date)) : [block],
  )
  return blocks.flatMap((block) => {
    const end = minutesOf(block.until) + (minutesOf(block.until) <= minutesOf(block.from) ? 1_440 : 0)
    const spans: Span[] = []
    for (let minute = minutesOf(block.from); minute + minutes <= end; minute += bookable.step) {
      const clock = clockOf(minute)
      if (minute < 1_440 ? clock < earliest || clock > latest : latest < '23:59') continue
      const day = minute < 1_440 ? date : Temporal.PlainDate.from(date).add({ days: 1 }).toString()
      const starts = momentOf(day, clock, timeZone)
      if (starts === undefined || starts < notBefore) continue
      const ends = starts + minutes * minuteMs
      spans.push({ starts, ends, takenFrom: starts, takenUntil: ends + buffer * minuteMs })
    }
    return spans
  })
}

/** Returns the parts of a block that lie within others. */
const narrowed = (block: OpenBlock, others: readonly OpenBlock[]): OpenBlock[] =>
  others.flatMap((other) => {
    const from = Math.max(minutesOf(block.from), minutesOf(other.from))
    const until = Math.min(endOf(block), endOf(other))
    return from < until ? [{ from: clockOf(from), until: until === 1_440 ? '24:00' : clockOf(until) }] : []
  })
const endOf = ({ from, until }: OpenBlock): number =>
  minutesOf(until) + (minutesOf(until) <= minutesOf(from) ? 1_440 : 0)

const minutesOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))
const clockOf = (minutes: number): string =>
  `${String(Math.floor(minutes / 60) % 24).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

/** Returns a moment in milliseconds since 1970; undefined if the clock skips it. Of two it is the first. */
export function momentOf(date: string, clock: string, timeZone: string): number | undefined {
  const local = Temporal.PlainDateTime.from(`${date}T${clock}`)
  const moment = local.toZonedDateTime(timeZone, { disambiguation: 'earlier' })
  return moment.toPlainDateTime().equals(local) ? moment.epochMilliseconds : undefined
}

/** Returns the moment at which a day begins, in milliseconds since 1970. */
export const startOf = (date: string, timeZone: string): number =>
  momentOf(date, '00:00', timeZone) ?? momentOf(date, '01:00', timeZone) ?? Date.parse(date)

/** Returns the units that a booking would take, of each resource what it needs; undefined if they are not free. */
function unitsFor(
  { bookable, people, wanted }: TimesRequest,
  { setup, busy }: Facts,
  { takenFrom, takenUntil }: Span,
): string[] | undefined {
  const taken = new Set(
    busy.filter(({ from, until }) => from < takenUntil && until > takenFrom).map(({ unit }) => unit),
  )
  const isFree = ({ id }: Unit): boolean => !taken.has(id) && !taken.has(null)
  const units: string[] = []
  for (const id of bookable.resources) {
    const resource = setup.resources.find((each) => each.id === id)
    const chosen = resource && seatsFor(resource, people, wanted, isFree)
    if (!chosen) return undefined
    units.push(...chosen)
  }
  return units
}

/** Chooses units of a resource: the smallest that seats all, else the smallest join, else several if they are shared. */
function seatsFor(
  { units, joins, isShared, mostShared }: Resource,
  people: number,
  wanted: string | null,
  isFree: (unit: Unit) => boolean,
): string[] | undefined {
  const named = wanted === null ? [] : units.filter(({ name }) => isNamed(name, wanted))
  const free = (named.length > 0 ? named : units)
    .filter(isFree)
    .toSorted((one, other) => one.seats - other.seats)
  const one = free.find(({ seats }) => seats >= people)
  if (one) return [one.id]
  const seats = (ids: readonly string[]): number =>
    ids.reduce((sum, id) => sum + (free.find((each) => each.id === id)?.seats ?? -Infinity), 0)
  const [joined] = joins
    .filter((ids) => seats(ids) >= people)
    .toSorted((some, others) => seats(some) - seats(others))
  if (joined || !isShared) return joined
  const taken: string[] = []
  for (const unit of free.toReversed().slice(0, mostShared)) {
    if (taken.length > 0 && seats(taken) >= people) break
    taken.push(unit.id)
  }
  return taken.length > 0 && seats(taken) >= people ? taken : undefined
}

/** Whether a unit is meant by what a caller says: "Ada" and "Dr Ada Lind" mean "Dr. Ada Lind". */
const isNamed = (name: string, said: string): boolean => {
  const own = wordsIn(name)
  const wanted = wordsIn(said)
  return wanted.length > 0 && wanted.every((word) => own.includes(word))
}

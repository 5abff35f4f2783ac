import ICAL from 'ical.js'
import { RRuleTemporal } from 'rrule-temporal'
import { Temporal } from 'temporal-polyfill'

/** When an event takes time, in milliseconds since 1970. */
export interface BusyTime {
  starts: number
  ends: number
}

/** An event whose uid may be that of a booking of ours. */
export interface OwnEvent extends BusyTime {
  uid: string
}

export interface Reading {
  /** Between which moments, in milliseconds since 1970. */
  from: number
  until: number
  /** The zone of days, and of times without a zone. */
  timeZone: string
  /** Whether a day is the night that begins in it, from noon to noon, as in a list of stays. */
  byNight: boolean
}

/** A calendar says something that cannot be read, or repeats it more often than is read. */
export class UnreadableCalendarError extends Error {
  override readonly name = 'UnreadableCalendarError'
}

/** The most times that are read of a calendar, and how far one rule is followed to find them. */
const mostTimes = 20_000
const ruleBounds = { maxIterations: 50_000, maxCandidateEvaluations: 500_000, cache: false }

/**
 * Returns when the events of a calendar take time. Those that are free, cancelled or without a length take none.
 * @param texts iCalendar (RFC 5545); a series and its exceptions stand in one text
 * @returns own: events that may be bookings of ours; busy: all others, merged
 * @throws UnreadableCalendarError
 */
export function busyTimes(texts: readonly string[], reading: Reading): { busy: BusyTime[]; own: OwnEvent[] } {
  const [busy, own]: [BusyTime[], OwnEvent[]] = [[], []]
  const defined = new Map<string, Zone | undefined>()
  try {
    for (const calendar of texts.flatMap(calendarsOf)) {
      const zoneOf = zonesOf(calendar, reading, defined)
      for (const [uid, events] of eventsOf(calendar)) {
        for (const time of timesOf(events, zoneOf, reading)) {
          if (time.ends <= Math.max(time.starts, reading.from) || time.starts >= reading.until) continue
          if (ownUid.test(uid)) own.push({ uid, ...time })
          else busy.push(time)
          if (busy.length + own.length > mostTimes) throw new UnreadableCalendarError('too many times')
        }
      }
    }
  } catch (error) {
    throw error instanceof UnreadableCalendarError
      ? error
      : new UnreadableCalendarError('not a calendar', { cause: error })
  }
  return { busy: merged(busy), own }
}
const ownUid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Returns times without their overlaps, earliest first. */
function merged(times: readonly BusyTime[]): BusyTime[] {
  const found: BusyTime[] = []
  for (const { starts, ends } of times.toSorted((one, other) => one.starts - other.starts)) {
    const last = found.at(-1)
    if (last && starts <= last.ends) last.ends = Math.max(last.ends, ends)
    else found.push({ starts, ends })
  }
  return found
}

/** What ical.js makes of a text (jCal, RFC 7265). */
type Property = [name: string, parameters: Record<string, unknown>, type: string, ...values: unknown[]]
type Component = [name: string, properties: Property[], parts: Component[]]

function calendarsOf(text: string): Component[] {
  const parsed = ICAL.parse(text.replace(/^\uFEFF/, '')) as Component | Component[]
  const roots = typeof parsed[0] === 'string' ? [parsed as Component] : (parsed as Component[])
  if (roots.length === 0 || roots.some(([name]) => name !== 'vcalendar'))
    throw new UnreadableCalendarError('not a calendar')
  return roots
}

const all = ([, properties]: Component, name: string): Property[] =>
  properties.filter(([each]) => each === name)
const first = (component: Component, name: string): Property | undefined => all(component, name)[0]
const textOf = (component: Component, name: string): string => String(first(component, name)?.[3] ?? '')

/** Returns the events of a calendar by their uid: a series with its exceptions. */
function eventsOf([, , parts]: Component): [uid: string, events: Component[]][] {
  const found = new Map<string, Component[]>()
  for (const part of parts) {
    if (part[0] !== 'vevent') continue
    const uid = textOf(part, 'uid')
    const same = uid ? found.get(uid) : undefined
    if (same) same.push(part)
    else found.set(uid || `without ${found.size}`, [part])
  }
  return [...found]
}

/** Returns a moment in milliseconds since 1970 for what a clock shows, as if that were UTC. */
type Zone = (shown: number) => number
const utc: Zone = (shown) => shown

/** A time as a calendar writes it. */
interface Written {
  shown: number
  zone: Zone
  isDay: boolean
}

const dayMs = 86_400_000
const dayOf = (shown: number): number => Math.floor(shown / dayMs)
const momentOf = ({ shown, zone }: Written): number => zone(shown)

/** Returns when events with the same uid take time. */
function timesOf(
  events: readonly Component[],
  zoneOf: (name: unknown) => Zone,
  reading: Reading,
): BusyTime[] {
  const read = ([, { tzid }]: Property, value: unknown): Written => {
    const raw = String(value)
    const isDay = raw.length === 10
    const shown = Date.parse(isDay || raw.endsWith('Z') ? raw : `${raw}Z`)
    if (Number.isNaN(shown)) throw new UnreadableCalendarError('a time')
    const zone = raw.endsWith('Z') ? utc : zoneOf(isDay ? undefined : tzid)
    return { shown: isDay && reading.byNight ? shown + dayMs / 2 : shown, zone, isDay }
  }
  const timesIn = (component: Component, name: string): Written[] =>
    all(component, name).flatMap((property) => property.slice(3).map((value) => read(property, value)))
  const isFree = (event: Component): boolean =>
    textOf(event, 'transp').toUpperCase() === 'TRANSPARENT' ||
    textOf(event, 'status').toUpperCase() === 'CANCELLED' ||
    textOf(event, 'x-microsoft-cdo-busystatus').toUpperCase() === 'FREE'

  /** Returns when an event starts, and for such a start when it ends. */
  const spanOf = (event: Component) => {
    const [starts] = timesIn(event, 'dtstart')
    const [ends] = timesIn(event, 'dtend')
    if (!starts) throw new UnreadableCalendarError('an event without a start')
    const duration = first(event, 'duration')
    const nominal = duration
      ? Temporal.Duration.from(String(duration[3])).total({
          unit: 'milliseconds',
          relativeTo: '2000-01-01[UTC]',
        })
      : starts.isDay
        ? dayMs
        : 0
    // Days are as long as they are; a time is as long on each day (RFC 5545, section 3.8.5.3).
    const length = !ends
      ? nominal
      : starts.isDay
        ? ends.shown - starts.shown
        : momentOf(ends) - momentOf(starts)
    return {
      starts,
      length,
      at: (shown: number): BusyTime => ({
        starts: starts.zone(shown),
        ends: starts.isDay ? starts.zone(shown + length) : starts.zone(shown) + length,
      }),
    }
  }
  const exceptions = events.filter((event) => first(event, 'recurrence-id'))
  if (exceptions.some((event) => first(event, 'recurrence-id')![1]['range'] !== undefined))
    throw new UnreadableCalendarError('an exception for all that follows')
  const times = exceptions.flatMap((event) => {
    const { starts, at } = spanOf(event)
    return isFree(event) ? [] : [at(starts.shown)]
  })
  for (const event of events) {
    if (first(event, 'recurrence-id') || isFree(event)) continue
    const { starts, length, at } = spanOf(event)
    const isNear = (shown: number): boolean =>
      shown + length > reading.from - dayMs * 2 && shown < reading.until + dayMs * 2
    const rules = all(event, 'rrule')
    const more = [
      ...timesIn(event, 'rdate').map(({ shown }) => shown),
      ...rules.flatMap((rule) => repeated(rule[3], starts, reading.from - length, reading.until)),
    ]
    const left = [
      ...timesIn(event, 'exdate'),
      ...exceptions.flatMap((each) => timesIn(each, 'recurrence-id')),
    ]
    const leftMoments = new Set(left.filter(({ isDay }) => isDay === starts.isDay).map(momentOf))
    const leftDays = new Set(
      left.filter(({ isDay }) => isDay !== starts.isDay).map(({ shown }) => dayOf(shown)),
    )
    for (const shown of new Set([...(rules.length === 0 ? [starts.shown] : []), ...more])) {
      if (!isNear(shown)) continue
      const time = at(shown)
      if (!leftMoments.has(time.starts) && !leftDays.has(dayOf(shown))) times.push(time)
    }
  }
  return times
}

/** Returns the starts of a series by one of its rules, as its clock shows them, from a day before a time to a day after another. */
function repeated(rule: unknown, { shown, zone }: Written, from: number, until: number): number[] {
  const { until: last, ...parts } = rule as Record<string, unknown>
  const written = Object.entries(parts).map(
    ([name, value]) => `${name.toUpperCase()}=${[value].flat().join(',')}`,
  )
  const found = new RRuleTemporal({
    rruleString: `RRULE:${written.join(';')}`,
    dtstart: Temporal.Instant.fromEpochMilliseconds(shown).toZonedDateTimeISO('UTC'),
    includeDtstart: true,
    ...ruleBounds,
  })
    .between(new Date(from - dayMs), new Date(until + dayMs), true)
    .map(({ epochMilliseconds }) => epochMilliseconds)
  if (last === undefined) return found
  const raw = String(last)
  const end = Date.parse(raw.length === 10 ? `${raw}T23:59:59Z` : raw.endsWith('Z') ? raw : `${raw}Z`)
  if (Number.isNaN(end)) throw new UnreadableCalendarError('the end of a rule')
  return found.filter((each) => (raw.endsWith('Z') ? zone(each) : each) <= end)
}

/**
 * Returns the zone of a name: that of the world, or else the one that the calendar defines, or else that of the business.
 * @param known the zones that were defined so far: each event of a server brings its own definition
 */
function zonesOf(
  [, , parts]: Component,
  reading: Reading,
  known: Map<string, Zone | undefined>,
): (name: unknown) => Zone {
  const own = zoneNamed(reading.timeZone) ?? utc
  const definedAs = (name: string): Zone | undefined => {
    const definition = parts.find((part) => part[0] === 'vtimezone' && textOf(part, 'tzid') === name)
    if (!definition) return undefined
    const key = JSON.stringify(definition)
    if (!known.has(key))
      known.set(key, zoneNamed(textOf(definition, 'x-lic-location')) ?? zoneDefined(definition, reading))
    return known.get(key)
  }
  return (name) =>
    typeof name === 'string'
      ? // Some programs write a path before the name.
        (zoneNamed(name) ?? zoneNamed(name.split('/').slice(-2).join('/')) ?? definedAs(name) ?? own)
      : own
}

const named = new Map<string, Zone>()
/** Returns a zone of the IANA's list; undefined if there is none of this name. */
function zoneNamed(name: string): Zone | undefined {
  const known = named.get(name)
  if (known) return known
  if (!isZone(name)) return undefined
  const zone: Zone = (shown) =>
    Temporal.Instant.fromEpochMilliseconds(shown)
      .toZonedDateTimeISO('UTC')
      .toPlainDateTime()
      .toZonedDateTime(name).epochMilliseconds
  named.set(name, zone)
  return zone
}
function isZone(name: string): boolean {
  try {
    Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** Returns the zone that a calendar defines (VTIMEZONE), as Outlook does under names of its own. */
function zoneDefined([, , observances]: Component, { from, until }: Reading): Zone | undefined {
  const onsets = observances
    .flatMap((observance) => {
      const offset = Date.parse(`1970-01-01T00:00:00${textOf(observance, 'tzoffsetto')}`)
      const shown = Date.parse(`${textOf(observance, 'dtstart')}Z`)
      const rules = all(observance, 'rrule')
      const dates = all(observance, 'rdate').flatMap((each) =>
        each.slice(3).map((date) => Date.parse(`${String(date)}Z`)),
      )
      const written = { shown, zone: utc, isDay: false }
      const more = rules.flatMap((rule) => repeated(rule[3], written, from - 400 * dayMs, until))
      return [shown, ...dates, ...more].map((at) => ({ at, offset: -offset }))
    })
    .toSorted((one, other) => one.at - other.at)
  if (onsets.some(({ at, offset }) => Number.isNaN(at + offset))) throw new UnreadableCalendarError('a zone')
  return onsets.length === 0
    ? undefined
    : (shown) => shown - (onsets.findLast(({ at }) => at <= shown) ?? onsets[0]!).offset
}

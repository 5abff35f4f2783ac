import ICAL from 'ical.js'
import { RRuleTemporal } from 'rrule-temporal'
import { Temporal } from 'temporal-polyfill'
import { findIana } from 'windows-iana'

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
  /** The owner's addresses of mail, in small letters: what one of them has declined takes no time. */
  addresses: ReadonlySet<string>
}

/** A calendar says something that cannot be read, or repeats it more often than is read. */
export class UnreadableCalendarError extends Error {
  override readonly name = 'UnreadableCalendarError'
}

/** The most times that are read of a calendar, and how far one rule is followed to find them. */
const mostTimes = 20_000
const ruleBounds = { maxIterations: 50_000, maxCandidateEvaluations: 500_000, cache: false }
/** For how long a calendar is read, in milliseconds, and the most parameters of a line: ical.js reads them in quadratic time. */
const longestReading = 4_000
const mostParameters = 10_000
/** The longest name of a zone, in characters. */
const longestZone = 200
/** What PostgreSQL keeps of an event that takes centuries. */
const [firstMoment, lastMoment] = [Date.UTC(1000, 0), Date.UTC(9999, 0)]

/** Ends a reading that takes too long. */
type Watch = () => void
function watchOf(): Watch {
  const until = performance.now() + longestReading
  return () => {
    if (performance.now() > until) throw new UnreadableCalendarError('too slow')
  }
}

// A day that stands where a time should is read as a day.
ICAL.design.strict = false

/**
 * Returns when the events of a calendar take time. Those that are free, declined, cancelled or without a length take none.
 * @param texts iCalendar (RFC 5545); a series and its exceptions stand in one text
 * @returns own: events that may be bookings of ours; busy: all others, merged
 * @throws UnreadableCalendarError
 */
export function busyTimes(texts: readonly string[], reading: Reading): { busy: BusyTime[]; own: OwnEvent[] } {
  const [busy, own]: [BusyTime[], OwnEvent[]] = [[], []]
  const defined = new Map<string, Zone | undefined>()
  const watch = watchOf()
  try {
    for (const calendar of texts.flatMap(calendarsOf)) {
      const zoneOf = zonesOf(calendar, reading, defined, watch)
      const read = eventsOf(calendar).map(
        ([uid, events]) => [uid, timesOf(events, zoneOf, reading, watch)] as const,
      )
      for (const [uid, times] of [...read, ['', toldBusy(calendar)] as const]) {
        for (const each of times) {
          const time = { starts: Math.max(each.starts, firstMoment), ends: Math.min(each.ends, lastMoment) }
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

/** The lines that say when somebody is busy. Others are not read: programs write some of them wrongly. */
const readLine =
  /^(?:(?:BEGIN|END):[\w-]+\s*$|ATTENDEE;.*DECLINED|(?:UID|DTSTART|DTEND|DURATION|RRULE|RDATE|EXDATE|RECURRENCE-ID|TRANSP|STATUS|X-MICROSOFT-CDO-BUSYSTATUS|X-APPLE-TRAVEL-DURATION|FREEBUSY|TZID|TZOFFSETTO|X-LIC-LOCATION)[;:].*[^\s:]\s*$)/i

function calendarsOf(text: string): Component[] {
  const lines = text
    .trimStart()
    .replace(/\r?\n[ \t]/g, '')
    .split(/\r?\n/)
  const read = lines
    .filter((line) => readLine.test(line))
    .map((line) => (/^RRULE/i.test(line) ? line.replaceAll(' ', '') : line))
  if (read.some((line) => line.split(';', mostParameters).length === mostParameters))
    throw new UnreadableCalendarError('a line')
  const parsed = ICAL.parse(read.join('\r\n')) as Component | Component[]
  const roots = typeof parsed[0] === 'string' ? [parsed as Component] : (parsed as Component[])
  if (roots.length === 0 || roots.some(([name]) => name !== 'vcalendar'))
    throw new UnreadableCalendarError('not a calendar')
  return roots
}

const all = ([, properties]: Component, name: string): Property[] =>
  properties.filter(([each]) => each === name)
const first = (component: Component, name: string): Property | undefined => all(component, name)[0]
const textOf = (component: Component, name: string): string => String(first(component, name)?.[3] ?? '')

const durationOf = (component: Component, name: string): number =>
  millisecondsOf(first(component, name)?.[3] ?? 'PT0S')
const millisecondsOf = (duration: unknown): number =>
  Temporal.Duration.from(String(duration)).total({ unit: 'milliseconds', relativeTo: '2000-01-01[UTC]' })

/** Returns the times of a calendar that tells no events (VFREEBUSY, RFC 5545, section 3.6.4). */
const toldBusy = ([, , parts]: Component): BusyTime[] =>
  parts
    .flatMap((part) => (part[0] === 'vfreebusy' ? all(part, 'freebusy') : []))
    .filter(([, { fbtype }]) => fbtype !== 'FREE')
    .flatMap((property) => property.slice(3) as [string, string][])
    .map(([from, until]) => {
      const starts = Date.parse(from)
      const ends = until.startsWith('P') ? starts + millisecondsOf(until) : Date.parse(until)
      if (Number.isNaN(starts + ends)) throw new UnreadableCalendarError('a time')
      return { starts, ends }
    })

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

/** When an event starts, and in milliseconds how long it is and the way there. */
interface Span {
  starts: Written
  length: number
  travel: number
}

const dayMs = 86_400_000
const dayOf = (shown: number): number => Math.floor(shown / dayMs)
const momentOf = ({ shown, zone }: Written): number => zone(shown)

/** Returns when events with the same uid take time. */
function timesOf(
  events: readonly Component[],
  zoneOf: (name: unknown) => Zone,
  reading: Reading,
  watch: Watch,
): BusyTime[] {
  const read = ([, { tzid }]: Property, value: unknown): Written => {
    watch()
    const raw = String(value)
    const isDay = raw.length === 10
    const shown = Date.parse(isDay || raw.endsWith('Z') ? raw : `${raw}Z`)
    if (Number.isNaN(shown)) throw new UnreadableCalendarError('a time')
    const zone = raw.endsWith('Z') ? utc : zoneOf(isDay ? undefined : tzid)
    return { shown: isDay && reading.byNight ? shown + dayMs / 2 : shown, zone, isDay }
  }
  const timesIn = (component: Component, name: string): Written[] =>
    all(component, name).flatMap((property) => property.slice(3).map((value) => read(property, value)))
  // iCloud has the address in EMAIL.
  const isDeclined = ([, { partstat, email }, , address]: Property): boolean =>
    partstat === 'DECLINED' &&
    [email, address].some((each) =>
      reading.addresses.has(
        String(each)
          .toLowerCase()
          .replace(/^mailto:/, ''),
      ),
    )
  const isFree = (event: Component): boolean =>
    textOf(event, 'transp').toUpperCase() === 'TRANSPARENT' ||
    textOf(event, 'status').toUpperCase() === 'CANCELLED' ||
    textOf(event, 'x-microsoft-cdo-busystatus').toUpperCase() === 'FREE' ||
    all(event, 'attendee').some(isDeclined)

  const spanOf = (event: Component): Span => {
    const [starts] = timesIn(event, 'dtstart')
    const [ends] = timesIn(event, 'dtend')
    if (!starts) throw new UnreadableCalendarError('an event without a start')
    // Days are as long as they are; a time is as long on each day (RFC 5545, section 3.8.5.3).
    const length = !ends
      ? durationOf(event, 'duration')
      : starts.isDay
        ? ends.shown - starts.shown
        : momentOf(ends) - momentOf(starts)
    return {
      starts,
      // Some programs end a day on the day itself.
      length: starts.isDay ? Math.max(length, dayMs) : length,
      // The way there, which Apple's calendar keeps free.
      travel: durationOf(event, 'x-apple-travel-duration'),
    }
  }
  /** Returns when an event takes time if it starts at a time that the clock of its series shows. */
  const timeAt = (shown: number, { starts: { zone, isDay } }: Span, { length, travel }: Span): BusyTime => ({
    starts: zone(shown) - travel,
    ends: isDay ? zone(shown + length) : zone(shown) + length,
  })
  const exceptions = events
    .filter((event) => first(event, 'recurrence-id'))
    .map((event) => {
      const [replaced] = timesIn(event, 'recurrence-id') as [Written]
      const span = spanOf(event)
      const shift = momentOf(span.starts) - momentOf(replaced)
      const goesOn = first(event, 'recurrence-id')![1]['range'] !== undefined
      return { replaced, span, shift, goesOn, isFree: isFree(event) }
    })
  // What changes all that follows (RFC 5545, section 3.2.13), the latest first.
  const changes = exceptions
    .filter(({ goesOn }) => goesOn)
    .toSorted((one, other) => momentOf(other.replaced) - momentOf(one.replaced))
  const times = exceptions.flatMap(({ span, isFree }) =>
    isFree ? [] : [timeAt(span.starts.shown, span, span)],
  )
  for (const event of events) {
    if (first(event, 'recurrence-id') || (isFree(event) && changes.length === 0)) continue
    const series = { span: spanOf(event), shift: 0, isFree: isFree(event) }
    const { starts } = series.span
    const far = Math.max(...[series, ...changes].map(({ span, shift }) => span.length + Math.abs(shift)))
    const [from, until] = [reading.from - far, reading.until + far]
    const rules = all(event, 'rrule')
    const more = [
      ...timesIn(event, 'rdate').map(({ shown }) => shown),
      ...rules.flatMap((rule) => repeated(rule[3], starts, from, until, watch)),
    ]
    const left = [...timesIn(event, 'exdate'), ...exceptions.map(({ replaced }) => replaced)]
    const leftMoments = new Set(left.filter(({ isDay }) => isDay === starts.isDay).map(momentOf))
    const leftDays = new Set(
      left.filter(({ isDay }) => isDay !== starts.isDay).map(({ shown }) => dayOf(shown)),
    )
    for (const shown of new Set([...(rules.length === 0 ? [starts.shown] : []), ...more])) {
      if (shown < from - dayMs * 2 || shown > until + dayMs * 2) continue
      const moment = starts.zone(shown)
      if (leftMoments.has(moment) || leftDays.has(dayOf(shown))) continue
      const { span, shift, isFree } = changes.find(({ replaced }) => momentOf(replaced) <= moment) ?? series
      if (!isFree) times.push(timeAt(shown + shift, series.span, span))
    }
  }
  return times
}

/** Returns the starts of a series by one of its rules, as its clock shows them, from a day before a time to a day after another. */
function repeated(
  rule: unknown,
  { shown, zone }: Written,
  from: number,
  until: number,
  watch: Watch,
): number[] {
  watch()
  const { until: last, wkst, ...parts } = rule as Record<string, unknown>
  const written = Object.entries({
    ...parts,
    // ical.js makes a number of it.
    ...(wkst !== undefined && { wkst: ICAL.Recur.numericDayToIcalDay(Number(wkst)) }),
  }).map(([name, value]) => `${name.toUpperCase()}=${[value].flat().join(',')}`)
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
 * Returns the zone of a name: that of the world, or else the one that the calendar defines, or else that of Windows, or else that
 * of the business.
 * @param known the zones that were defined so far: each event of a server brings its own definition
 */
function zonesOf(
  [, , parts]: Component,
  reading: Reading,
  known: Map<string, Zone | undefined>,
  watch: Watch,
): (name: unknown) => Zone {
  const own = zoneNamed(reading.timeZone) ?? utc
  const definedAs = (name: string): Zone | undefined => {
    const definition = parts.find((part) => part[0] === 'vtimezone' && textOf(part, 'tzid') === name)
    if (!definition) return undefined
    const key = JSON.stringify(definition)
    if (!known.has(key))
      known.set(
        key,
        zoneNamed(textOf(definition, 'x-lic-location')) ?? zoneDefined(definition, reading, watch),
      )
    return known.get(key)
  }
  const found = new Map<unknown, Zone>()
  const find = (name: unknown): Zone =>
    typeof name === 'string' && name.length <= longestZone
      ? // Outlook does not define each of its names.
        (zoneAtPath(name) ?? definedAs(name) ?? zoneNamed(findIana(name)[0] ?? '') ?? own)
      : own
  return (name) => {
    const zone = found.get(name) ?? find(name)
    found.set(name, zone)
    return zone
  }
}

/** Returns the zone of a name before which some programs write a path. */
const zoneAtPath = (path: string): Zone | undefined =>
  path
    .split('/')
    .map((_, index, parts) => zoneNamed(parts.slice(index).join('/')))
    .find(Boolean)

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
function zoneDefined([, , observances]: Component, { from, until }: Reading, watch: Watch): Zone | undefined {
  const onsets = observances
    .flatMap((observance) => {
      const offset = Date.parse(`1970-01-01T00:00:00${textOf(observance, 'tzoffsetto')}`)
      const shown = Date.parse(`${textOf(observance, 'dtstart')}Z`)
      const rules = all(observance, 'rrule')
      const dates = all(observance, 'rdate').flatMap((each) =>
        each.slice(3).map((date) => Date.parse(`${String(date)}Z`)),
      )
      const written = { shown, zone: utc, isDay: false }
      const more = rules.flatMap((rule) => repeated(rule[3], written, from - 400 * dayMs, until, watch))
      return [shown, ...dates, ...more].map((at) => ({ at, offset: -offset }))
    })
    .toSorted((one, other) => one.at - other.at)
  if (onsets.some(({ at, offset }) => Number.isNaN(at + offset))) throw new UnreadableCalendarError('a zone')
  return onsets.length === 0
    ? undefined
    : (shown) => shown - (onsets.findLast(({ at }) => at <= shown) ?? onsets[0]!).offset
}

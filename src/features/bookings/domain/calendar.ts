import type { OpenBlock } from '#agent/domain/knowledge/knowledge.ts'
import type { Booking } from './booking.ts'
import { addDays, localOf } from './booking-words.ts'

/** A booking, and when it is by the clock of the business: 2026-11-26T09:40. */
export interface Placed {
  booking: Booking
  starts: string
  ends: string
}

/** Returns what is booked or asked for, by time. What was read from a transcript ends as it begins. */
export const placed = (bookings: readonly Booking[], timeZone: string): Placed[] =>
  bookings
    .filter(({ state }) => state === 'booked' || state === 'requested')
    .map((booking) => ({
      booking,
      starts: localOf(Date.parse(booking.starts_at), timeZone),
      ends: localOf(Date.parse(booking.ends_at ?? booking.starts_at), timeZone),
    }))
    .toSorted((one, other) => one.starts.localeCompare(other.starts))

/** The part of a booking that lies on a day, in minutes after midnight. */
export interface DayPart {
  booking: Booking
  from: number
  until: number
}

const wholeDay = 1_440
const minutesOf = (local: string): number => Number(local.slice(11, 13)) * 60 + Number(local.slice(14, 16))

/** Returns the parts of what lies on a day, YYYY-MM-DD, in its order. */
export const partsOn = <Time extends Pick<Placed, 'starts' | 'ends'>>(
  times: readonly Time[],
  day: string,
): (Omit<Time, 'starts' | 'ends'> & Omit<DayPart, 'booking'>)[] =>
  times.flatMap(({ starts, ends, ...more }) => {
    const [first, last] = [starts.slice(0, 10), ends.slice(0, 10)]
    const endsAtMidnight = last === day && first < day && minutesOf(ends) === 0
    if (first > day || last < day || endsAtMidnight) return []
    const from = first === day ? minutesOf(starts) : 0
    return [{ ...more, from, until: last === day ? Math.max(minutesOf(ends), from) : wholeDay }]
  })

/** Says when a part is: "09:40 – 10:00", "from 15:00", "until 11:00", "all day". */
export function partWords({ from, until }: Omit<DayPart, 'booking'>): string {
  const [begins, ends] = [clockOf(from), clockOf(until)]
  if (until === wholeDay) return from === 0 ? 'all day' : `from ${begins}`
  if (from === 0) return `until ${ends}`
  return from === until ? begins : `${begins} – ${ends}`
}
const clockOf = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

/** A part beside others that lie at the same time: the lane in which it stands, of so many. */
export type LanedPart = DayPart & { lane: number; lanes: number }

/** Puts parts that overlap beside each other, each in the first lane that is free. */
export function inLanes(parts: readonly DayPart[]): LanedPart[] {
  const laned: LanedPart[] = []
  let group: LanedPart[] = []
  let ends: number[] = []
  for (const part of parts.toSorted((one, other) => one.from - other.from)) {
    if (ends.every((end) => end <= part.from)) [group, ends] = [[], []]
    const free = ends.findIndex((end) => end <= part.from)
    const lane = free < 0 ? ends.length : free
    ends[lane] = part.until
    group.push({ ...part, lane, lanes: 0 })
    laned.push(group.at(-1)!)
    for (const each of group) each.lanes = ends.length
  }
  return laned
}

/** Returns the first and the last hour that a day shows: the opening hours, and what is booked outside them. */
export function hoursOf(
  parts: readonly DayPart[],
  open: readonly OpenBlock[],
): [from: number, until: number] {
  const minutes = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))
  const spans = [
    ...open.map(({ from, until }) => [minutes(from), until <= from ? wholeDay : minutes(until)] as const),
    ...parts.map(({ from, until }) => [from, until] as const),
  ]
  // A stay that goes on, or has begun before, needs no more hours.
  const begins = spans.flatMap(([from]) => (from > 0 ? [from] : []))
  const ends = spans.flatMap(([, until]) => (until < wholeDay ? [until] : []))
  const isLate = open.some((each) => each.until <= each.from || each.until === '24:00')
  const first = begins.length > 0 ? Math.floor(Math.min(...begins) / 60) : 9
  const last = isLate ? 24 : ends.length > 0 ? Math.ceil(Math.max(...ends) / 60) : 17
  return [Math.min(first, 23), Math.max(last, first + 1)]
}

/** Returns the seven days of a day's week, from Monday on. */
export function weekOf(day: string): string[] {
  const monday = addDays(day, -((new Date(day).getUTCDay() + 6) % 7))
  return Array.from({ length: 7 }, (_, nth) => addDays(monday, nth))
}

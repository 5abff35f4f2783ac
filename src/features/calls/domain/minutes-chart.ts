import { calendarDay } from '#platform/domain/text/dates.ts'
import type { CallOverview } from './calls.ts'
import type { Period } from './pace.ts'

/** A day of the chart. */
export interface DayOfMinutes {
  /** YYYY-MM-DD. */
  day: string
  minutes: number
  when: 'past' | 'today' | 'ahead'
}

const dayMs = 24 * 60 * 60 * 1000
/** A period of the longest month touches one day more, because it ends at the hour at which it began. */
const mostDays = 32

/** Lists every day of a period with its minutes, future days included, but no more than 32 days. */
export function daysOfPeriod(
  days: CallOverview['days'],
  period: Period,
  now: number,
  timeZone?: string,
): DayOfMinutes[] {
  const minutes = new Map(days.map((each) => [each.day, each.minutes]))
  const today = calendarDay(now, timeZone)
  // Calendar days have no time zone. Counted in UTC, none is skipped or doubled when the clocks change.
  const first = Date.parse(calendarDay(period.start, timeZone))
  const last = Date.parse(calendarDay(period.end - 1, timeZone))
  const count = Math.min(mostDays, Math.round((last - first) / dayMs) + 1)
  return Array.from({ length: count }, (_, index) => {
    const day = new Date(first + index * dayMs).toISOString().slice(0, 10)
    return {
      day,
      minutes: Math.max(0, minutes.get(day) ?? 0),
      when: day < today ? 'past' : day === today ? 'today' : 'ahead',
    }
  })
}

/** The dots of a day are in two columns of this height. */
const mostRows = 17
const columnsOfDay = 2
const pitch = 10
const floor = 178
const scales = [1, 2, 5, 10, 20, 50, 100, 200, 500]

export interface MinutesChart {
  viewBox: string
  /** How many minutes a dot represents. */
  minutesPerDot: number
  past: string
  today: string
  ahead: string
  /** Horizontal lines, with the minutes that they represent. */
  grid: { y: number; minutes: number; d: string }[]
  base: string
  /** Day numbers below the base line: every seventh day, or every third in a short chart. */
  labels: { x: number; text: string }[]
}

/**
 * Draws days as columns of dots, in SVG path data.
 * @param width in user units
 */
export function minutesChart(days: readonly DayOfMinutes[], width: number): MinutesChart {
  const most = Math.max(...days.map(({ minutes }) => minutes), 0)
  const minutesPerDot =
    scales.find((scale) => most <= scale * mostRows * columnsOfDay) ?? Math.ceil(most / 34)
  const margin = most >= 100 ? 48 : 34
  const slot = Math.round(((width - margin) / Math.max(1, days.length)) * 100) / 100
  const at = (index: number): number => Math.round((margin + 5 + index * slot) * 100) / 100
  const paths = { past: '', today: '', ahead: '' }
  days.forEach(({ minutes, when }, index) => {
    const dots = Math.ceil(minutes / minutesPerDot)
    for (const column of [0, 1]) {
      const rows = Math.min(mostRows, Math.ceil((dots - column) / columnsOfDay))
      const x = Math.round((at(index) + column * pitch) * 100) / 100
      if (rows > 0) paths[when] += `M${x} ${floor - (rows - 1) * pitch}v${(rows - 1) * pitch}.1`
      else if (when === 'ahead') paths.ahead += `M${x} ${floor}v.1`
    }
  })
  const step = days.length > 14 ? 7 : 3
  const lines = [5, 10, 15].filter((rows) => rows * columnsOfDay * minutesPerDot <= most)
  return {
    viewBox: `0 0 ${width} 214`,
    minutesPerDot,
    ...paths,
    grid: lines.map((rows) => {
      const y = floor + 5 - rows * pitch
      return { y, minutes: rows * columnsOfDay * minutesPerDot, d: `M${margin} ${y}H${width}` }
    }),
    base: `M${margin} 186H${width}`,
    labels: days.flatMap(({ day }, index) =>
      index % step === 0 ? [{ x: at(index) - 4, text: String(Number(day.slice(8))) }] : [],
    ),
  }
}

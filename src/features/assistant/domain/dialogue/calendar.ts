import { editDistance } from './stems.ts'

/** Reads days and times in what a caller says. Days are YYYY-MM-DD, times HH:MM; today is given, no clock is read. */

const dayNames = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const monthNames = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]
const numbers = [
  ...['zero', 'one', 'two', 'three', 'four', 'five', 'six'],
  ...['seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'],
]

const hourWord = numbers.slice(1).join('|')

/** Matches a date: "24 November", "nov 24th", "2026-11-24", "11/24". */
const month = `(?:${monthNames.map((name) => `${name.slice(0, 3)}(?:${name.slice(3)}|t)?`).join('|')})\\b`
const ordinal = '\\d{1,2}(?:st|nd|rd|th)?'
const dates = new RegExp(
  `\\b${ordinal} +(?:of +)?${month}|\\b${month} +(?:the +)?${ordinal}\\b|\\b\\d{4}-\\d{2}-\\d{2}\\b|\\b\\d{1,2}/\\d{1,2}\\b`,
  'gi',
)

const dateOf = (day: string): Date => new Date(`${day}T00:00:00Z`)
const isoOf = (date: Date): string => date.toISOString().slice(0, 10)
export const addDays = (day: string, count: number): string => {
  const date = dateOf(day)
  date.setUTCDate(date.getUTCDate() + count)
  return isoOf(date)
}

/** Writes a day as "Tuesday 24 November". */
export const weekdayLabel = (day: string): string =>
  new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' })
    .format(dateOf(day))
    .replace(',', '')

/** Writes a time as "9:40". */
export const timeLabel = (time: string): string => time.replace(/^0/, '')

const named = (word: string, names: readonly string[]): number => {
  const short = names.findIndex((name) => word.length >= 3 && name.startsWith(word))
  return short >= 0
    ? short
    : word.length < 5
      ? -1
      : names.findIndex((name) => editDistance(word, name, 1) <= 1)
}

const isDate = (word: string | undefined): boolean => Number(word) >= 1 && Number(word) <= 31

/** Returns the first such date from today on; undefined if no year has it. */
function dateIn(today: string, month: number, date: number): string | undefined {
  for (let year = Number(today.slice(0, 4)); year < Number(today.slice(0, 4)) + 5; year++) {
    const found = new Date(Date.UTC(year, month, date))
    if (found.getUTCMonth() === month && isoOf(found) >= today) return isoOf(found)
  }
  return undefined
}

/** Returns the day that a text names, today or later: "tomorrow", "next Thursday", "24 November", "on the 3rd". */
export function dayIn(text: string, today: string): string | undefined {
  const words: readonly string[] = text.toLowerCase().match(/[a-z]+|\d+/g) ?? []
  const iso = /\b(\d{4}-\d{2}-\d{2})\b/.exec(text)?.[1]
  if (iso && !Number.isNaN(dateOf(iso).getTime()) && isoOf(dateOf(iso)) === iso && iso >= today) return iso
  // The month comes first, as prices in US dollars do, unless it can only be the day.
  const [, first, second] = /\b(\d{1,2})\/(\d{1,2})\b/.exec(text) ?? []
  if (first && second)
    return Number(first) > 12
      ? dateIn(today, Number(second) - 1, Number(first))
      : dateIn(today, Number(first) - 1, Number(second))
  const [, ahead = '', weeks] =
    new RegExp(`\\bin (an?|\\d{1,2}|${hourWord}) (?:day|(week))s?\\b`, 'i').exec(text) ?? []
  if (ahead) {
    const count = numbers.indexOf(ahead.toLowerCase())
    return addDays(today, (count < 0 ? Number(ahead) || 1 : count) * (weeks ? 7 : 1))
  }
  if (/day after tomor+ow/i.test(text)) return addDays(today, 2)
  if (words.some((word) => editDistance(word, 'tomorrow', 2) <= 2)) return addDays(today, 1)
  if (words.includes('today') || words.includes('tonight')) return today

  // A date is a month beside a number: "May I come with 2?" names none.
  const beside = words.filter((word) => !/^(st|nd|rd|th|of|the)$/.test(word))
  const at = beside.findIndex(
    (word, index) =>
      named(word, monthNames) >= 0 && [beside[index - 1], beside[index + 1]].some((other) => isDate(other)),
  )
  const date = [beside[at - 1], beside[at + 1]].find(isDate)
  if (at >= 0 && date !== undefined) return dateIn(today, named(beside[at] ?? '', monthNames), Number(date))

  const weekday = words.map((word) => named(word, dayNames)).find((index) => index >= 0)
  if (weekday !== undefined) {
    const days = (weekday - dateOf(today).getUTCDay() + 7) % 7 || 7
    return addDays(today, days)
  }
  const ordinal = /\b(\d{1,2})(?:st|nd|rd|th)\b(?! (?:one|time|slot))/i.exec(text)?.[1]
  if (ordinal === undefined) return undefined
  const thisMonth = Number(today.slice(5, 7)) - 1
  return [0, 1, 2]
    .map((later) => dateIn(today, (thisMonth + later) % 12, Number(ordinal)))
    .filter((day): day is string => day !== undefined)
    .sort()[0]
}

/** Returns whether a text names a moment that is past or does not exist: "yesterday", "31 February". */
export const isImpossible = (text: string, today: string): boolean =>
  /\b(yesterday|ago|last (night|week|month|year))\b/i.test(text) ||
  (text.search(dates) >= 0 && dayIn(text, today) === undefined)

/** Matches numbers of what is no hour: "a table for 2", "room 11", "3 people", "5 stars", "20 calls", "5 minutes". */
const countOfOthers = new RegExp(
  `\\b(?:for|of|with|are|room|table|suite|number|no\\.?) (?:\\d+|${hourWord})\\b(?![:.h]\\d| ?(?:[ap]\\.?m|o.?clock)\\b)|` +
    `\\b(?:\\d+|${hourWord})[ -]+(?:people|persons?|stars?|beds?|guests?|adults?|child(?:ren)?|kids?|of us|seats?|places?|nights?|days?|weeks?|hours?|minutes?|mins?|seconds?|calls?|rooms?|tables?|locations?|lines?)\\b`,
  'gi',
)

/**
 * Returns the time that a text names: "9:40", "half past nine", "at 3 pm", "noon". Without am or pm, an hour from one
 * to six is in the afternoon.
 */
export function timeIn(text: string): string | undefined {
  const said = text.replace(dates, ' ').replace(countOfOthers, ' ').toLowerCase()
  if (/\bnoon|midday\b/.test(said)) return '12:00'
  const found = new RegExp(
    `(?:(half|quarter) (past|to) )?\\b(\\d{1,2}|${hourWord})(?:[:.h](\\d{2}))?\\b\\s*(a\\.?m\\b|p\\.?m\\b)?`,
  ).exec(said)
  if (!found) return undefined
  const [, part, side, hourText = '', minuteText, half] = found
  let hour = numbers.indexOf(hourText)
  if (hour < 0) hour = Number(hourText)
  let minute = Number(minuteText ?? (part === 'half' ? 30 : part === 'quarter' ? 15 : 0))
  if (side === 'to') {
    hour -= 1
    minute = 60 - minute
  }
  if (half?.startsWith('p') && hour < 12) hour += 12
  if (half?.startsWith('a') && hour === 12) hour = 0
  if (!half && hour >= 1 && hour < 7) hour += 12
  if (hour > 23 || hour < 0 || minute > 59) return undefined
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
}

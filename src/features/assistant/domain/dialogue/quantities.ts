/**
 * Reads quantities in what a caller says. A number counts only if its context says what it counts: "2 minutes" is a
 * length, "a table for 2 tonight" is none.
 */

/** The minutes of a call if the caller does not say; the page's calculator begins with the same number. */
export const assumedMinutes = 2
/** The days of a month with calls. */
export const daysOfMonth = 30
/** The hours of a day with calls, if the caller names calls by the hour. */
const workingHours = 8

const units = [
  ...[
    'zero',
    'one',
    'two',
    'three',
    'four',
    'five',
    'six',
    'seven',
    'eight',
    'nine',
    'ten',
    'eleven',
    'twelve',
  ],
  ...['thirteen', 'fourteen', 'fifteen', 'sixteen', 'seventeen', 'eighteen', 'nineteen'],
]
const tens = ['twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety']
const figures = new Map<string, number>([
  ...units.map((word, value) => [word, value] as const),
  ...tens.map((word, index) => [word, (index + 2) * 10] as const),
])

const shares: Readonly<Record<string, number>> = { half: 0.5, third: 1 / 3, quarter: 0.25 }
const numberOf = (text = '', instead = 0): number => Number(text) || instead

/**
 * Writes the numbers of a text in digits: "twenty-five" as 25, "5k" as 5000, "a third of 90" as 30, "half an hour" as
 * 0.5 hour, "every ten minutes" as 6 an hour.
 */
const inDigits = (text: string): string =>
  text
    .toLowerCase()
    .replace(/(\d)[,.’'](?=\d{3}\b)/g, '$1')
    .replace(/[a-z]+/g, (word) => String(figures.get(word) ?? word))
    .replace(/\b([2-9]0)[ -]([1-9])\b/g, (_, ten: string, one: string) => `${Number(ten) + Number(one)}`)
    .replace(/\ban? (?=hundred|thousand|third|quarter)/g, '1 ')
    .replace(
      /\b(\d+(?:\.\d+)?) ?(k|thousand|hundred)\b(?: and)?(?: (\d{1,3})\b)?/g,
      (_, count: string, power: string, rest?: string) =>
        `${Number(count) * (power === 'hundred' ? 100 : 1000) + numberOf(rest)}`,
    )
    .replace(/\b(?:(half )?a |(\d+) )?dozen\b/g, (_, half?: string, count?: string) =>
      half ? '6' : `${12 * numberOf(count, 1)}`,
    )
    .replace(/\ba couple( of)?\b/g, '2')
    .replace(/\b(?:a|1) (minute|call) and a half\b/g, '1.5 $1')
    .replace(/\b(\d+)( [a-z]+)? and a half\b/g, '$1.5$2')
    .replace(
      /\b(?:1 )?(?:(half|third|quarter)|(\d+(?:\.\d+)?) ?(?:%|per ?cent))(?: of)?(?: (?:our|the|my|all|those|about))* (\d+)/g,
      (_, share: string | undefined, percent: string | undefined, whole: string) =>
        `${Number(whole) * (shares[share ?? ''] ?? Number(percent) / 100)}`,
    )
    .replace(/\bhalf an? /g, '0.5 ')
    .replace(/\bevery (\d+) min\w*/g, (_, minutes: string) => `${60 / Number(minutes)} an hour`)
    .replace(/(^\W*|\b(?:about|takes?|is|lasts?|usually|of) )an? (?=minute|hour)/g, '$1 1 ')
    .replace(
      /\b(?:on|an?|per|each|every) (?:weekday|workday|(?:business|working) day)s?\b/g,
      'a day 5 days a week',
    )

/** Returns the minutes a month of so many calls a day; every minute that has begun counts. */
export const monthOf = (callsADay: number, length: number): number =>
  Math.round(callsADay * Math.ceil(length) * daysOfMonth)

/** Words that may surround a number without making it the number of something else. */
const fillers = new Set(
  (
    'about around roughly maybe perhaps approximately approx nearly almost some say usually normally mostly average on ' +
    'i we you it they its is are get have take takes last lasts lasting need needs think guess would be a an the per each ' +
    'every of in to or with for at most least up so well ok okay between more less than over under and call calls phone ' +
    'long please total s ll re'
  ).split(' '),
)

const most = 1_000_000
const plausible = (amount: number | undefined): number | undefined =>
  amount !== undefined && amount > 0 && amount <= most ? amount : undefined

const number = String.raw`\b(\d+(?:\.\d+)?)(?: ?(?:-|–|to|or|and) ?(\d+(?:\.\d+)?))?`
const period =
  /(?:\b(?:an?|per|each|every)|\/) ?(hour|day|night|week|month|year)\b|\b(hour|dai|week|month|year)ly\b/
const duration = String.raw`${number}[ -]?(s(?:ec(?:ond)?s?)?|m(?:in(?:ute)?s?)?|h(?:(?:ou)?rs?)?)\b(?:,?(?: and)? (\d+) ?s(?:ec\w*)?\b)?(?: ?(?:each|(?:a|per|/) ?call)\b)?`
const counted = String.raw`${number}(?:(?: (?!and )[a-z]+){0,2}? cal+s?\b| ?(?=${period.source}))`

const middle = (from = '', to?: string): number =>
  to === undefined ? Number(from) : (Number(from) + Number(to)) / 2

/** What a text says about phone calls. */
interface Usage {
  calls?: number
  /** The minutes of a call, or of all calls if the text names no number of them. */
  minutes?: number
  /** The factor from the period that the text names to a day. */
  aDay?: number
  /** The number, if it is the only one and counts none of these. */
  bare?: number
  /** Calls are named by the hour, but not for how many hours a day. */
  isHourly: boolean
  /** The text says nothing else. */
  isPlain: boolean
}

function usageIn(text: string): Usage {
  let said = inDigits(text)
  /** Finds a pattern, and takes it out of the text. */
  const take = (pattern: string): RegExpExecArray | null => {
    const found = new RegExp(pattern).exec(said)
    if (found) said = `${said.slice(0, found.index)} ${said.slice(found.index + found[0].length)}`
    return found
  }
  const days = take(String.raw`\b(\d) days? ?(?:a|per|each|/) ?week\b`)
  const isByHour = /(?:\b(?:an|per|each|every)|\/) ?hour\b|\bhourly/.test(said)
  const hours = isByHour ? take(String.raw`\b(\d+) ?h(?:ours?)? ?(?:a|per|each|/) ?day\b`) : null
  const timed = take(duration)
  const calls = take(counted)
  const begin = (calls ?? timed)?.index ?? 0
  const [found = '', name, adverb = ''] =
    period.exec(said.slice(begin)) ?? period.exec(said.replace(/month/g, '')) ?? []
  said = said.replace(found, ' ')
  const week = numberOf(days?.[1], 7) / 7
  const aDay = {
    h: numberOf(hours?.[1], workingHours) * week,
    d: week,
    n: week,
    w: 1 / 7,
    m: 1 / daysOfMonth,
    y: 1 / (12 * daysOfMonth),
  }[(name ?? adverb)[0] ?? '']
  // "3 hotels with 20 calls a day each"
  const places = calls ? /\b(\d+) ([a-z]+)s\b.*\b(?:each|(?:per|every) \2)\b/.exec(said) : null
  const bare = calls || timed ? null : take(number)
  return {
    calls: calls ? middle(calls[1], calls[2]) * numberOf(places?.[1], 1) : undefined,
    minutes: timed
      ? (middle(timed[1], timed[2]) * { s: 1, m: 60, h: 3600 }[timed[3]![0] as 's']! + numberOf(timed[4])) /
        60
      : undefined,
    aDay: aDay ?? (days ? week : undefined),
    bare: bare ? middle(bare[1], bare[2]) : undefined,
    isHourly: isByHour && !hours,
    isPlain: (said.match(/\d+|[a-z]+/g) ?? []).every((word) => fillers.has(word)),
  }
}

/**
 * Returns how many calls a day, or how many minutes, the answer to that question names; undefined if its number counts
 * anything else. "10 to 20" is 15, and "2 minutes 30 seconds" 2.5.
 */
export function quantityIn(text: string, kind: 'calls' | 'minutes'): number | undefined {
  if (/\d[:.]\d\d\b|[$€£]|\d(st|nd|rd|th)\b|[ap]\.?m\b/i.test(text)) return undefined
  const { calls = Number.NaN, minutes, aDay = 1, bare, isPlain } = usageIn(text)
  const amount = kind === 'minutes' ? minutes : calls * aDay
  return isPlain ? plausible(bare ?? amount) : undefined
}

/** Returns the minutes of a call in a text that also says how many calls there are. */
export function lengthIn(text: string): number | undefined {
  const { calls, minutes, isPlain } = usageIn(text)
  return isPlain && calls !== undefined ? plausible(minutes) : undefined
}

const asksForCost = /\b(costs?|pric\w+|pay|much|plans?|cheap|budget|charges?|expensive|need|recommend)\b/i
/** Matches words about calls at the same time, and about hours of service, which are no volume. */
const noVolume = /\b(at once|at (?:the same|a) time|extra|24 ?(?:\/|h|hours))\b|[$€£]/i

/** How much a caller phones in a month. */
interface Volume {
  minutes: number
  /** What had to be assumed, in a sentence; undefined if nothing had to. */
  assumption?: string
}

/**
 * Returns the minutes a month that a text names: "how much for 40 calls a day", "5k calls a month, 3 minutes each", "600
 * minutes a month".
 */
export function volumeIn(text: string): Volume | undefined {
  if (noVolume.test(text)) return undefined
  const { calls, minutes, aDay, isHourly, isPlain } = usageIn(text)
  const amount = calls ?? minutes
  const isAsked = isPlain || asksForCost.test(text)
  // Words may stand beside calls a day; other numbers need a question about cost, or no other words.
  if (amount === undefined || !(isAsked || (calls && aDay))) return undefined
  // A few minutes are those of a call.
  if (!calls && !aDay && amount < 10) return undefined
  const total = plausible(
    calls
      ? monthOf(calls * (aDay ?? 1), minutes ?? assumedMinutes)
      : Math.round(amount * (aDay ? aDay * daysOfMonth : 1)),
  )
  const assumed = [
    isHourly && `${workingHours} hours a day`,
    calls && !aDay && `${Math.round(calls)} calls a day`,
    calls && !minutes && `${assumedMinutes} minutes a call`,
  ].filter(Boolean)
  if (!total) return undefined
  return { minutes: total, ...(assumed.length > 0 && { assumption: `I assume ${assumed.join(' and ')}.` }) }
}

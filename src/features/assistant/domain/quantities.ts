/**
 * Reads quantities in what a caller says. A number counts only if its context says what it counts: "2 minutes" is a
 * length, "a table for 2 tonight" is none.
 */

/** The minutes of a call if the caller does not say; the page's calculator begins with the same number. */
export const assumedMinutes = 2
/** The days of a month with calls. */
export const daysOfMonth = 30

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

/** Writes the numbers of a text in digits: "twenty-five" as 25, "two and a half" as 2.5, "half an hour" as 0.5 hour. */
const inDigits = (text: string): string =>
  text
    .toLowerCase()
    .replace(/(\d),(?=\d{3}\b)/g, '$1')
    .replace(/[a-z]+/g, (word) => String(figures.get(word) ?? word))
    .replace(/\b([2-9]0)[ -]([1-9])\b/g, (_, ten: string, one: string) => String(Number(ten) + Number(one)))
    .replace(/\ba (minute|call) and a half\b/g, '1.5 $1')
    .replace(/\b(\d+)( [a-z]+)? and a half\b/g, '$1.5$2')
    .replace(/\bhalf an? /g, '0.5 ')
    .replace(/\ba couple( of)?\b/g, '2')
    .replace(/\b(?:a )?dozen\b/g, '12')
    .replace(/\b(\d+) hundred\b/g, (_, hundreds: string) => `${hundreds}00`)
    .replace(/\ba hundred\b/g, '100')
    .replace(/\ban? (?=(minute|hour)\b)/g, '1 ')

/** What a quantity may be counted in, by the first letters of the word, with the factor to the unit that is asked for. */
const factors = {
  /** Calls a day. */
  calls: { day: 1, dai: 1, wee: 1 / 7, mon: 1 / daysOfMonth },
  /** Minutes. */
  minutes: { sec: 1 / 60, min: 1, hou: 60 },
} as const
type Kind = keyof typeof factors

/** Words that may surround a number without making it the number of something else. */
const fillers = new Set(
  (
    'about around roughly maybe perhaps approximately approx nearly almost some say usually normally mostly average on ' +
    'i we you it they its is are get have take takes need needs think guess would be a an the per each every of in to or ' +
    'at most least up so well ok okay between more less than over under and call calls phone long please total s ll re'
  ).split(' '),
)

const mostAtOnce = 10_000
const plausible = (amount: number): number | undefined =>
  amount > 0 && amount <= mostAtOnce ? amount : undefined

/**
 * Returns how many calls a day, or how many minutes, the answer to that question names; undefined if its number counts
 * anything else. "10 to 20" is 15, and "2 minutes 30 seconds" 2.5.
 */
export function quantityIn(text: string, kind: Kind): number | undefined {
  if (/\d[:.]\d\d\b|[$€£%]|\d(st|nd|rd|th)\b|[ap]\.?m\b/i.test(text)) return undefined
  const words = inDigits(text).match(/\d+(?:\.\d+)?|[a-z]+/g) ?? []
  const numbers: { amount: number; factor: number | undefined }[] = []
  const named = new Set<number>()
  for (const word of words) {
    if (/^\d/.test(word)) {
      numbers.push({ amount: Number(word), factor: undefined })
      continue
    }
    const [, factor] = Object.entries(factors[kind]).find(([start]) => word.startsWith(start)) ?? []
    if (factor === undefined && !fillers.has(word)) return undefined
    if (factor === undefined) continue
    named.add(factor)
    for (const number of numbers) number.factor ??= factor
  }
  const amounts = numbers.map(({ amount, factor }) => amount * (factor ?? [...named][0] ?? 1))
  if (amounts.length === 0 || amounts.length > 2) return undefined
  const sum = amounts.reduce((total, amount) => total + amount, 0)
  return plausible(named.size > 1 ? sum : sum / amounts.length)
}

const asksForCost =
  /\b(cost|costs|price|prices|priced|pay|much|plan|plans|cheap\w*|budget|charge|charges|expensive|need|recommend)\b/i
const number = String.raw`(\d+(?:\.\d+)?)(?: ?(?:-|–|to) ?(\d+(?:\.\d+)?))?`
const callsAndPeriod = new RegExp(
  String.raw`\b${number} (?:phone |incoming |inbound )?calls?\b([^\d?!]*?)\b(?:(?:a|per|each|every) (day|week|month)|(dai|week|month)ly)\b`,
)
const lengthOfCall = new RegExp(String.raw`\b${number}[ -]?(second|sec|minute|min)s?\b`)
const minutesOfMonth = new RegExp(
  String.raw`\b${number} minutes?\b[^\d?!]*\b(?:(?:a|per|each|every) month|monthly)\b`,
)

const middle = (from = '', to?: string): number =>
  to === undefined ? Number(from) : (Number(from) + Number(to)) / 2

/** How much a caller phones in a month. */
export interface Volume {
  minutes: number
  /** What had to be assumed, in a sentence; undefined if nothing had to. */
  assumption?: string
}

/** Returns the minutes a month that a question about cost names: "how much for 40 calls a day", "600 minutes a month". */
export function volumeIn(text: string): Volume | undefined {
  const said = inDigits(text)
  if (!asksForCost.test(text) && quantityIn(text, 'calls') === undefined) return undefined
  const length = lengthOfCall.exec(said)
  const calls = callsAndPeriod.exec(said.replace(length?.[0] ?? '', ' '))
  if (!calls) {
    const monthly = minutesOfMonth.exec(said)
    const minutes = monthly && plausible(middle(monthly[1], monthly[2]))
    return minutes ? { minutes } : undefined
  }
  const [, from, to, , period, adverb = 'day'] = calls
  const factor = { day: 1, wee: 1 / 7, mon: 1 / daysOfMonth, dai: 1 }[(period ?? adverb).slice(0, 3)] ?? 1
  const aDay = plausible(middle(from, to))
  if (aDay === undefined) return undefined
  const minutes = length && plausible(middle(length[1], length[2]) / (length[3]?.startsWith('sec') ? 60 : 1))
  const aMonth = Math.round(aDay * factor * daysOfMonth * (minutes ?? assumedMinutes))
  return minutes
    ? { minutes: aMonth }
    : { minutes: aMonth, assumption: `I assume ${assumedMinutes} minutes a call.` }
}

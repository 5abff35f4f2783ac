import { greetingLanguages } from '#agent/domain/disclosure.ts'
import { knowledgeLimits, weekdays, type AgentKnowledge, type OpenBlock, type Weekday } from './knowledge.ts'

type Hours = NonNullable<AgentKnowledge['hours']>

const plain = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** The names of weekdays, long and short, in the languages of greetings; a full stop after a short one is left out. */
const dayNumbers = new Map<string, number>()
for (const [short, number] of [
  ...['mo', 'tu', 'we', 'th', 'fr', 'sa', 'su'].map((day, index) => [day, index] as const),
  ...(['tues', 'thur', 'thurs'] as const).map((day) => [day, day === 'tues' ? 1 : 3] as const),
  ['sonnabend', 5] as const,
  ['weds', 2] as const,
])
  dayNumbers.set(short, number)
for (const language of greetingLanguages)
  for (const weekday of ['long', 'short'] as const) {
    const format = new Intl.DateTimeFormat(language, { weekday, timeZone: 'UTC' })
    // 1 January 2024 was a Monday.
    for (let day = 0; day < 7; day++) {
      const name = plain(format.format(Date.UTC(2024, 0, 1 + day))).replace('.', '')
      dayNumbers.set(name, day)
      for (const first of name.endsWith('-feira') ? [name.replace('-feira', '')] : [])
        dayNumbers.set(first, day)
    }
  }

const groups: readonly (readonly [names: string, days: readonly number[]])[] = [
  [
    'daily|every day|7 days a week|taglich|tous les jours|todos los dias|tutti i giorni|todos os dias|dagelijks',
    [0, 1, 2, 3, 4, 5, 6],
  ],
  ['weekdays|werktags|en semaine|laborables|feriali|dias uteis|doordeweeks', [0, 1, 2, 3, 4]],
  ['weekends?|wochenende|le week-end|fines de semana|fine settimana|fins de semana|weekend', [5, 6]],
]

// The longer name comes first: "mon" would end inside "monday".
const longestFirst = (names: Iterable<string>): string =>
  [...names].sort((one, other) => other.length - one.length).join('|')
const dayName = `(?<!\\p{L})(?:${longestFirst([...dayNumbers.keys(), ...groups.map(([names]) => names)])})(?![\\p{L}])s?\\.?`
const joint = `\\s*(?:[-–—,&+/]|\\b(?:to|through|until|till|and|bis|und|a|au|et|al|y|e|tot|t/m|en)\\b)\\s*`
const days = `${dayName}(?:${joint}${dayName}){0,6}`
const time = `(?:\\d{1,2}(?:[:.h]\\d{2})?\\s*(?:h\\b|uhr|[ap]\\.?m\\.?)?|noon|midnight)`
const range = `${time}\\s*(?:[-–—]|\\b(?:to|until|till|bis|a|as|alle|tot)\\b)\\s*${time}`
const closed = 'closed|geschlossen|ruhetag|ferme|cerrado|chiuso|fechado|encerrado|gesloten'
const always = '24 ?hours|24/7|open 24|24 stunden|24 ?h'
const times = `(?:${closed}|${always}|${range}(?:\\s*(?:[,;&/+]|\\b(?:and|und|et|y|e|en)\\b)\\s*${range}){0,3})`
const line = new RegExp(`(${days})\\s*:?\\s*(?:from |von |de |dalle |van |open )?(${times})`, 'giu')
const onlyDays = new RegExp(`^${days}\\s*:?$`, 'iu')
const onlyTimes = new RegExp(`^${times}$`, 'iu')
const eachRange = new RegExp(range, 'giu')
const eachTime = new RegExp(time, 'giu')
const eachDay = new RegExp(dayName, 'giu')
/** A day between which and the next one all days are meant. */
const through = /^\s*(?:[-–—]|\b(?:to|through|until|till|bis|a|au|al|tot|t\/m)\b)\s*$/iu

/** Returns the opening hours that a text names, or null if it names none. Days that it does not name are closed. */
export function hoursInText(text: string): Hours | null {
  const lines = text
    .split('\n')
    .map((each) => plain(each).trim().slice(0, 400))
    .filter(Boolean)
  const hours = Object.fromEntries(weekdays.map((day) => [day, []])) as unknown as Hours
  let isFound = false
  for (const [index, each] of lines.entries()) {
    // In some lists the times follow in the next line.
    const next = lines[index + 1] ?? ''
    const whole = onlyDays.test(each) && onlyTimes.test(next) ? `${each}: ${next}` : each
    for (const [, named = '', open = ''] of whole.matchAll(line)) {
      const blocks = blocksIn(open)
      if (!blocks) continue
      for (const day of daysIn(named)) {
        // Lunch and dinner may have a line each; a text that says everything twice adds nothing.
        const known = hours[day].some(({ from }) => blocks.some((block) => block.from === from))
        if (!known) hours[day] = [...hours[day], ...blocks].slice(0, knowledgeLimits.blocks)
      }
      isFound ||= blocks.length > 0
    }
  }
  return isFound ? hours : null
}

function daysIn(named: string): Weekday[] {
  const found = [...named.matchAll(eachDay)]
  const numbers: number[] = []
  for (const [index, match] of found.entries()) {
    const name = match[0].replace('.', '')
    const number = dayNumbers.get(name) ?? dayNumbers.get(name.replace(/s$/, ''))
    if (number === undefined) {
      numbers.push(...(groups.find(([names]) => new RegExp(`^(?:${names})`).test(name))?.[1] ?? []))
      continue
    }
    const before = found[index - 1]
    const gap = before && named.slice(before.index + before[0].length, match.index)
    const last = numbers.at(-1)
    if (gap !== undefined && last !== undefined && through.test(gap))
      for (let day = (last + 1) % 7; day !== number; day = (day + 1) % 7) numbers.push(day)
    numbers.push(number)
  }
  return numbers.map((number) => weekdays[number]!)
}

/** Returns the blocks of a day; undefined if a time is none. */
function blocksIn(open: string): OpenBlock[] | undefined {
  if (new RegExp(`^(?:${closed})`).test(open)) return []
  if (new RegExp(`^(?:${always})`).test(open)) return [{ from: '00:00', until: '24:00' }]
  const blocks: OpenBlock[] = []
  for (const [each] of open.matchAll(eachRange)) {
    const [from, until] = [...each.matchAll(eachTime)].map(([one]) => one)
    const block = from && until && blockOf(from, until)
    if (!block) return undefined
    blocks.push(block)
  }
  return blocks
}

function blockOf(first: string, second: string): OpenBlock | undefined {
  const from = momentOf(first)
  const until = momentOf(second)
  if (!from || !until) return undefined
  // "1-5pm" means the afternoon, "9-5pm" and "9-5" begin in the morning.
  if (!from.half && until.half === 'p' && from.hour < 12 && until.hour >= 12 && from.hour <= until.hour - 12)
    from.hour += 12
  const isClock = [first, second].some((each) => /[ap]\.?m|noon|midnight|h|uhr/.test(each))
  if (!isClock && until.hour < 12 && from.hour < 12 && until.hour <= from.hour) until.hour += 12
  const written = ({ hour, minute }: Moment): string =>
    `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
  return from.hour > 23 || until.hour > 24 ? undefined : { from: written(from), until: written(until) }
}

interface Moment {
  hour: number
  minute: number
  half: string | undefined
}

function momentOf(text: string): Moment | undefined {
  if (text === 'noon') return { hour: 12, minute: 0, half: 'p' }
  if (text === 'midnight') return { hour: 24, minute: 0, half: 'p' }
  const [, hours = '', minutes = '0', half] =
    /^(\d{1,2})(?:[:.h](\d{2}))?\s*(?:h|uhr|([ap])\.?m\.?)?$/.exec(text) ?? []
  const minute = Number(minutes)
  if (!hours || minute > 59 || Number(hours) > 24 || (Number(hours) === 24 && minute > 0)) return undefined
  return { hour: half ? (Number(hours) % 12) + (half === 'p' ? 12 : 0) : Number(hours), minute, half }
}

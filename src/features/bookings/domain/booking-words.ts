/** How a business says days and times: its main language, and IANA's name of its time zone. */
export interface Clock {
  language: string
  timeZone: string
}

/** Returns when something begins, as people say it: "Thursday, November 26 at 9:40 AM"; a stay without the time of day. */
export const whenWords = (
  { starts, ends, isStay }: { starts: number; ends: number; isStay: boolean },
  { language, timeZone }: Clock,
): string => {
  const day = { weekday: 'long', day: 'numeric', month: 'long', timeZone } as const
  const words = (moment: number, options: Intl.DateTimeFormatOptions): string =>
    new Intl.DateTimeFormat(language, options).format(moment)
  return isStay
    ? `${words(starts, day)} – ${words(ends, day)}`
    : words(starts, { ...day, hour: 'numeric', minute: '2-digit' })
}

/** Returns the day and the time of a moment by the clock of the business, as 2026-11-26T09:40. */
export const localOf = (moment: number, timeZone: string): string =>
  new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'short' })
    .format(moment)
    .replace(' ', 'T')

/** Returns a day so many days later: YYYY-MM-DD. */
export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10)

/** Returns how many nights lie between two moments. */
export const nightsBetween = (starts: number, ends: number, timeZone: string): number =>
  Math.round(
    (Date.parse(localOf(ends, timeZone).slice(0, 10)) - Date.parse(localOf(starts, timeZone).slice(0, 10))) /
      86_400_000,
  )

/** Returns the coming days as the agent needs them to understand "next Thursday": "Thursday 2026-11-26, …". */
export function comingDays(now: number, timeZone: string): string {
  const today = localOf(now, timeZone).slice(0, 10)
  return Array.from({ length: 14 }, (_, days) => {
    const date = addDays(today, days)
    const weekday = new Date(date).toLocaleDateString('en-US', { weekday: 'long', timeZone: 'UTC' })
    return `${weekday} ${date}`
  }).join(', ')
}

/**
 * Whether two names may be the same person's, as speech recognition writes them: "Maier" for "Meyer", "Lindgren" for "Ada
 * Lindgren". One word of each has to be alike.
 */
export function isSameName(one: string, other: string): boolean {
  const others = namesIn(other)
  return namesIn(one).some((word) => others.some((each) => isAlike(word, each)))
}

/** Returns the words and numbers of what was said, in small letters. */
export const wordsIn = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

const wordsOf = (name: string): string[] =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]{2,}/gu) ?? []

/** Returns whether a word stands before the names of many people. */
export const isTitle = (word: string): boolean =>
  /^(?:dr|prof|mr|mrs|ms|miss|mx|sir|madam|madame|monsieur|herr|frau|senora?|signora?)\.?$/i.test(word)
const particles = new Set(['al', 'da', 'de', 'del', 'den', 'der', 'di', 'el', 'la', 'le', 'van', 'von'])

/** How many names of what was said count: with a list of names one could guess. */
const mostNames = 5

/** Returns the words of a name by which one knows whose it is: those that many people share only if there is no other. */
function namesIn(name: string): string[] {
  const words = wordsOf(name)
  const own = words.filter((word) => !isTitle(word) && !particles.has(word))
  return (own.length > 0 ? own : words).slice(0, mostNames)
}

function isAlike(one: string, other: string): boolean {
  const length = Math.min(one.length, other.length)
  return distance(one, other) <= (length >= 5 ? 2 : length >= 4 ? 1 : 0)
}

/** Returns how many letters have to be changed, added or left out. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1]
    for (let at = 0; at < other.length; at++)
      next.push(Math.min(row[at + 1]! + 1, next[at]! + 1, row[at]! + Number(letter !== other[at])))
    row = next
  }
  return row.at(-1)!
}

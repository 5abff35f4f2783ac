/** From what somebody says to the words that count: small letters, no accents, stems, no words that every question has. */

const empty = new Set(
  (
    'a an the and or but if so of to in on at by for from with about into as is are am was were be been being do does ' +
    'did done have has had having can could will would shall should may might must i me my mine we us our ours you your ' +
    'yours it its he she they them their this that these those there here what which who whom when where why how ' +
    'any some all also just only really very too much many more most than then please thanks thank hello hi hey ok okay ' +
    'yes no not dont don t s m re ve ll d im get got give tell know want need like let lets say says said ' +
    'thing things something anything one ones up out go going use using used make makes able'
  ).split(' '),
)

/** Words that callers use for the same thing, each line under its first. */
const same = new Map(
  [
    'price cost charge fee pricing expensive cheap rate tariff dollar money bill billed billing',
    'pay payment visa mastercard paypal card checkout',
    'book booking reserve reservation appointment schedule',
    'call phone ring telephone dial caller',
    'agent bot callbot robot assistant receptionist ai',
    'language english spanish french german italian portuguese chinese arabic multilingual bilingual speak',
    'cancel cancellation quit leave terminate unsubscribe end stop',
    'setup install start begin launch onboard onboarding started',
    'record recording recorded',
    'connect integrate integration connection compatible crm plug sync',
    'hotel resort inn motel hostel guesthouse lodging bnb',
    'restaurant cafe bistro pizzeria diner coffee bar',
    'clinic doctor dentist dental medical physio therapist hospital patient wellness spa massage practice veterinary vet',
    'shop store retail ecommerce webshop boutique parcel',
    'travel tourism tour trip agency excursion',
    'government council municipal municipality city town public authority resident citizen',
    'software saas startup tech app',
    'night evening weekend holiday midnight nights round clock',
    'email mail',
    'minute min mins',
    'privacy gdpr hipaa data compliance compliant',
    'delete erase remove deletion',
    'upgrade switch change',
    'transcript transcription summary log',
    'clone cloning cloned',
    'human person people staff someone somebody',
  ].flatMap((line) => {
    const words = line.split(' ')
    return words.map((word): [string, string] => [stem(word), stem(words[0] ?? word)])
  }),
)

/** A word without its ending. Crude, and the same for questions and answers, which is what matters. */
export function stem(word: string): string {
  for (const [ending, instead, least] of [
    ['ies', 'y', 5],
    ['ing', '', 6],
    ['edly', '', 7],
    ['ed', '', 5],
    ['es', '', 5],
    ['s', '', 4],
  ] as const) {
    if (word.length < least || !word.endsWith(ending) || word.endsWith('ss')) continue
    const base = word.slice(0, -ending.length) + instead
    return base.replace(/([bdgklmnprt])\1$/, '$1').replace(/e$/, '')
  }
  return word.length > 4 ? word.replace(/e$/, '') : word
}

/** The words that count, in their order, each once. */
export function wordsOf(text: string): string[] {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/24\s*\/\s*7/g, 'night')
    .replace(/['’]/g, '')
  const stems = (plain.match(/[\p{L}\p{N}]+/gu) ?? [])
    .filter((word) => !empty.has(word) && (word.length > 1 || /\d/.test(word)))
    .map(stem)
  return [...new Set(stems.map((each) => same.get(each) ?? each))]
}

/**
 * How many letters must be added, dropped, changed or swapped with their neighbour; anything above `limit` is
 * `limit + 1` (Damerau–Levenshtein, restricted).
 */
export function distance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1
  let before: number[] = []
  let above = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const changed = a[i - 1] === b[j - 1] ? 0 : 1
      let least = Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + changed)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, before[j - 2]! + 1)
      row.push(least)
    }
    if (Math.min(...row) > limit) return limit + 1
    before = above
    above = row
  }
  return above[b.length]!
}

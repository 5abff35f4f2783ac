/** Reduces a sentence to the stems that a search compares: lower case, no accents, no stop words. */

const empty = new Set(
  (
    'a an the and or but if so of to in on at by for from with about into as is are am was were be been being do does ' +
    'did done have has had having can could will would shall should may might must i me my mine we us our ours you your ' +
    'yours it its he she they them their this that these those there here what which who whom when where why how ' +
    'any some all also just only really very too much many more most than then please thanks thank hello hi hey ok okay ' +
    'yes no not dont don t s m re ve ll d im get got give tell know want need like let lets say says said ' +
    'thing things something anything everything one ones up out go going use using used make makes able whole sense ' +
    'actually half am because then if whether own their each other own think find whats im ive today tonight tomorrow pm'
  ).split(' '),
)

/** Synonyms: each word of a line counts as the first. */
const lines = [
  'price cost charge fee pricing expensive cheap rate tariff dollar money bill billed billing quote',
  'pay payment visa mastercard amex paypal card credit debit checkout',
  'book booking reserve reservation appointment schedule',
  'call phone ring telephone dial',
  'caller customer client',
  'reception receptionist',
  'agent bot callbot assistant',
  'robot robotic ai artificial synthetic machine',
  'language english spanish french german italian portuguese chinese arabic multilingual bilingual speak',
  'cancel cancellation quit terminate unsubscribe end stop',
  'setup install installation launch onboard onboarding',
  'start begin started beginning process step',
  'record recording recorded',
  'connect integrate integration connection compatible crm plug sync',
  'hotel resort inn motel hostel guesthouse lodging bnb breakfast',
  'guest visitor traveller tourist',
  'restaurant cafe bistro pizzeria diner coffee bar brasserie trattoria',
  'menu gluten allergy allergic vegan vegetarian dish food',
  'clinic doctor dentist dental medical physio therapist hospital patient wellness spa massage practice veterinary vet surgery',
  'emergency ambulance urgent pain 911 112',
  'move reschedule postpone',
  'shop store retail ecommerce webshop boutique outlet clothing',
  'parcel package delivery shipment order',
  'return refund exchange',
  'travel tourism tour trip agency excursion',
  'government council municipal municipality city town public authority resident citizen',
  'software saas startup tech app helpdesk',
  'queue hold wait waiting busy peak overflow',
  'night evening weekend holiday midnight nights sunday round clock',
  'celebrity famous actor star singer politician',
  'read see look view listen hear',
  'email mail',
  'minute min mins',
  'privacy gdpr hipaa data compliance compliant',
  'delete erase remove deletion',
  'upgrade downgrade switch change',
  'exceed overage extra additional limit',
  'transcript transcription summary log protocol',
  'report statistic analytics dashboard rate success analysis',
  'permission allowed consent legal',
  'clone cloning cloned',
  'human person people staff someone somebody',
].map((line) => line.split(' '))
const same = new Map(
  lines.flatMap((words) => words.map((word): [string, string] => [stem(word), stem(words[0] ?? word)])),
)
/** The words that have a synonym. */
export const synonyms: readonly string[] = lines.flat()

/** Returns a word without its ending. It is crude, but it treats questions and answers alike. */
export function stem(word: string): string {
  for (const [ending, instead, least] of [
    ['ies', 'y', 5],
    ['ing', '', 6],
    ['edly', '', 7],
    ['ed', '', 5],
    ['s', '', 4],
  ] as const) {
    if (word.length < least || !word.endsWith(ending) || word.endsWith('ss')) continue
    const base = word.slice(0, -ending.length) + instead
    return base.replace(/([bdgklmnprt])\1$/, '$1').replace(/e$/, '')
  }
  return word.length > 3 ? word.replace(/e$/, '') : word
}

/** Phrases that mean one thing, each with the word that stands for it. */
const idioms: readonly (readonly [RegExp, string])[] = [
  [/\babout me\b/g, 'my data'],
  [/\bdo(?:es)?(?: no|n)t know\b/g, 'unknown'],
  [/\b24\s*\/\s*7\b/g, 'night'],
  [/\bset[\s-]up\b/g, 'setup'],
  [/\bstored\b|\byou store\b/g, 'kept'],
  [/\b(?:[1-7]|three|four|five)[\s-]stars?\b/g, 'hotel'],
  // Words in another script.
  [/(?:(?!\p{Script=Latin})\p{L})+/gu, 'foreign'],
  [/\bcheck[\s-]in\b/g, 'checkin'],
  [/\b(?:log(?:ged|ging)?|sign(?:ed|ing)?)[\s-]?in(?:to)?\b/g, 'login'],
  [/\bhow much\b/g, 'price'],
  [/\bhow (?:long|soon|fast|many days|quickly)\b|\bwhen (?:does|do|can|will)\b/g, 'duration'],
  [/\b(?:(?:run|ran|runs) out|used? up|(?:go|goes|going|went) over|(?:is|are) gone)\b/g, 'exceed'],
  [/\bpick(?:s|ed|ing)? up\b/g, 'answers'],
  [/\b(?:call|ring|phone)\w* (?:\w+ )?back\b/g, 'callback'],
  [/\bhow (?:does|do|will) (?:it|this|that)(?: \w+){0,2} work\b/g, 'process'],
]

/** Returns the stems of the words that carry meaning, in their order, each once. */
export function stemsOf(text: string): string[] {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/['’]/g, '')
  const told = idioms.reduce((text, [pattern, word]) => text.replace(pattern, word), plain)
  const stems = (told.match(/[\p{L}\p{N}]+/gu) ?? [])
    .filter((word) => !empty.has(word) && (word.length > 1 || /\d/.test(word)))
    .map(stem)
  return [...new Set(stems.map((each) => same.get(each) ?? each))]
}

/**
 * Counts the letters that must be added, dropped, changed or swapped with their neighbour to make one word the other
 * (restricted Damerau–Levenshtein distance). Above `limit` it returns `limit + 1`.
 */
export function editDistance(a: string, b: string, limit: number): number {
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

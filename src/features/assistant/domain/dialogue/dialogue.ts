import { weekdayLabel, isImpossible, timeIn, timeLabel } from './calendar.ts'
import type { CreateLeadRequest } from '#assistant/domain/contracts.ts'
import {
  aboutAgent,
  agrees,
  asksForEnterprise,
  asksForHelp,
  bookableIn,
  books,
  callsBack,
  changesMind,
  contactIn,
  greets,
  introducedIn,
  isRude,
  namesMoment,
  no,
  offeredAt,
  offeredIn,
  offeredTimes,
  plans,
  quits,
  retries,
  thanks,
  yes,
  type Contact,
} from './intents.ts'
import { lengthIn, monthOf, quantityIn, volumeIn } from './quantities.ts'
import { bestAnswer, exactAnswer, type Answer, type Index } from './ranking.ts'
import { routes } from '#platform/domain/routes.ts'
import { planName } from '#plans/domain/plans.ts'

/** The business that the agent speaks for, and what it arranges there. */
export interface Persona {
  greeting: string
  /** "a table", "an appointment": what its callers book. */
  books: string
  /** Who is told about a booking or a call-back: "the front desk". */
  team: string
  /** What a caller may say first, to choose from. */
  openers: readonly string[]
}

/** The state of the dialogue: the question that the agent waits on, with what it knows already. */
export type Topic =
  | { at: 'open' }
  | ({ at: 'day' } & Known)
  | ({ at: 'time'; day: string } & Known)
  | ({ at: 'when' } & Known)
  | ({ at: 'need' } & Known)
  | ({ at: 'name'; wish: Wish } & Known)
  | { at: 'contact'; wish: Wish; name: string }
  | { at: 'confirm'; wish: Wish; name: string; contact: Contact }
  | { at: 'unsent'; request: Arrangement; hasFailed: boolean }
  | { at: 'offer' }
  | { at: 'calls' }
  | { at: 'length'; calls: number }

/** What the caller has said already, besides the answer to the question. */
interface Known {
  name?: string
  contact?: Contact
}

/** What a caller asks for. */
export type Wish = Exclude<CreateLeadRequest['wish'], { kind: 'help' }>

/** An agreement with the caller, to pass on. */
export interface Arrangement {
  /** The same if it is passed on again. */
  id: string
  wish: Wish
  name: string
  contact: Contact
}

export interface Turn {
  topic: Topic
  say: string
  /** The page that says so. */
  source?: { title: string; url: string }
  /** Answers to choose from, in place of typing. */
  choices: readonly string[]
  arranged?: Arrangement
}

export interface Knowledge {
  persona: Persona
  index: Index
  /** Today, as YYYY-MM-DD. */
  today: string
  /** Makes the id of an arrangement. */
  newId: () => string
  /**
   * Names the plan for a number of minutes a month, in a sentence, and the page to choose it on. A business that sells no
   * plans has none.
   */
  advise?: (minutes: number) => { say: string; title: string; url: string }
}

const toEnterprise = `Ask about ${planName('enterprise')}`

const timeLabels = offeredTimes.map(timeLabel)
const listed = new Intl.ListFormat('en', { type: 'disjunction' }).format(timeLabels)

/** A topic in which the agent waits for the answer to a question of its own. */
type Question = Exclude<Topic, { at: 'open' }>

interface Step<Asked extends Question> {
  ask: string | ((topic: Asked) => string)
  /** Answers to choose from. */
  choices?: readonly string[]
  /** Said before the question is asked again. */
  misheard: string | ((topic: Asked) => string)
  /** Returns what the agent says next, or undefined if the words do not answer the question. */
  next: (topic: Asked, text: string, knowledge: Knowledge) => Turn | undefined
}

const turn = (topic: Topic, say: string, choices: readonly string[] = []): Turn => ({ topic, say, choices })

const stepOf = <Asked extends Question>(topic: Asked): Step<Asked> =>
  // The table has, under each name, the step of the topic of that name.
  steps[topic.at] as unknown as Step<Asked>

const worded = <Asked extends Question>(words: string | ((topic: Asked) => string), topic: Asked): string =>
  typeof words === 'string' ? words : words(topic)

/** Asks the question of a topic. */
function question(topic: Question, before = ''): Turn {
  const { ask, choices = [] } = stepOf(topic)
  const offer = topic.at === 'time' ? `${weekdayLabel(topic.day)}: ${listed}. ` : ''
  return turn(topic, `${before} ${offer}${worded(ask, topic)}`.trim(), choices)
}

const told = (answer: Answer): Turn => ({
  topic: { at: 'open' },
  say: answer.text,
  source: { title: answer.title, url: answer.url },
  // Whoever is sent to the contact page can leave a request at once.
  choices: answer.url === routes.contact ? ['Call me back', toEnterprise] : [],
})

/** Offers a call-back in place of an answer. */
const offer = (why: string, { team }: Persona): Turn =>
  turn({ at: 'offer' }, `${why} Shall ${team} call you back?`, ['Call me back'])

const capital = (text: string): string => `${text[0]?.toUpperCase()}${text.slice(1)}`

/** Begins a call-back. */
const callBack = ({ team }: Persona): Turn => question({ at: 'when' }, `${capital(team)} will call you.`)

/** Returns the agent's greeting. */
export const greet = ({ persona }: Pick<Knowledge, 'persona'>): Turn =>
  turn({ at: 'open' }, persona.greeting, persona.openers)

/** Returns whether a stored value is a topic of this dialogue: an earlier version may have stored it. */
export const isTopic = (kept: Topic | undefined): kept is Topic =>
  kept?.at === 'open' || (kept !== undefined && Object.hasOwn(steps, kept.at))

const contactLabel = ({ email, phone }: Contact): string => [email, phone].filter(Boolean).join(' and ')

/** Returns what the agent says when the request has arrived. */
export const passedOn = ({ wish, contact }: Arrangement, { team, openers }: Persona): Turn =>
  turn(
    { at: 'open' },
    `Done: ${team} has your request, and will answer you at ${contactLabel(contact)}.${
      wish.kind === 'booking' ? ' The time is yours once it is confirmed.' : ''
    }`,
    openers,
  )

/** Returns what the agent says when the request could not be passed on. */
export const notPassedOn = (request: Arrangement, why: string, { team }: Persona): Turn =>
  question(
    { at: 'unsent', request, hasFailed: true },
    `That did not go through: I have no word that ${team} has your request. ${why} I have kept what you said.`,
  )

/** Returns what the agent says to what it heard. The same words in the same topic get the same answer. */
export function reply(topic: Topic, heard: string, knowledge: Knowledge): Turn {
  const text = heard.trim().slice(0, 500)
  if (text === '') return topic.at === 'open' ? greet(knowledge) : question(topic)
  if (topic.at === 'open') return open(text, knowledge)
  const isTitle = exactAnswer(text, knowledge.index) !== undefined
  // An offer is no question of the caller's own, to which the agent would come back.
  if (isTitle && topic.at === 'offer') return open(text, knowledge)
  if (quits.test(text) && !isTitle)
    return turn({ at: 'open' }, 'All right. What else can I do for you?', knowledge.persona.openers)
  const { ask, misheard, next } = stepOf(topic)
  const answered = isTitle ? undefined : next(topic, text, knowledge)
  if (answered) return answered
  const answer = bestAnswer(text, knowledge.index)
  if (answer)
    return { ...told(answer), topic, say: `${answer.text} Back to your request: ${worded(ask, topic)}` }
  const noTime = topic.at === 'time' && timeIn(text) === undefined
  return question(topic, noTime ? 'I did not catch a time.' : worded(misheard, topic))
}

function open(text: string, { persona, index, today, advise }: Knowledge): Turn {
  const { openers } = persona
  const exact = exactAnswer(text, index)
  if (exact) return told(exact)
  if (greets.test(text)) return turn({ at: 'open' }, 'Hello. What can I do for you?', openers)
  // Emoji and question marks alone say no more than silence.
  if (asksForHelp.test(text) || !/[\p{L}\p{N}]/u.test(text)) return greet({ persona })
  if (thanks.test(text) && text.length < 40) return turn({ at: 'open' }, 'You are welcome.', openers)
  if (callsBack.test(text) && !aboutAgent.test(text)) return callBack(persona)
  if (advise) {
    if (asksForEnterprise.test(text) && !aboutAgent.test(text))
      return question({ at: 'need' }, `${capital(persona.team)} will make you an offer.`)
    const volume = volumeIn(text)
    if (volume) return advised(volume.minutes, advise, volume.assumption)
    if (plans.test(text)) return question({ at: 'calls' }, 'Let us see.')
  }
  const wantsToBook = books.test(text) || text.toLowerCase().includes(`${persona.books} for`)
  if (wantsToBook && !aboutAgent.test(text)) {
    const day = bookableIn(text, today)
    const asked = day ? booked({ day, time: offeredAt(text) }, persona) : question({ at: 'day' })
    return { ...asked, say: `I can note ${persona.books}. ${asked.say}` }
  }
  const answer = bestAnswer(text, index)
  if (answer) return told(answer)
  return isRude.test(text)
    ? offer('I am sorry that I am no help to you so far.', persona)
    : offer('I do not know that, and I would rather not guess.', persona)
}

/** Names the plan for so many minutes a month. */
function advised(minutes: number, advise: NonNullable<Knowledge['advise']>, assumption = ''): Turn {
  const { say, title, url } = advise(minutes)
  return {
    ...turn({ at: 'open' }, `${assumption} ${say}`.trim(), url === routes.contact ? [toEnterprise] : []),
    source: { title, url },
  }
}

interface Booking extends Known {
  day: string
  time?: string
}

interface Request extends Known {
  wish: Wish
}

/** Asks for what a request still lacks, then for a confirmation. */
function requested({ wish, name, contact }: Request, { books }: Persona): Turn {
  if (!name) return question({ at: 'name', wish, contact })
  if (!contact || (wish.kind === 'call-back' && !contact.phone))
    return question({ at: 'contact', wish, name })
  const summary = {
    booking: () => `${momentOf(wish)}, ${books} for ${name}`,
    'call-back': () => `A call to ${name}: ${momentOf(wish)}`,
    enterprise: () => `An offer for ${name}: ${momentOf(wish)}`,
  }[wish.kind]()
  return question({ at: 'confirm', wish, name, contact }, `${summary}. I have ${contactLabel(contact)}.`)
}

/** Returns what a wish says: its day and time, or the caller's words. */
const momentOf = (wish: Wish): string =>
  wish.kind === 'booking'
    ? `${weekdayLabel(wish.day)} at ${timeLabel(wish.time)}`
    : wish.kind === 'call-back'
      ? wish.when
      : wish.need

/** Asks for the time of a booking, or for what else it lacks. */
const booked = ({ day, time, name, contact }: Booking, persona: Persona): Turn =>
  time
    ? requested({ wish: { kind: 'booking', day, time }, name, contact }, persona)
    : question({ at: 'time', day, name, contact })

/** Returns the booking with another day or time; undefined if the words name none of them. */
function rebooked(booking: Booking, text: string, { persona, today }: Knowledge): Turn | undefined {
  const { name, contact } = booking
  const day = bookableIn(text, today)
  if (day) return booked({ ...booking, day, time: offeredAt(text) }, persona)
  const time = offeredIn(text)
  if (time) return booked({ ...booking, time }, persona)
  if (/\b(day|date)\b/i.test(text)) return question({ at: 'day', name, contact })
  return booking.time && /\btime\b/i.test(text) ? booked({ ...booking, time: undefined }, persona) : undefined
}

/** Returns the request with what the caller changes, if the words change anything. */
function correction(request: Request, text: string, knowledge: Knowledge): Turn | undefined {
  if (!changesMind.test(text)) return undefined
  const { wish, name, contact } = request
  const other = contactIn(text)
  if (other) return requested({ ...request, contact: { ...contact, ...other } }, knowledge.persona)
  if (name && /\bname\b/i.test(text)) return requested({ wish, contact }, knowledge.persona)
  if (contact && /\b(e-?mail|number|phone|address)\b/i.test(text))
    return requested({ wish, name }, knowledge.persona)
  return wish.kind === 'booking' ? rebooked({ ...wish, name, contact }, text, knowledge) : undefined
}

/** The question with which each kind of request begins. */
const firstQuestion = { booking: 'day', 'call-back': 'when', enterprise: 'need' } as const

const sayYesOrNo = 'Please say yes or no.'

/** Returns the caller's own words, if they are an answer and no question. */
const wordsIn = (text: string, longest: number): string | undefined =>
  text.endsWith('?') || !/[\p{L}\d]/u.test(text) || text.length > longest
    ? undefined
    : text.replace(/[.!\s]+$/, '').replace(/[\s\p{Cc}]+/gu, ' ')

/** Every question of the agent's, by its topic. */
const steps: { [At in Question['at']]: Step<Extract<Question, { at: At }>> } = {
  day: {
    ask: 'Which day suits you?',
    choices: ['Tomorrow', 'Monday'],
    misheard: 'I need a day from tomorrow on, such as Thursday or 24 November.',
    next({ name, contact }, text, { persona, today }) {
      const day = bookableIn(text, today)
      return day ? booked({ day, time: offeredAt(text), name, contact }, persona) : undefined
    },
  },
  time: {
    ask: 'Which time suits you?',
    choices: timeLabels,
    misheard: 'That time is not free.',
    next: rebooked,
  },
  when: {
    ask: 'When is a good time to call?',
    misheard: 'For example: tomorrow at ten.',
    next({ name, contact }, text, { persona, today }) {
      const when = wordsIn(text, 80)
      const said = introducedIn(text)
      if (said.contact && !namesMoment.test(text))
        return question({ at: 'when', name: name ?? said.name, contact: said.contact })
      return when === undefined || isImpossible(text, today)
        ? undefined
        : requested({ wish: { kind: 'call-back', when }, name, contact }, persona)
    },
  },
  need: {
    ask: 'What do you need: how many locations, phone lines or calls a day?',
    misheard: 'A sentence is enough, such as: 12 hotels, 300 calls a day.',
    next({ name, contact }, text, { persona }) {
      const need = wordsIn(text, 300)
      return need === undefined
        ? undefined
        : requested({ wish: { kind: 'enterprise', need }, name, contact }, persona)
    },
  },
  name: {
    ask: ({ wish }) => (wish.kind === 'booking' ? 'What name shall I put it under?' : 'What is your name?'),
    misheard: 'A name is enough.',
    next(topic, text, knowledge) {
      const said = introducedIn(text)
      return (
        correction(topic, text, knowledge) ??
        (said.name || said.contact
          ? requested({ ...topic, ...said, contact: said.contact ?? topic.contact }, knowledge.persona)
          : undefined)
      )
    },
  },
  contact: {
    ask: ({ wish }) =>
      wish.kind === 'call-back'
        ? 'Which number can you be reached at? Add your email address if you want a confirmation.'
        : 'Which email address or phone number can you be reached at?',
    misheard: ({ wish }) =>
      wish.kind === 'call-back'
        ? 'I need a number of seven to fifteen digits.'
        : 'I need a complete email address, or a number of seven to fifteen digits.',
    next(topic, text, knowledge) {
      const contact = contactIn(text)
      if (contact && (contact.phone || topic.wish.kind !== 'call-back'))
        return requested({ ...topic, contact }, knowledge.persona)
      return correction(topic, text, knowledge)
    },
  },
  confirm: {
    ask: 'Is that right?',
    choices: ['Yes', 'No'],
    misheard: sayYesOrNo,
    next(topic, text, knowledge) {
      const { wish, name, contact } = topic
      const corrected = correction(topic, text, knowledge)
      if (corrected) return corrected
      if (no.test(text)) return question({ at: firstQuestion[wish.kind] }, 'Then once more.')
      if (!yes.test(text)) return undefined
      return {
        ...turn({ at: 'open' }, `Noted: ${momentOf(wish)}, for ${name}.`, knowledge.persona.openers),
        arranged: { id: knowledge.newId(), wish, name, contact },
      }
    },
  },
  unsent: {
    ask: 'Shall I try again?',
    choices: ['Try again'],
    misheard: sayYesOrNo,
    next({ request }, text, { persona }) {
      if (retries.test(text)) return { ...turn({ at: 'open' }, 'Once more.'), arranged: request }
      return no.test(text)
        ? turn(
            { at: 'open' },
            'All right, I will not pass it on. What else can I do for you?',
            persona.openers,
          )
        : undefined
    },
  },
  offer: {
    ask: 'Shall we call you back?',
    choices: ['Call me back'],
    misheard: sayYesOrNo,
    next: (_, text, knowledge) => (agrees.test(text) ? callBack(knowledge.persona) : open(text, knowledge)),
  },
  calls: {
    ask: 'About how many calls do you get on a day?',
    misheard: 'A number is enough, such as 20.',
    next(_, text, { advise }) {
      const calls = quantityIn(text, 'calls')
      if (calls === undefined || !advise) return undefined
      const length = lengthIn(text)
      return length ? advised(monthOf(calls, length), advise) : question({ at: 'length', calls })
    },
  },
  length: {
    ask: 'And how many minutes does a call take, roughly?',
    misheard: 'A number is enough, such as 3.',
    next({ calls }, text, { advise }) {
      const minutes = quantityIn(text, 'minutes')
      return minutes === undefined || !advise ? undefined : advised(monthOf(calls, minutes), advise)
    },
  },
}

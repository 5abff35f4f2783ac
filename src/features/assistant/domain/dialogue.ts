import { weekdayLabel, isImpossible, timeIn, timeLabel } from './calendar.ts'
import {
  aboutAgent,
  bookableIn,
  books,
  callsBack,
  changesMind,
  greets,
  nameIn,
  no,
  numberIn,
  offeredAt,
  offeredIn,
  offeredTimes,
  plans,
  quantityIn,
  quits,
  thanks,
  yes,
} from './intents.ts'
import { bestAnswer, exactAnswer, type Answer, type Index } from './ranking.ts'

/** The business that the agent speaks for, and what it arranges there. */
export interface Persona {
  greeting: string
  /** "a table", "an appointment": what its callers book. */
  books: string
  /** Who is told about a booking or a call-back: "the front desk". */
  team: string
}

/** The state of the dialogue: the question that the agent waits on, with what it knows already. */
export type Topic =
  | { at: 'open' }
  | { at: 'day'; name?: string | undefined }
  | { at: 'time'; day: string; name?: string | undefined }
  | { at: 'name'; day: string; time: string }
  | { at: 'confirm'; day: string; time: string; name: string }
  | { at: 'caller' }
  | { at: 'number'; name: string }
  | { at: 'when'; name: string; number: string }
  | { at: 'agree'; name: string; number: string; when: string }
  | { at: 'calls' }
  | { at: 'length'; calls: number }

/** An agreement with the caller, for the page to show and to pass on. */
export type Arrangement =
  | { kind: 'booking'; day: string; time: string; name: string }
  | { kind: 'call-back'; name: string; number: string; when: string }

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
  /** Names the plan for a number of minutes a month, in a sentence, and the page to choose it on. */
  advise: (minutes: number) => { say: string; title: string; url: string }
}

const openers = ['Book a time', 'Which plan do I need?', 'Call me back']

const timeLabels = offeredTimes.map(timeLabel)
const listed = new Intl.ListFormat('en', { type: 'disjunction' }).format(timeLabels)

/** A topic in which the agent waits for the answer to a question of its own. */
type Question = Exclude<Topic, { at: 'open' }>

interface Step<Asked extends Question> {
  ask: string
  /** Answers to choose from. */
  choices?: readonly string[]
  /** Said before the question is asked again. */
  misheard: string
  /** Returns what the agent says next, or undefined if the words do not answer the question. */
  next: (topic: Asked, text: string, knowledge: Knowledge) => Turn | undefined
}

const turn = (topic: Topic, say: string, choices: readonly string[] = []): Turn => ({ topic, say, choices })

const stepOf = <Asked extends Question>(topic: Asked): Step<Asked> =>
  // The table has, under each name, the step of the topic of that name.
  steps[topic.at] as unknown as Step<Asked>

/** Asks the question of a topic. */
function question(topic: Question, before = ''): Turn {
  const { ask, choices = [] } = stepOf(topic)
  const offer = topic.at === 'time' ? `${weekdayLabel(topic.day)}: ${listed}. ` : ''
  return turn(topic, `${before} ${offer}${ask}`.trim(), choices)
}

const told = (answer: Answer): Turn => ({
  topic: { at: 'open' },
  say: answer.text,
  source: { title: answer.title, url: answer.url },
  choices: [],
})

const unknown = (team: string): Turn =>
  turn({ at: 'open' }, `I do not know that, and I would rather not guess. Shall ${team} call you back?`, [
    'Call me back',
  ])

/** Returns the agent's greeting. */
export const greet = ({ persona }: Pick<Knowledge, 'persona'>): Turn =>
  turn({ at: 'open' }, persona.greeting, openers)

/** Returns whether a stored value is a topic of this dialogue: an earlier version may have stored it. */
export const isTopic = (kept: Topic | undefined): kept is Topic =>
  kept?.at === 'open' || (kept !== undefined && Object.hasOwn(steps, kept.at))

/** Returns what the agent says to what it heard. The same words in the same topic get the same answer. */
export function reply(topic: Topic, heard: string, knowledge: Knowledge): Turn {
  const text = heard.trim().slice(0, 500)
  if (text === '') return topic.at === 'open' ? greet(knowledge) : question(topic)
  if (topic.at === 'open') return open(text, knowledge)
  const isTitle = exactAnswer(text, knowledge.index) !== undefined
  if (quits.test(text) && !isTitle)
    return turn({ at: 'open' }, 'All right. What else can I do for you?', openers)
  const { ask, misheard, next } = stepOf(topic)
  const answered = isTitle ? undefined : next(topic, text, knowledge)
  if (answered) return answered
  const answer = bestAnswer(text, knowledge.index)
  if (answer) return { ...told(answer), topic, say: `${answer.text} Back to your request: ${ask}` }
  const noTime = topic.at === 'time' && timeIn(text) === undefined
  return question(topic, noTime ? 'I did not catch a time.' : misheard)
}

function open(text: string, { persona, index, today }: Knowledge): Turn {
  const exact = exactAnswer(text, index)
  if (exact) return told(exact)
  if (greets.test(text)) return turn({ at: 'open' }, 'Hello. What can I do for you?', openers)
  if (thanks.test(text) && text.length < 40) return turn({ at: 'open' }, 'You are welcome.', openers)
  if (callsBack.test(text) && !aboutAgent.test(text))
    return question(
      { at: 'caller' },
      `${persona.team[0]?.toUpperCase()}${persona.team.slice(1)} will call you.`,
    )
  if (plans.test(text)) return question({ at: 'calls' }, 'Let us see.')
  if (books.test(text) && !aboutAgent.test(text)) {
    const day = bookableIn(text, today)
    const before = `I can note ${persona.books}.`
    return day ? question({ at: 'time', day }, before) : question({ at: 'day' }, before)
  }
  const answer = bestAnswer(text, index)
  return answer ? told(answer) : unknown(persona.team)
}

interface Booking {
  day: string
  time?: string | undefined
  name?: string | undefined
}

/** Asks for what a booking still lacks, then for a confirmation. */
function booked({ day, time, name }: Booking, { books }: Persona): Turn {
  if (!time) return question({ at: 'time', day, name })
  if (!name) return question({ at: 'name', day, time })
  return question(
    { at: 'confirm', day, time, name },
    `${weekdayLabel(day)} at ${timeLabel(time)}, ${books} for ${name}.`,
  )
}

/** Returns the booking with another day, time or name; undefined if the words name none of them. */
function rebooked(booking: Booking, text: string, { persona, today }: Knowledge): Turn | undefined {
  const day = bookableIn(text, today)
  if (day) return booked({ ...booking, day, time: offeredAt(text) }, persona)
  const time = offeredIn(text)
  if (time) return booked({ ...booking, time }, persona)
  if (/\b(day|date)\b/i.test(text)) return question({ at: 'day', name: booking.name })
  if (booking.time && /\btime\b/i.test(text)) return booked({ ...booking, time: undefined }, persona)
  return booking.name && /\bname\b/i.test(text) ? booked({ ...booking, name: undefined }, persona) : undefined
}

/** Returns the booking with what the caller changes, if the words change anything. */
const correction = (booking: Booking, text: string, knowledge: Knowledge): Turn | undefined =>
  changesMind.test(text) ? rebooked(booking, text, knowledge) : undefined

/** Every question of the agent's, by its topic. */
const steps: { [At in Question['at']]: Step<Extract<Question, { at: At }>> } = {
  day: {
    ask: 'Which day suits you?',
    choices: ['Tomorrow', 'Monday'],
    misheard: 'I need a day from tomorrow on, such as Thursday or 24 November.',
    next(topic, text, { persona, today }) {
      const day = bookableIn(text, today)
      return day ? booked({ ...topic, day }, persona) : undefined
    },
  },
  time: {
    ask: 'Which time suits you?',
    choices: timeLabels,
    misheard: 'That time is not free.',
    next: rebooked,
  },
  name: {
    ask: 'What name shall I put it under?',
    misheard: 'A name is enough.',
    next(topic, text, knowledge) {
      const name = nameIn(text)
      return (
        correction(topic, text, knowledge) ??
        (name ? booked({ ...topic, name }, knowledge.persona) : undefined)
      )
    },
  },
  confirm: {
    ask: 'Is that right?',
    choices: ['Yes', 'No'],
    misheard: 'Please say yes or no.',
    next(topic, text, knowledge) {
      const corrected = correction(topic, text, knowledge)
      if (corrected) return corrected
      if (no.test(text)) return question({ at: 'day' }, 'Then once more.')
      if (!yes.test(text)) return undefined
      const { day, time, name } = topic
      return {
        ...turn({ at: 'open' }, `Noted: ${weekdayLabel(day)} at ${timeLabel(time)}, for ${name}.`, openers),
        arranged: { kind: 'booking', day, time, name },
      }
    },
  },
  caller: {
    ask: 'What is your name?',
    misheard: 'A name is enough.',
    next(_, text) {
      const name = nameIn(text)
      return name ? question({ at: 'number', name }) : undefined
    },
  },
  number: {
    ask: 'Which number can you be reached at?',
    misheard: 'I need a number of seven to fifteen digits.',
    next({ name }, text) {
      const number = numberIn(text)
      return number === undefined ? undefined : question({ at: 'when', name, number })
    },
  },
  when: {
    ask: 'When is a good time to call?',
    misheard: 'For example: tomorrow at ten.',
    next({ name, number }, text, { today }) {
      if (text.endsWith('?') || !/[\p{L}\d]/u.test(text) || text.length > 80 || isImpossible(text, today))
        return undefined
      const when = text.replace(/[.!\s]+$/, '')
      return question({ at: 'agree', name, number, when }, `A call to ${name}, ${number}, ${when}.`)
    },
  },
  agree: {
    ask: 'Is that right?',
    choices: ['Yes', 'No'],
    misheard: 'Please say yes or no.',
    next({ name, number, when }, text) {
      if (no.test(text)) return question({ at: 'caller' }, 'Then once more.')
      if (!yes.test(text)) return undefined
      return {
        ...turn({ at: 'open' }, `Noted. ${number}, ${when}.`, openers),
        arranged: { kind: 'call-back', name, number, when },
      }
    },
  },
  calls: {
    ask: 'About how many calls do you get on a day?',
    misheard: 'A number is enough, such as 20.',
    next(_, text) {
      const calls = quantityIn(text, { week: 1 / 7, month: 1 / 30 })
      return calls === undefined ? undefined : question({ at: 'length', calls })
    },
  },
  length: {
    ask: 'And how many minutes does a call take, roughly?',
    misheard: 'A number is enough, such as 3.',
    next({ calls }, text, { advise }) {
      const minutes = quantityIn(text, { sec: 1 / 60, hour: 60 })
      if (minutes === undefined) return undefined
      const { say, title, url } = advise(Math.round(calls * minutes * 30))
      return { ...turn({ at: 'open' }, say), source: { title, url } }
    },
  },
}

import { dayLabel, isImpossible, timeIn, timeLabel } from './calendar.ts'
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
} from './hearing.ts'
import { bestAnswer, type Answer, type Index } from './ranking.ts'

/** Whom the agent speaks for, and what it arranges there. */
export interface Persona {
  greeting: string
  /** "a table", "an appointment": what its callers book. */
  books: string
  /** Who is told about a booking or a call-back: "the front desk". */
  team: string
}

/** What the agent is in the middle of. */
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

/** What was arranged, for the page to show and to pass on. */
export type Arrangement =
  | { kind: 'booking'; day: string; time: string; name: string }
  | { kind: 'call-back'; name: string; number: string; when: string }

export interface Turn {
  topic: Topic
  say: string
  /** Where it is written. */
  source?: { title: string; url: string }
  /** Answers to choose from, in place of typing. */
  choices: readonly string[]
  arranged?: Arrangement
}

export interface Knowledge {
  persona: Persona
  index: Index
  /** Today, as an ISO date. */
  today: string
  /** Names the plan for so many minutes a month, in a sentence, and where to choose it. */
  advise: (minutes: number) => { say: string; title: string; url: string }
}

const openers = ['Book a time', 'Which plan do I need?', 'Call me back']

const ask: Record<Exclude<Topic['at'], 'open'>, string> = {
  day: 'Which day suits you?',
  time: 'Which time suits you?',
  name: 'What name shall I put it under?',
  confirm: 'Is that right?',
  caller: 'What is your name?',
  number: 'Which number can you be reached at?',
  when: 'When is a good time to call?',
  agree: 'Is that right?',
  calls: 'About how many calls do you get on a day?',
  length: 'And how many minutes does a call take, roughly?',
}

const timeLabels = offeredTimes.map(timeLabel)
const listed = new Intl.ListFormat('en', { type: 'disjunction' }).format(timeLabels)

const turn = (topic: Topic, say: string, choices: readonly string[] = []): Turn => ({ topic, say, choices })
const question = (topic: Exclude<Topic, { at: 'open' }>, before = ''): Turn => {
  const choices = {
    time: timeLabels,
    confirm: ['Yes', 'No'],
    agree: ['Yes', 'No'],
    day: ['Tomorrow', 'Monday'],
  }
  const text = topic.at === 'time' ? `${dayLabel(topic.day)}: ${listed}. ${ask.time}` : ask[topic.at]
  return turn(topic, `${before} ${text}`.trim(), choices[topic.at as keyof typeof choices] ?? [])
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

/** The first words. */
export const greet = ({ persona }: Pick<Knowledge, 'persona'>): Turn =>
  turn({ at: 'open' }, persona.greeting, openers)

/** Whether it is a place in this conversation, whoever kept it. */
export const isTopic = (kept: Topic | undefined): kept is Topic =>
  kept?.at === 'open' || (kept !== undefined && Object.hasOwn(ask, kept.at))

/** What the agent says to what it heard. Pure: the same words in the same place get the same answer. */
export function reply(topic: Topic, heard: string, knowledge: Knowledge): Turn {
  const text = heard.trim().slice(0, 500)
  if (text === '') return topic.at === 'open' ? greet(knowledge) : question(topic)
  if (topic.at === 'open') return open(text, knowledge)
  if (quits.test(text)) return turn({ at: 'open' }, 'All right. What else can I do for you?', openers)
  const next = pending(topic, text, knowledge)
  if (next) return next
  const answer = bestAnswer(text, knowledge.index)
  if (answer) return { ...told(answer), topic, say: `${answer.text} Back to your request: ${ask[topic.at]}` }
  const noTime = topic.at === 'time' && timeIn(text) === undefined
  return question(topic, noTime ? 'I did not catch a time.' : misheard[topic.at])
}

const misheard: Record<Exclude<Topic['at'], 'open'>, string> = {
  day: 'I need a day from tomorrow on, such as Thursday or 24 November.',
  time: 'That time is not free.',
  name: 'A name is enough.',
  confirm: 'Please say yes or no.',
  caller: 'A name is enough.',
  number: 'I need a number of seven to fifteen digits.',
  when: 'For example: tomorrow at ten.',
  agree: 'Please say yes or no.',
  calls: 'A number is enough, such as 20.',
  length: 'A number is enough, such as 3.',
}

function open(text: string, { persona, index, today }: Knowledge): Turn {
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

/** Asks for what a booking still lacks, then whether it is right. */
function booked({ day, time, name }: Booking, { books }: Persona): Turn {
  if (!time) return question({ at: 'time', day, name })
  if (!name) return question({ at: 'name', day, time })
  return question(
    { at: 'confirm', day, time, name },
    `${dayLabel(day)} at ${timeLabel(time)}, ${books} for ${name}.`,
  )
}

/** The booking with another day, another time, or both; undefined where the words name neither. */
function rebooked(booking: Booking, text: string, { persona, today }: Knowledge): Turn | undefined {
  const day = bookableIn(text, today)
  if (day) return booked({ ...booking, day, time: offeredAt(text) }, persona)
  const time = offeredIn(text)
  if (time) return booked({ ...booking, time }, persona)
  if (/\b(day|date)\b/i.test(text)) return question({ at: 'day', name: booking.name })
  if (booking.time && /\btime\b/i.test(text)) return booked({ ...booking, time: undefined }, persona)
  return booking.name && /\bname\b/i.test(text) ? booked({ ...booking, name: undefined }, persona) : undefined
}

/** The next step of what is under way; undefined where the words do not answer the question. */
function pending(
  topic: Exclude<Topic, { at: 'open' }>,
  text: string,
  knowledge: Knowledge,
): Turn | undefined {
  const { persona, today, advise } = knowledge
  switch (topic.at) {
    case 'day': {
      const day = bookableIn(text, today)
      return day ? booked({ ...topic, day }, persona) : undefined
    }
    case 'time':
      return rebooked(topic, text, knowledge)
    case 'name': {
      const otherwise = changesMind.test(text) ? rebooked(topic, text, knowledge) : undefined
      if (otherwise) return otherwise
      const name = nameIn(text)
      return name ? booked({ ...topic, name }, persona) : undefined
    }
    case 'confirm': {
      const otherwise = changesMind.test(text) ? rebooked(topic, text, knowledge) : undefined
      if (otherwise) return otherwise
      if (no.test(text)) return question({ at: 'day' }, 'Then once more.')
      if (!yes.test(text)) return undefined
      const { day, time, name } = topic
      return {
        ...turn({ at: 'open' }, `Noted: ${dayLabel(day)} at ${timeLabel(time)}, for ${name}.`, openers),
        arranged: { kind: 'booking', day, time, name },
      }
    }
    case 'caller': {
      const name = nameIn(text)
      return name ? question({ at: 'number', name }) : undefined
    }
    case 'number': {
      const number = numberIn(text)
      return number === undefined ? undefined : question({ at: 'when', name: topic.name, number })
    }
    case 'when': {
      if (text.endsWith('?') || !/[\p{L}\d]/u.test(text) || text.length > 80 || isImpossible(text, today))
        return undefined
      const when = text.replace(/[.!\s]+$/, '')
      return question(
        { at: 'agree', name: topic.name, number: topic.number, when },
        `A call to ${topic.name}, ${topic.number}, ${when}.`,
      )
    }
    case 'agree': {
      if (no.test(text)) return question({ at: 'caller' }, 'Then once more.')
      if (!yes.test(text)) return undefined
      const { name, number, when } = topic
      return {
        ...turn({ at: 'open' }, `Noted. ${number}, ${when}.`, openers),
        arranged: { kind: 'call-back', name, number, when },
      }
    }
    case 'calls': {
      const calls = quantityIn(text, { week: 1 / 7, month: 1 / 30 })
      return calls === undefined ? undefined : question({ at: 'length', calls })
    }
    case 'length': {
      const minutes = quantityIn(text, { sec: 1 / 60, hour: 60 })
      if (minutes === undefined) return undefined
      const { say, title, url } = advise(Math.round(topic.calls * minutes * 30))
      return { ...turn({ at: 'open' }, say), source: { title, url } }
    }
  }
}

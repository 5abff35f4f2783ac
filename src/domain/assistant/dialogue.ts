import { dayIn, dayLabel, timeIn, timeLabel } from './calendar.ts'
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
  | { at: 'day' }
  | { at: 'time'; day: string }
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

/** The times that the agent offers. It arranges nothing in a real calendar, and says so. */
export const offeredTimes = ['09:40', '11:15', '14:30'] as const

const openers = ['Book a time', 'Which plan do I need?', 'Call me back']
const yes = /\b(yes|yeah|yep|sure|correct|right|ok|okay|please do|exactly|fine|perfect)\b/i
const no = /\b(no|nope|wrong|not right|change)\b/i
const quits = /\b(never ?mind|forget it|cancel that|stop|start over|something else)\b/i
const books = /\b(book|reserve|reservation|appointment|schedule)\b/i
const callsBack = /\b(call|ring|phone) me( back)?\b|\bcall ?-?back\b/i
const plans =
  /\b(which|what|best|right|recommend\w*|suggest\w*)\b.*\bplans?\b|\bplans?\b.*\b(need|suits?|fits?)\b/i
const thanks = /^\W*(thanks?|thank you|cheers|great|bye|goodbye)\b/i
const greets = /^\W*(hi|hello|hey|good (morning|afternoon|evening))\b\W*$/i
/** "Can I book a table?" asks for one; "Does it take bookings?" asks about the agent. */
const aboutAgent = /\b(does|can|will|do) (it|the agent|you|this|your agent|deskbell)\b|\bhow\b/i

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

const nameIn = (text: string): string | undefined => {
  const name = text
    .replace(/^\W*(my name is|my name's|name is|this is|it is|it's|i am|i'm|for|under)\b/i, '')
    .replace(/[.!,\s]+$/, '')
    .trim()
  return /\p{L}/u.test(name) && name.length <= 60 ? name : undefined
}
const numberIn = (text: string): string | undefined => {
  const number = /\+?\d[\d\s().-]{5,20}\d/.exec(text)?.[0].trim()
  return number && number.replace(/\D/g, '').length >= 7 ? number : undefined
}
const quantityIn = (text: string): number | undefined => {
  const amount = Number(/\d+(?:\.\d+)?/.exec(text.replace(/,(?=\d{3})/g, ''))?.[0])
  return amount > 0 && amount <= 10_000 ? amount : undefined
}
const timeLabels = offeredTimes.map(timeLabel)
const listed = new Intl.ListFormat('en', { type: 'disjunction' }).format(timeLabels)

/** Which of the offered times was meant: named, or by its place. */
function offeredIn(text: string): string | undefined {
  const place = ['first|earl', 'second|middle', 'third|last|latest'].findIndex((words) =>
    new RegExp(`\\b(${words})`, 'i').test(text),
  )
  if (place >= 0) return offeredTimes[place]
  const time = timeIn(text)
  if (time === undefined) return undefined
  return (
    offeredTimes.find((offered) => offered === time) ??
    (time.endsWith(':00')
      ? offeredTimes.find((offered) => offered.slice(0, 2) === time.slice(0, 2))
      : undefined)
  )
}

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
  return question(topic, misheard[topic.at])
}

const misheard: Record<Exclude<Topic['at'], 'open'>, string> = {
  day: 'I need a day from today on, such as Thursday or 24 November.',
  time: 'That time is not free.',
  name: 'A name is enough.',
  confirm: 'Please say yes or no.',
  caller: 'A name is enough.',
  number: 'I need at least seven digits.',
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
    const day = dayIn(text, today)
    const before = `I can note ${persona.books}.`
    return day ? question({ at: 'time', day }, before) : question({ at: 'day' }, before)
  }
  const answer = bestAnswer(text, index)
  return answer ? told(answer) : unknown(persona.team)
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
      const day = dayIn(text, today)
      return day === undefined ? undefined : question({ at: 'time', day })
    }
    case 'time': {
      const time = offeredIn(text)
      const day = dayIn(text, today)
      if (time) return question({ at: 'name', day: topic.day, time })
      return day === undefined ? undefined : question({ at: 'time', day })
    }
    case 'name': {
      const name = text.endsWith('?') ? undefined : nameIn(text)
      if (!name) return undefined
      const { day, time } = topic
      return question(
        { at: 'confirm', day, time, name },
        `${dayLabel(day)} at ${timeLabel(time)}, ${persona.books} for ${name}.`,
      )
    }
    case 'confirm': {
      if (no.test(text)) return question({ at: 'day' }, 'Then once more.')
      if (!yes.test(text)) return undefined
      const { day, time, name } = topic
      return {
        ...turn({ at: 'open' }, `Noted: ${dayLabel(day)} at ${timeLabel(time)}, for ${name}.`, openers),
        arranged: { kind: 'booking', day, time, name },
      }
    }
    case 'caller': {
      const name = text.endsWith('?') ? undefined : nameIn(text)
      return name === undefined ? undefined : question({ at: 'number', name })
    }
    case 'number': {
      const number = numberIn(text)
      return number === undefined ? undefined : question({ at: 'when', name: topic.name, number })
    }
    case 'when': {
      if (text.endsWith('?')) return undefined
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
      const calls = quantityIn(text)
      return calls === undefined ? undefined : question({ at: 'length', calls })
    }
    case 'length': {
      const minutes = quantityIn(text)
      if (minutes === undefined) return undefined
      const { say, title, url } = advise(Math.round(topic.calls * minutes * 30))
      return { ...turn({ at: 'open' }, say), source: { title, url } }
    }
  }
}

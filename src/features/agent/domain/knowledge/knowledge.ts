import * as z from 'zod/mini'
import { isLocale } from '#agent/domain/locales.ts'
import { longestQuestion } from '#calls/domain/question.ts'
import { textProblem } from '#platform/domain/text/typed-text.ts'

/** The longest texts, in characters, and the longest lists. The database has them too (SQL: `private.knowledge_fits`). */
export const knowledgeLimits = {
  name: 120,
  address: 300,
  about: 1_000,
  question: longestQuestion,
  answer: 1_000,
  instruction: 500,
  blocks: 4,
  holidays: 40,
  services: 60,
  answers: 120,
} as const

/** Reads the entries of a list, and leaves out those that are unreadable: the others are not lost with them. */
const listOf = <Entry>(entry: z.ZodMiniType<Entry>) =>
  z.pipe(
    z.array(z.unknown()),
    z.transform((entries: unknown[]) =>
      entries.flatMap((each) => {
        const { success, data } = z.safeParse(entry, each)
        return success ? [data] : []
      }),
    ),
  )

/** A time of day, from 00:00 to 24:00. */
const time = z.string().check(z.regex(/^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/))

/** A part of a day in which the business is open. Until 02:00 from 20:00 lasts past midnight. */
const block = z.object({ from: time, until: time })
export type OpenBlock = z.infer<typeof block>
const blocks = z.array(block).check(z.maxLength(knowledgeLimits.blocks))

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export type Weekday = (typeof weekdays)[number]
export const dayNames: Record<Weekday, string> = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
}

/** The hours of each day of the week. */
export const openHours = z.record(z.enum(weekdays), blocks)
export type OpenHours = z.infer<typeof openHours>

const isTimeZone = (name: string): boolean => {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}

/** A phone number in E.164, as the database checks it; `phone.ts` knows the countries' own rules. */
export const phoneNumber = z.string().check(z.regex(/^\+[1-9]\d{6,14}$/))

/**
 * What a customer's agent knows and how it is to behave (product, "The agent that was bought exists"). A text that is too
 * long is read as it is: `canBeSaved` says whether it may be stored.
 */
export const agentKnowledge = z.object({
  /** What the business does. */
  about: z.string(),
  address: z.string(),
  /** IANA's name. */
  timeZone: z.string().check(z.maxLength(64), z.refine(isTimeZone)),
  /** Null until the customer has entered them. */
  hours: z.nullable(openHours),
  /** Days, YYYY-MM-DD, with hours of their own; no block means closed. */
  holidays: listOf(z.object({ date: z.iso.date(), name: z.string(), blocks })),
  services: listOf(
    z.object({
      name: z.string(),
      /** In the customer's own words: "from €40". */
      price: z.string(),
      /** In minutes; null if it has no fixed length. */
      minutes: z.nullable(z.int().check(z.minimum(1), z.maximum(1_440))),
    }),
  ),
  answers: listOf(
    z.object({
      question: z.string(),
      answer: z.string(),
      /** An import never replaces what a person wrote. */
      origin: z.enum(['written', 'imported']),
    }),
  ),
  bookings: z.string(),
  complaints: z.string(),
  emergencies: z.string(),
  transfer: z.object({
    /** The number of a person; null if calls are never handed over. */
    number: z.nullable(phoneNumber),
    /** Whether callers reach the agent first, or the staff while the business is open. */
    first: z.enum(['agent', 'staff']),
  }),
  /** Locales of `locales`, the main one first; as many as the plan has. */
  languages: z.array(z.string().check(z.refine(isLocale))).check(z.minLength(1), z.maxLength(10)),
  /** Which wording of the sentence that an AI is speaking the greeting begins with. */
  disclosure: z.enum(['assistant', 'agent', 'automated']),
})
export type AgentKnowledge = z.infer<typeof agentKnowledge>

export const noKnowledge: AgentKnowledge = {
  about: '',
  address: '',
  timeZone: 'UTC',
  hours: null,
  holidays: [],
  services: [],
  answers: [],
  bookings: '',
  complaints: '',
  emergencies: '',
  transfer: { number: null, first: 'agent' },
  languages: ['en-US'],
  disclosure: 'assistant',
}

/**
 * Parses a stored document. A part that is missing or unreadable takes its empty value, so that an agent is never lost
 * over one field.
 */
export function parseKnowledge(stored: unknown): AgentKnowledge {
  const given = z.safeParse(z.record(z.string(), z.unknown()), stored).data ?? {}
  const parts = Object.entries(agentKnowledge.shape).map(([name, schema]) => {
    const part = z.safeParse(schema as z.ZodMiniType, given[name])
    return [name, part.success ? part.data : noKnowledge[name as keyof AgentKnowledge]]
  })
  return Object.fromEntries(parts) as AgentKnowledge
}

/** Names the parts with a text that cannot be stored: it is too long, or consists of invisible characters. */
export function unsavableParts(knowledge: AgentKnowledge): (keyof AgentKnowledge)[] {
  const { about, address, bookings, complaints, emergencies, holidays, services, answers } = knowledge
  const {
    name,
    question,
    answer,
    instruction,
    about: longestAbout,
    address: longestAddress,
  } = knowledgeLimits
  const texts: [keyof AgentKnowledge, string[], number][] = [
    ['about', [about], longestAbout],
    ['address', [address], longestAddress],
    ['bookings', [bookings], instruction],
    ['complaints', [complaints], instruction],
    ['emergencies', [emergencies], instruction],
    ['holidays', holidays.map((each) => each.name), name],
    ['services', services.flatMap((each) => [each.name, each.price]), name],
    ['answers', answers.map((each) => each.question), question],
    ['answers', answers.map((each) => each.answer), answer],
  ]
  return texts
    .filter(([, all, longest]) => all.some((text) => textProblem(text, longest) !== undefined))
    .map(([part]) => part)
}

/** Returns whether every text may be stored. */
export const canBeSaved = (knowledge: AgentKnowledge): boolean => unsavableParts(knowledge).length === 0

/**
 * Returns whether the business is open at a moment by its own clock; null if it has entered no hours.
 * @param now in milliseconds since 1970
 */
export function isOpen(
  { hours, holidays, timeZone }: Pick<AgentKnowledge, 'hours' | 'holidays' | 'timeZone'>,
  now: number,
): boolean | null {
  if (!hours) return null
  // The Swedish locale writes YYYY-MM-DD HH:MM.
  const [today = '', clock = ''] = new Intl.DateTimeFormat('sv', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'short',
  })
    .format(now)
    .split(' ')
  const yesterday = new Date(Date.parse(today) - 86_400_000).toISOString().slice(0, 10)
  const on = (date: string): readonly OpenBlock[] => blocksOn({ hours, holidays }, date)
  return (
    on(today).some(({ from, until }) => clock >= from && (until <= from || clock < until)) ||
    on(yesterday).some(({ from, until }) => until <= from && clock < until)
  )
}

/**
 * Returns the parts of a day in which the business is open.
 * @param date YYYY-MM-DD
 */
export function blocksOn(
  { hours, holidays }: { hours: OpenHours; holidays: AgentKnowledge['holidays'] },
  date: string,
): readonly OpenBlock[] {
  // Weekdays begin with Monday, those of Date with Sunday.
  const weekday = weekdays[(new Date(date).getUTCDay() + 6) % 7]!
  return holidays.find((holiday) => holiday.date === date)?.blocks ?? hours[weekday]
}

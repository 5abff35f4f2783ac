import * as z from 'zod/mini'
import { bookablesOf, bookingDay, type BookingSetup } from '#bookings/domain/booking-setup.ts'
import { emailAddress } from '#platform/domain/text/email.ts'
import { oneLine } from '#platform/domain/text/typed-text.ts'

/** A tool that an agent calls while the caller is on the line. */
export interface BookingTool {
  name: string
  /** Says to the model when to call it. */
  description: string
  shape: z.core.$ZodShape
}

const day = (what: string, ask?: string) =>
  bookingDay.check(z.describe(`${what}, as YYYY-MM-DD${ask ? `. Ask: ${ask}` : ''}`))
const clock = (what: string) =>
  z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/), z.describe(`${what}, as HH:MM`))
/** A text on one line, of characters that PostgreSQL keeps. */
const line = (longest: number, what: string) =>
  z.string().check(
    z.overwrite((text) => oneLine(text.toWellFormed(), Infinity)),
    z.minLength(1),
    z.maxLength(longest),
    z.describe(what),
  )
const offer = line(40, 'The offer of the time that the caller chose')

/** The days and the times of day on which it may begin. */
export const searched = (ask: string) => ({
  date: day('The first day', ask),
  until: z.optional(day('The last day, if several will do')),
  earliest: z.optional(clock('The earliest time of day: 12:00 for the afternoon')),
  latest: z.optional(clock('The latest time of day: 12:00 for the morning')),
  with: z.optional(line(60, 'The person or the place that the caller wants')),
})

/** Whose booking it is, and which of several. Each tool asks for the name in words of its own. */
const identity = (ask: string) => ({
  name: nameOf(ask),
  code: z.optional(
    z.string().check(
      // It is said letter by letter.
      z.overwrite((said) => said.replace(/[^\p{L}\p{N}]/gu, '')),
      z.maxLength(12),
      z.describe('The code of the booking, if the caller has it'),
    ),
  ),
  day: z.optional(day('The day of the booking, if the caller has several')),
})
const nameOf = (ask: string) => line(100, `The caller’s name. Ask: ${ask}`)

/** Returns an agent's tools: those for bookings, if something can be booked, and the one for messages. */
export function bookingTools(setup: BookingSetup): BookingTool[] {
  const bookables = bookablesOf(setup)
  const message = {
    name: 'take_message',
    description:
      'Keeps a message for the staff. Use it whenever you cannot do what the caller wants, or somebody shall ring back. Callers say: can I leave a message? | please ask them to call me back',
    shape: {
      name: nameOf('May I have your name?'),
      about: line(200, 'The subject, in a few words. Ask: What is it about?'),
      message: line(1_000, 'What to tell them. Ask: What shall I tell them?'),
      number: z.optional(line(32, 'The number to ring back, if it is not the one that calls')),
      urgent: z.optional(z.boolean()),
    },
  }
  if (bookables.length === 0) return [message]
  const isStay = bookables.some(({ length }) => length === null)
  return [
    {
      name: 'find_times',
      description:
        'Finds free times. Call it before you name any time, and again for another day. Callers say: can I come on Thursday? | do you have a table tonight? | is a room free? | I would like an appointment',
      shape: {
        service: z.string().check(
          z.meta({
            description: 'What is booked. Ask: What would you like to book?',
            enum: bookables.map(({ service }) => service),
          }),
        ),
        ...searched('Which day suits you?'),
        people: z.optional(z.int().check(z.minimum(1), z.maximum(500), z.describe('How many people'))),
        ...(isStay
          ? {
              nights: z.optional(
                z.int().check(z.minimum(1), z.maximum(90), z.describe('How many nights, for a stay')),
              ),
            }
          : {}),
      },
    },
    {
      name: 'book',
      description:
        'Books a time that find_times has offered and the caller has chosen. It is booked only once this says so. Repeat day and time first.',
      shape: {
        offer,
        name: nameOf('What is your name?'),
        ...(setup.asksForEmail
          ? {
              email: z.optional(
                emailAddress.check(z.describe('Spell it back. Ask: What is your email address?')),
              ),
            }
          : {}),
      },
    },
    {
      name: 'find_other_times',
      description:
        'Finds free times to which a booking of the caller can be moved. Callers say: can I come later? | I need to move my appointment',
      shape: { ...identity('Under which name is it booked?'), ...searched('To which day shall I move it?') },
    },
    {
      name: 'move',
      description: 'Moves a booking of the caller to a time that find_other_times has offered.',
      shape: { offer, ...identity('Under which name was it booked?') },
    },
    {
      name: 'cancel',
      description: 'Cancels a booking of the caller. Callers say: I have to cancel | I cannot come',
      shape: identity('Under which name shall I cancel?'),
    },
    message,
  ]
}

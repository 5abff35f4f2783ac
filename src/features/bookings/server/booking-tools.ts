import * as z from 'zod/mini'
import { bookablesOf, type BookingSetup } from '#bookings/domain/booking-setup.ts'

/** A tool that an agent calls while the caller is on the line. */
export interface BookingTool {
  name: string
  /** Says to the model when to call it. */
  description: string
  shape: z.core.$ZodShape
}

const day = (what: string) => z.iso.date().check(z.describe(`${what}, as YYYY-MM-DD`))
const clock = (what: string) =>
  z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/), z.describe(`${what}, as HH:MM`))
/** Each tool asks for the name in words of its own. */
const nameOf = (ask: string) =>
  z.string().check(z.trim(), z.minLength(1), z.maxLength(100), z.describe(`The caller’s name. Ask: ${ask}`))
const code = z.optional(
  z.string().check(z.trim(), z.maxLength(12), z.describe('The code of the booking, if the caller has it')),
)

/** Returns an agent's tools: those for bookings, if something can be booked, and the one for messages. */
export function bookingTools(setup: BookingSetup): BookingTool[] {
  const bookables = bookablesOf(setup)
  const message = {
    name: 'take_message',
    description:
      'Keeps a message for the staff. Use it whenever you cannot do what the caller wants, or somebody shall ring back. Callers say: can I leave a message? | please ask them to call me back',
    shape: {
      name: nameOf('May I have your name?'),
      about: z
        .string()
        .check(z.trim(), z.minLength(1), z.maxLength(200), z.describe('The subject, in a few words')),
      message: z
        .string()
        .check(
          z.trim(),
          z.minLength(1),
          z.maxLength(1_000),
          z.describe('What to tell them. Ask: What shall I tell them?'),
        ),
      number: z.optional(
        z
          .string()
          .check(z.maxLength(32), z.describe('The number to ring back, if it is not the one that calls')),
      ),
      urgent: z.optional(z.boolean()),
    },
  }
  if (bookables.length === 0) return [message]
  const isStay = bookables.some(({ length }) => length === null)
  const offer = z
    .string()
    .check(z.maxLength(40), z.describe('The offer of the time that the caller chose, from find_times'))
  const existing = z.optional(day('The day of the booking, if the caller has several'))
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
        date: day('The first day. Ask: Which day suits you?'),
        until: z.optional(day('The last day, if several will do')),
        earliest: z.optional(clock('The earliest time of day: 12:00 for the afternoon')),
        latest: z.optional(clock('The latest time of day: 12:00 for the morning')),
        people: z.optional(z.int().check(z.minimum(1), z.maximum(500), z.describe('How many people'))),
        ...(isStay
          ? {
              nights: z.optional(
                z.int().check(z.minimum(1), z.maximum(90), z.describe('How many nights, for a stay')),
              ),
            }
          : {}),
        with: z.optional(
          z.string().check(z.maxLength(60), z.describe('The person or the place that the caller wants')),
        ),
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
                z.email().check(z.describe('Spell it back. Ask: What is your email address?')),
              ),
            }
          : {}),
      },
    },
    {
      name: 'move',
      description:
        'Moves a booking of the caller to a time that find_times has offered. Callers say: can I come later? | I need to move my appointment',
      shape: { offer, name: nameOf('Under which name is it booked?'), code, day: existing },
    },
    {
      name: 'cancel',
      description: 'Cancels a booking of the caller. Callers say: I have to cancel | I cannot come',
      shape: { name: nameOf('Under which name shall I cancel?'), code, day: existing },
    },
    message,
  ]
}

import * as z from 'zod/mini'
import { promises } from '#calls/domain/calls.ts'
import { stateNames } from '#bookings/domain/booking.ts'

/** The kinds of entries of the inbox (SQL: `private.inbox_items`), and the filter that shows each. */
export const inboxKinds = {
  message: 'Messages',
  call_back: 'Call-backs',
  request: 'Requests',
  booking: 'Bookings',
  question: 'Questions',
  event: 'Calendar',
} as const
const kinds = Object.keys(inboxKinds) as InboxKind[]
export type InboxKind = keyof typeof inboxKinds

/** An entry of the inbox. */
export const inboxItem = z.object({
  kind: z.enum(kinds),
  /** The id of its row in the table of its kind: a message, a booking, a call or a question. */
  id: z.string(),
  /** Whether somebody waits for the owner. */
  waits: z.boolean(),
  /** ISO 8601: when it came, and when the owner was done with it; null until then. */
  at: z.string(),
  done_at: z.nullable(z.string()),
  /** The call to which it leads. */
  call_id: z.nullable(z.string()),
  /**
   * What a call-back is for, or what has become of a booking: what the agent has promised or the caller has done; `decided`, of
   * which the caller has to be told; what the owner has changed of its event in the own calendar: `deleted`, or `clashing`, moved to
   * where the booking cannot be.
   */
  why: z.nullable(z.enum([...promises, 'decided', 'deleted', 'clashing'])),
  name: z.nullable(z.string()),
  phone_number: z.nullable(z.string()),
  email: z.nullable(z.string()),
  /** The subject, what is booked, or the question. */
  about: z.nullable(z.string()),
  /** A message's text. */
  words: z.nullable(z.string()),
  facts: z.object({
    is_urgent: z.optional(z.boolean()),
    /** In how many calls a question was asked. */
    calls: z.optional(z.number()),
    state: z.optional(z.enum(Object.keys(stateNames) as (keyof typeof stateNames)[])),
    starts_at: z.optional(z.string()),
    ends_at: z.optional(z.nullable(z.string())),
    people: z.optional(z.number()),
    code: z.optional(z.string()),
    /** Whether the owner has proposed another time for a request, and the caller has not agreed yet. */
    is_proposed: z.optional(z.boolean()),
    /** When the owner's calendar shows it; null if it was deleted there. */
    shown_at: z.optional(z.nullable(z.string())),
  }),
})
export type InboxItem = z.infer<typeof inboxItem>

/** A page of the inbox (SQL: `list_inbox`). */
export const inboxPage = z.object({
  /** How many entries of a kind are not done; kinds without any are left out. */
  open: z.partialRecord(z.enum(kinds), z.number()),
  /** IANA's name of the time zone of the business. */
  time_zone: z.string(),
  rows: z.array(inboxItem),
})
export type InboxPage = z.infer<typeof inboxPage>

/** What an inbox shows. */
export interface InboxFilter {
  isDone: boolean
  /** Null for each kind. */
  kind: InboxKind | null
  search: string
}

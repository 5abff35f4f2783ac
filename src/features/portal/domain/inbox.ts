import * as z from 'zod/mini'
import { promises } from '#calls/domain/calls.ts'
import { stateNames } from '#bookings/domain/booking.ts'
import { nameOf, whenOf } from '#bookings/domain/owners-bookings.ts'

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
   * where the booking cannot be; or `busy`: that calendar did not answer when it was booked, and has something else then.
   */
  why: z.nullable(z.enum([...promises, 'decided', 'deleted', 'clashing', 'busy'])),
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
  /** Whether there is anything to book: only then another time can be proposed. */
  can_book: z.boolean(),
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

const promised = {
  booked: 'said that something is booked, and no booking was made in this call',
  moved: 'said that a booking is moved, and none was moved in this call',
  cancelled: 'said that a booking is cancelled, and none was cancelled in this call',
} as const
const changed = { booked: 'Booked', moved: 'Changed', cancelled: 'Cancelled' } as const
const tones = { requested: 'off', booked: 'ok', declined: 'bad', cancelled: 'warn' } as const

/** Says how a booking differs from the owner's calendar. */
function changedThere({ why, facts: { state, shown_at } }: InboxItem, timeZone: string): string {
  if (why === 'busy')
    return 'Your calendar did not answer when this was booked, and has something else at that time.'
  if (why === 'deleted' || !shown_at)
    return 'You have deleted it in your calendar. It is still booked, and the caller knows nothing of it.'
  const there = `Your calendar shows it on ${whenOf({ starts_at: shown_at, ends_at: null }, timeZone)}`
  return state === 'cancelled'
    ? `${there}, and it is cancelled here.`
    : `${there}. It was not moved there: the time is taken, or it was changed here too.`
}

/** An entry in words. */
export interface InboxWords {
  title: string
  /** What it says or what has become of it, a line each. */
  lines: string[]
  badge: { words: string; tone: 'off' | 'ok' | 'warn' | 'bad' } | null
}

/** @param timeZone IANA's name of that of the business */
export function inboxWords(item: InboxItem, timeZone: string): InboxWords {
  const { kind, why, name, about, words, facts } = item
  const { state, starts_at, ends_at = null, people = 1, code } = facts
  const booked =
    starts_at === undefined
      ? []
      : [
          [whenOf({ starts_at, ends_at }, timeZone), people > 1 && `${people} people`, `Code ${code}`]
            .filter(Boolean)
            .join(', '),
        ]
  const states = state && { words: stateNames[state], tone: tones[state] }
  if (why === 'deleted' || why === 'clashing' || why === 'busy')
    return { title: nameOf(item), lines: [...booked, changedThere(item, timeZone)], badge: states ?? null }
  if (kind === 'message')
    return {
      title: [name, about].filter(Boolean).join(', '),
      lines: words === null ? [] : [words],
      badge: facts.is_urgent ? { words: 'Urgent', tone: 'bad' } : null,
    }
  if (kind === 'question')
    return {
      title: `“${about}”`,
      lines: [`Your agent did not know the answer${facts.calls === 1 ? '' : `, in ${facts.calls} calls`}.`],
      badge: null,
    }
  if (kind === 'call_back' && why !== null && why !== 'decided')
    return {
      title: about ?? 'A call',
      lines: [`Your agent ${promised[why]}.`],
      badge: { words: 'Listen', tone: 'bad' },
    }
  if (kind === 'call_back')
    return {
      title: nameOf(item),
      lines: [...booked, 'The caller does not know yet what you have decided.'],
      badge: facts.is_proposed ? { words: 'You have proposed it', tone: 'off' } : (states ?? null),
    }
  if (kind === 'request')
    return {
      title: nameOf(item),
      lines: [...booked, 'Your agent has said that you will confirm this.'],
      badge: facts.is_proposed ? { words: 'You have proposed it', tone: 'off' } : (states ?? null),
    }
  return {
    title: nameOf(item),
    lines: [...booked, `${changed[why === null || why === 'decided' ? 'booked' : why]} by the caller.`],
    badge: states ?? null,
  }
}

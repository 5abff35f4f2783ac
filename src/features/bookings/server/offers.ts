import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import { parseKnowledge, type AgentKnowledge } from '#agent/domain/knowledge/knowledge.ts'
import { parseSetup, type Bookable } from '#bookings/domain/booking-setup.ts'
import { addDays, localOf, nightsBetween, whenWords, type Clock } from '#bookings/domain/booking-words.ts'
import { freeTimes, longestSearch, type FreeTime, type TimesRequest } from '#bookings/domain/free-times.ts'
import { runSql, type Supabase } from '#platform/server/database.ts'

const facts = z.object({
  setup: z.pipe(z.unknown(), z.transform(parseSetup)),
  knowledge: z.pipe(z.unknown(), z.transform(parseKnowledge)),
  version: z.string(),
  busy: z.array(
    z.object({
      unit: z.nullable(z.string()),
      /** Null for an event of the owner's own calendar. */
      booking: z.nullable(z.string()),
      from: z.number(),
      until: z.number(),
    }),
  ),
  /** The units that nobody can book because their calendar has not answered; null stands for all. */
  silent: z.array(z.nullable(z.string())),
})
/** What is known of a business that can be booked. */
export type Known = z.infer<typeof facts>

/** Reads what can be booked, and what is taken between two moments. */
export async function readFacts(account: string, supabase: Supabase, from: number, until: number) {
  const found = await runSql(
    supabase,
    'booking_facts',
    {
      p_user_id: account,
      p_from: new Date(from).toISOString(),
      p_until: new Date(until).toISOString(),
    },
    z.nullable(facts),
  )
  return found ?? z.parse(facts, { setup: null, knowledge: null, version: '', busy: [], silent: [] })
}

/** The language and the time zone in which a business says a time. */
export const clockOf = ({
  knowledge,
}: {
  knowledge: Pick<AgentKnowledge, 'languages' | 'timeZone'>
}): Clock => ({
  language: knowledge.languages[0] ?? 'en-US',
  timeZone: knowledge.timeZone,
})

/** A time that can be booked for half an hour (SQL: `booking_offers`), as its reader says it. */
export interface Offer {
  offer: string
  /** By the clock of the business. */
  starts: string
  words: string
}

/** Reads what has to be known in order to find times for a request: a day more on both sides, for any time zone. */
export const readSearch = (
  account: string,
  { from, until, nights }: Pick<TimesRequest, 'from' | 'until' | 'nights'>,
  supabase: Supabase,
): Promise<Known> =>
  readFacts(
    account,
    supabase,
    Date.parse(addDays(from, -1)),
    Date.parse(addDays(until, longestSearch + nights + 4)),
  )

/** Returns how many nights a booking lasts; 0 for all but a stay. */
export const nightsOf = ({ length }: Bookable, starts: number, ends: number, timeZone: string): number =>
  length === null ? nightsBetween(starts, ends, timeZone) : 0

/**
 * Finds free times and writes them down as offers; if none suits, the next ones. `isUnread` says that a calendar of the owner has
 * not answered, whose units are then left out.
 * @param to whose offers they are: the account, and the call or the link in which they can be taken
 * @param known what `readSearch` has read for the request
 * @param moved the bookings that are to be moved, which take nothing from themselves
 * @throws DatabaseError
 */
export async function offerTimes(
  request: TimesRequest,
  to: { account: string; call: string },
  known: Known,
  supabase: Supabase,
  now: number,
  moved: readonly string[] = [],
): Promise<{ offers: Offer[]; isAsked: boolean; isUnread: boolean }> {
  const next = addDays(request.until, 1)
  const busy = known.busy.filter(({ booking }) => booking === null || !moved.includes(booking))
  // What a calendar says that has not answered may not be so any more.
  const unread = known.silent.map((unit) => ({ unit, from: -Infinity, until: Infinity }))
  const facts = { ...known, busy: [...busy, ...unread], now }
  const asked = freeTimes(request, facts)
  const isAsked = asked.length > 0
  const times = isAsked
    ? asked
    : freeTimes(
        {
          ...request,
          from: next,
          until: addDays(next, longestSearch),
          earliest: '00:00',
          latest: '23:59',
        },
        facts,
      )
  const offers = await writeOffers(times, request, to, known, supabase)
  return { offers, isAsked, isUnread: isSilentFor(request.bookable, known) }
}

/** Whether a calendar of what a bookable needs has not answered. */
function isSilentFor(bookable: Bookable, { setup, silent }: Known): boolean {
  const needed = setup.resources.filter(({ id }) => bookable.resources.includes(id))
  const units = needed.flatMap((each) => each.units.map(({ id }) => id))
  return silent.some((unit) => unit === null || units.includes(unit))
}

/** Writes times down as offers, and returns them in the same order. */
export async function writeOffers(
  times: readonly FreeTime[],
  { bookable, people }: Pick<TimesRequest, 'bookable' | 'people'>,
  { account, call }: { account: string; call: string },
  known: Known,
  supabase: Supabase,
): Promise<Offer[]> {
  if (times.length === 0) return []
  const offers = times.map((time) => ({ id: randomUUID().slice(0, 8), time }))
  const iso = (moment: number): string => new Date(moment).toISOString()
  const p = {
    user_id: account,
    call,
    bookable: bookable.id,
    about: bookable.service,
    people,
    version: known.version,
    times: offers.map(({ id, time }) => ({
      id,
      starts_at: iso(time.starts),
      ends_at: iso(time.ends),
      taken_from: iso(time.takenFrom),
      taken_until: iso(time.takenUntil),
      units: time.units,
    })),
  }
  await runSql(supabase, 'write_offers', { p }, z.unknown())
  const isStay = bookable.length === null
  return offers.map(({ id, time }) => ({
    offer: id,
    starts: localOf(time.starts, known.knowledge.timeZone),
    words: whenWords({ ...time, isStay }, clockOf(known)),
  }))
}

import { calendarQuery } from 'tsdav'
import * as z from 'zod/mini'
import { signedInUser } from '#account/server/signed-in-user.ts'
import { longestHorizon, type BookingSetup } from '#bookings/domain/booking-setup.ts'
import { calendarAgent, davFetch, davHeaders } from '#platform/server/outgoing/dav.ts'
import { runSql, type Supabase } from '#platform/server/database.ts'
import type { Result } from '#platform/domain/result.ts'
import type { JobKind } from '#platform/server/jobs.ts'
import { logFailure } from '#platform/server/log.ts'
import { requestPublic, type Reach } from '#platform/server/public-request.ts'
import { ipAddressOf, takeRateLimit } from '#platform/server/rate-limit.ts'
import type { Services } from '#platform/server/services.ts'
import { busyTimes, UnreadableCalendarError, type Reading } from './busy-times.ts'
import type { CalendarProblem } from '#bookings/domain/own-calendar.ts'
import { readFacts } from './offers.ts'

/** A calendar of an owner to read (SQL: `calendars_to_read`). */
const ownCalendar = z.object({
  id: z.string(),
  account: z.string(),
  /** The owner's address of mail. */
  email: z.string(),
  url: z.string(),
  /** The login; null for a private address. */
  username: z.nullable(z.string()),
  password: z.nullable(z.string()),
  /** The unit whose time it is; null if it is that of the whole business. */
  unit: z.nullable(z.string()),
})
type OwnCalendar = z.infer<typeof ownCalendar>

/** How long an answer is waited for while somebody is on the line, and otherwise, in milliseconds. */
const whileCalling = 2_500
const otherwise = 8_000
/** How old what a calendar has said may be when somebody books, in seconds. */
const freshFor = 60
/** The longest calendar that is read, in bytes: some 45,000 events, which take 150 MB of a function's memory. */
const longest = 5_000_000
/** After how long the clock begins to read no others, in milliseconds. */
const clockTime = 40_000
const dayMs = 86_400_000
/** How far ahead a calendar is read, in days: as far as anything can be booked, with its nights. */
const ahead = longestHorizon + 100

/**
 * Asks the calendars of an account that were not asked within a minute, before something is booked. One that does not answer is
 * noted: the database then decides as its owner has chosen.
 * @throws DatabaseError
 */
export const refreshCalendars = async (account: string, supabase: Supabase, reach?: Reach): Promise<void> =>
  read(await calendarsOf(account, freshFor, supabase), whileCalling, supabase, reach)

/** Asks the calendars of an account that is rung up, so that they are known once the caller asks for a time. */
export const readAtRing = async (account: string, supabase: Supabase, reach?: Reach): Promise<void> =>
  read(await calendarsOf(account, freshFor, supabase), otherwise, supabase, reach)

/** Asks the calendars of the signed-in owner now. */
export async function readMyCalendars(
  _: object,
  connected: Services,
  { request }: { request: Request },
): Promise<Result<object>> {
  const user = await signedInUser(request, connected)
  if (!user.ok) return user
  const keys = { ipAddress: ipAddressOf(request), subject: user.value.id }
  const rateLimited = await takeRateLimit('read_calendars', keys, connected)
  if (rateLimited) return { ok: false, failure: rateLimited }
  await readNow(user.value.id, connected.supabase)
  return { ok: true, value: {} }
}

/** Asks the calendars of an account now. */
export const readNow = async (account: string, supabase: Supabase, reach?: Reach): Promise<void> =>
  read(await calendarsOf(account, 0, supabase), otherwise, supabase, reach)

/** In seconds. */
const oneMinute = 60

/** Reads all calendars, each every quarter of an hour; those for which the time does not last, a minute later. */
export const calendars: JobKind = {
  kind: 'calendars',
  everyMinutes: 15,
  isLong: true,
  async run(_, { supabase }) {
    const until = Date.now() + clockTime
    const due = () => runSql(supabase, 'calendars_due', {}, z.array(ownCalendar))
    for (let some = await due(); some.length > 0; some = await due()) {
      if (Date.now() >= until) return oneMinute
      await read(some, otherwise, supabase)
    }
    return undefined
  },
}

const calendarsOf = (account: string, seconds: number, supabase: Supabase): Promise<OwnCalendar[]> =>
  runSql(supabase, 'calendars_to_read', { p_user_id: account, p_seconds: seconds }, z.array(ownCalendar))

/** Reads calendars, and notes what they have answered. */
async function read(
  due: readonly OwnCalendar[],
  timeout: number,
  supabase: Supabase,
  reach?: Reach,
): Promise<void> {
  const now = Date.now()
  const accounts = new Map<string, ReturnType<typeof readFacts>>()
  const factsOf = (account: string) => {
    const facts = accounts.get(account) ?? readFacts(account, supabase, now, now)
    accounts.set(account, facts)
    return facts
  }
  await Promise.all(
    due.map(async (calendar) => {
      const { setup, knowledge } = await factsOf(calendar.account)
      const reading = {
        from: now - dayMs,
        until: now + ahead * dayMs,
        timeZone: knowledge.timeZone,
        byNight: isForNights(calendar.unit, setup),
        addresses: addressesOf(calendar),
      }
      const answer = await readCalendar(calendar, reading, timeout, reach)
      const p = { calendar: calendar.id, asked_at: iso(now), ...answer }
      await runSql(supabase, 'note_calendar', { p }, z.unknown())
    }),
  )
}

/** Whether a unit, or everything if it is null, is booked by the night alone. */
function isForNights(unit: string | null, { resources, bookables }: BookingSetup): boolean {
  const own = resources.filter(({ units }) => unit === null || units.some(({ id }) => id === unit))
  const booked = bookables.filter((each) => own.some(({ id }) => each.resources.includes(id)))
  return booked.length > 0 && booked.every(({ length }) => length === null)
}

/** Returns the addresses at which a calendar's owner is invited: that of the account, and those in the login and the URL, as at Google. */
const addressesOf = ({ email, username, url }: OwnCalendar): ReadonlySet<string> =>
  new Set(
    [email, username ?? '', ...url.replaceAll('%40', '@').split(/[/?&=]/)].map((each) => each.toLowerCase()),
  )

const iso = (moment: number): string => new Date(moment).toISOString()

/** Reads a calendar, and returns what is to be noted of it. */
async function readCalendar(calendar: OwnCalendar, reading: Reading, timeout: number, reach?: Reach) {
  const { username, password } = calendar
  const texts =
    username === null || password === null
      ? await textAt(calendar.url, timeout, reach)
      : await textsIn({ ...calendar, username, password }, reading, timeout, reach)
  if (typeof texts === 'string') return { problem: texts, busy: [], own: [] }
  try {
    const { busy, own } = busyTimes(texts, reading)
    return {
      problem: null,
      busy: busy.map(({ starts, ends }) => `[${iso(starts)},${iso(ends)})`),
      own: own.map(({ uid, starts, ends }) => ({ uid, starts_at: iso(starts), ends_at: iso(ends) })),
    }
  } catch (error) {
    // One that nobody has thought of keeps no other calendar from being read.
    if (!(error instanceof UnreadableCalendarError)) logFailure('calendars', error)
    return { problem: 'unreadable' satisfies CalendarProblem, busy: [], own: [] }
  }
}

const problemOf = (status: number): CalendarProblem =>
  status === 401 || status === 403 ? 'refused' : status === 404 || status === 410 ? 'missing' : 'unreachable'

/** Reads a private address. Returns what is there, or why it cannot be read. */
async function textAt(url: string, timeout: number, reach?: Reach): Promise<string[] | CalendarProblem> {
  const headers = { accept: 'text/calendar', 'user-agent': calendarAgent }
  const answer = await requestPublic(url, { headers, timeout, limit: longest, redirects: 4 }, reach)
  if (!answer.ok) return answer.problem
  return answer.status === 200 ? [answer.text] : problemOf(answer.status)
}

/** What tsdav makes of an event's XML. */
const found = z.object({
  props: z.object({ calendarData: z.union([z.string(), z.object({ _cdata: z.string() })]) }),
})

/**
 * Reads the events of a calendar (RFC 4791, section 7.8), each with its whole series: a private address has no server that
 * expands one, and so both are read alike. Returns their texts, or why they cannot be read.
 */
async function textsIn(
  { url, ...login }: OwnCalendar & { username: string; password: string },
  { from, until }: Reading,
  timeout: number,
  reach?: Reach,
): Promise<string[] | CalendarProblem> {
  let problem: CalendarProblem | undefined
  const request = davFetch({ url, timeout, limit: longest }, (first) => (problem ??= first), reach)
  const stamp = (moment: number): string => `${iso(moment).slice(0, 19).replace(/[-:]/g, '')}Z`
  try {
    const events = await calendarQuery({
      url,
      props: { 'd:getetag': {}, 'c:calendar-data': {} },
      filters: {
        'comp-filter': {
          _attributes: { name: 'VCALENDAR' },
          'comp-filter': {
            _attributes: { name: 'VEVENT' },
            'time-range': { _attributes: { start: stamp(from - dayMs), end: stamp(until + dayMs) } },
          },
        },
      },
      depth: '1',
      headers: davHeaders(login),
      fetch: async (...asked) => {
        const answer = await request(...asked)
        // Anything else would be taken for a calendar without events.
        if (answer.status !== 207) problem ??= problemOf(answer.status)
        return answer
      },
    })
    if (problem) return problem
    return z
      .parse(z.array(found), events)
      .map(({ props: { calendarData } }) =>
        typeof calendarData === 'string' ? calendarData : calendarData._cdata,
      )
  } catch {
    return problem ?? 'unreadable'
  }
}

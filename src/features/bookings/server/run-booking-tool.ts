import * as z from 'zod/mini'
import { bookablesOf, type Bookable, type BookingSetup } from '#bookings/domain/booking-setup.ts'
import { addDays, isSameName, localOf, whenWords, wordsIn } from '#bookings/domain/booking-words.ts'
import { anyTimeOn, longestSearch, type TimesRequest } from '#bookings/domain/free-times.ts'
import { runSql, type Supabase } from '#platform/server/database.ts'
import { bookingTools, searched } from './booking-tools.ts'
import { clockOf, nightsOf, offerTimes, readFacts, readSearch, type Known, type Offer } from './offers.ts'
import { refreshCalendars } from './own-calendars.ts'

/** Whose call it is. */
export interface BookingCall {
  account: string
  /** Our id of the call. */
  call: string
  /** The caller's number in E.164; null if it is withheld. */
  caller: string | null
  /** Whether everything is undone once it was answered. */
  isTrial: boolean
}

const saidBooking = z.object({
  id: z.string(),
  bookable: z.nullable(z.string()),
  state: z.string(),
  about: z.nullable(z.string()),
  name: z.nullable(z.string()),
  people: z.number(),
  code: z.string(),
  starts: z.number(),
  ends: z.nullable(z.number()),
})
type SaidBooking = z.infer<typeof saidBooking>
const bookingAnswer = z.object({
  outcome: z.enum([
    'booked',
    'requested',
    'declined',
    'cancelled',
    'taken',
    'over',
    'too_many',
    'gone',
    'unread',
  ]),
  booking: z.nullable(saidBooking),
  instead: z.nullable(
    z.object({ bookable: z.string(), people: z.number(), starts: z.number(), ends: z.number() }),
  ),
})

/** What a tool says to the model. `say` is what the caller hears; `offers` are the times that can be booked. */
export interface ToolAnswer {
  say: string
  offers?: Offer[]
}

/**
 * Runs a tool of a call.
 * @param given the model's arguments, which may be anything
 * @throws DatabaseError
 */
export async function runBookingTool(
  name: string,
  given: unknown,
  call: BookingCall,
  supabase: Supabase,
  now: number,
): Promise<ToolAnswer> {
  if (readsCalendars.has(name)) await refreshCalendars(call.account, supabase)
  const days = name === 'find_times' ? z.safeParse(searchedDays, withoutEmpty(given)).data : undefined
  const known = days
    ? await readSearch(call.account, { ...spanOfDays(days), nights: days.nights ?? 1 }, supabase)
    : await readFacts(call.account, supabase, now, now)
  const tool = bookingTools(known.setup).find((each) => each.name === name)
  if (!tool) return { say: 'There is no such tool.' }
  const parsed = z.safeParse(z.object(tool.shape), withoutEmpty(given))
  if (!parsed.success) {
    const fields = parsed.error.issues.map(({ path }) => String(path[0] ?? 'arguments'))
    return { say: `Missing or malformed: ${[...new Set(fields)].join(', ')}.` }
  }
  const answer = await runners[name as Name](parsed.data as never, { known, call, supabase, now })
  return call.isTrial && undone.has(name)
    ? { ...answer, say: `${answer.say} This is a test: nothing of it is kept.` }
    : answer
}
/** Leaves out what a model has filled with nothing because it does not know it. */
const withoutEmpty = (given: unknown): unknown =>
  given instanceof Object
    ? Object.fromEntries(Object.entries(given).filter(([, value]) => value !== '' && value !== null))
    : given
const searchedDays = z.object({ ...searched(''), nights: z.optional(z.int().check(z.maximum(90))) })
/** Returns the first and the last day that are searched. */
const spanOfDays = ({ date, until = date }: SearchedDays) => ({
  from: date,
  until: [date, until, addDays(date, longestSearch)].toSorted()[1]!,
})
/** The tools before which the owner's calendars are asked. */
const readsCalendars: ReadonlySet<string> = new Set(['find_times', 'book', 'move'])
const undone: ReadonlySet<string> = new Set(['book', 'move', 'cancel', 'take_message'])

interface Running {
  known: Known
  call: BookingCall
  supabase: Supabase
  now: number
}

interface SearchedDays {
  date: string
  until?: string
  earliest?: string
  latest?: string
  with?: string
}
interface FindTimes extends SearchedDays {
  service: string
  people?: number
  nights?: number
}
interface Identity {
  name: string
  code?: string
  day?: string
}
type Name = keyof typeof runners

const runners = {
  async find_times(asked: FindTimes, running: Running): Promise<ToolAnswer> {
    const { setup } = running.known
    const bookable = serviceNamed(asked.service, bookablesOf(setup))
    if (!bookable)
      return {
        say: `Only this can be booked: ${bookablesOf(setup)
          .map(({ service }) => service)
          .join(', ')}.`,
      }
    const { people = 1, nights = 1 } = asked
    if (people > bookable.mostPeople)
      return {
        say: `At most ${bookable.mostPeople} people can be booked by phone. Take a message for a larger party.`,
      }
    if (bookable.length === null && nights > bookable.mostNights)
      return {
        say: `At most ${bookable.mostNights} nights can be booked by phone. Take a message for a longer stay.`,
      }
    return findOn(asked, { bookable, people, nights: bookable.length === null ? nights : 0 }, running)
  },

  async book(
    { offer, name, email }: { offer: string; name: string; email?: string },
    running: Running,
  ): Promise<ToolAnswer> {
    const { call, supabase } = running
    const p = {
      user_id: call.account,
      call: call.call,
      caller: call.caller,
      offer,
      name,
      email: email ?? null,
      is_trial: call.isTrial,
    }
    return said(await runSql(supabase, 'book_offer', { p }, bookingAnswer), running)
  },

  async find_other_times(asked: Identity & SearchedDays, running: Running): Promise<ToolAnswer> {
    const found = await identify(asked, running)
    if ('say' in found) return found
    const { known, call, supabase } = running
    const bookable = known.setup.bookables.find(({ id }) => id === found.bookable)
    if (!bookable) return { say: 'This booking cannot be moved by phone. Take a message.' }
    const { starts, ends, people } = found
    const nights = nightsOf(bookable, starts, ends ?? starts, known.knowledge.timeZone)
    const searching = {
      ...running,
      known: await readSearch(call.account, { ...spanOfDays(asked), nights }, supabase),
    }
    return findOn(asked, { bookable, people, nights }, searching, [found.id])
  },

  async move({ offer, ...identity }: Identity & { offer: string }, running: Running): Promise<ToolAnswer> {
    const found = await identify(identity, running)
    if ('say' in found) return found
    const { call, supabase } = running
    const p = { user_id: call.account, call: call.call, booking: found.id, offer, is_trial: call.isTrial }
    return said(await runSql(supabase, 'move_booking', { p }, bookingAnswer), running, [found.id])
  },

  async cancel(identity: Identity, running: Running): Promise<ToolAnswer> {
    const found = await identify(identity, running)
    if ('say' in found) return found
    const { call, supabase } = running
    const p = { p_user_id: call.account, p_call: call.call, p_booking: found.id, p_is_trial: call.isTrial }
    return said(await runSql(supabase, 'cancel_booking', p, bookingAnswer), running)
  },

  async take_message(
    given: { name: string; about: string; message: string; number?: string; urgent?: boolean },
    { call, supabase }: Running,
  ): Promise<ToolAnswer> {
    if (!call.isTrial) {
      const { name, about, message } = given
      const phone_number = given.number ?? call.caller
      const is_urgent = given.urgent ?? false
      const p = { user_id: call.account, call: call.call, name, phone_number, about, message, is_urgent }
      await runSql(supabase, 'take_message', { p }, z.unknown())
    }
    return { say: 'I have noted it, and will pass it on.' }
  },
}

/** What the caller hears if a calendar of the owner does not answer, and the owner wants a message then. */
const unreadCalendar =
  'The calendar does not answer, so nothing can be booked now. Say so, and take a message: somebody will call back.'

/** Returns the bookable that is meant: by its whole name, or by the one name that has all the words. */
function serviceNamed(said: string, bookables: readonly Bookable[]): Bookable | undefined {
  const wanted = wordsIn(said)
  const exact = bookables.find(({ service }) => wordsIn(service).join(' ') === wanted.join(' '))
  const [only, ...others] = bookables.filter(({ service }) =>
    wanted.every((word) => wordsIn(service).includes(word)),
  )
  return exact ?? (wanted.length > 0 && others.length === 0 ? only : undefined)
}

/** Finds free times on the days that a caller asks for. */
function findOn(
  asked: SearchedDays,
  what: Pick<TimesRequest, 'bookable' | 'people' | 'nights'>,
  running: Running,
  moved: readonly string[] = [],
): Promise<ToolAnswer> | ToolAnswer {
  const days = spanOfDays(asked)
  const today = localOf(running.now, running.known.knowledge.timeZone).slice(0, 10)
  const last = addDays(today, what.bookable.horizon)
  if (days.until < today || days.from > last)
    return { say: `It can be booked from ${today} until ${last}. Ask for another day.` }
  const { earliest = '00:00', latest = '23:59', with: wanted = null } = asked
  return sayTimes({ ...what, ...days, earliest, latest, wanted }, running, '', moved)
}

/** Finds free times and says them; if none suits, the next ones. */
async function sayTimes(
  request: TimesRequest,
  { known, call, supabase, now }: Running,
  before = '',
  moved: readonly string[] = [],
): Promise<ToolAnswer> {
  const { offers, isAsked, isUnread } = await offerTimes(request, call, known, supabase, now, moved)
  if (offers.length === 0 && isUnread) return { say: `${before}${unreadCalendar}` }
  if (offers.length === 0)
    return { say: `${before}Nothing is free in that time. Ask for another day, or take a message.` }
  const isOne = offers.length === 1
  const words = isAsked
    ? `Free ${isOne ? 'is' : 'are'}`
    : `Nothing is free then. The next ${isOne ? 'time is' : 'times are'}`
  return { say: `${before}${words} ${offers.map((each) => each.words).join('; ')}. Which suits you?`, offers }
}

/** Finds the one booking that the caller means, or says why there is none. Never says anything about another person's. */
async function identify(
  { name, code: given, day: on }: Identity,
  { known, call, supabase }: Running,
): Promise<SaidBooking | ToolAnswer> {
  const code = given || null
  if (!call.caller && !code) return { say: 'Ask for the code of the booking.' }
  const all = await runSql(
    supabase,
    'bookings_of_caller',
    { p_user_id: call.account, p_call: call.call, p_caller: call.caller, p_code: code },
    z.nullable(z.array(saidBooking)),
  )
  if (!all) return { say: 'I cannot find it. I will take a message, and somebody will call back.' }
  const own = all.filter(
    (each) =>
      isSameName(each.name ?? '', name) &&
      (!on || localOf(each.starts, known.knowledge.timeZone).startsWith(on)),
  )
  // What this call has cancelled is meant only if nothing else is: then the tool is called once more.
  const open = own.filter(({ state }) => state !== 'cancelled')
  const meant = open.length > 0 ? open : own.slice(0, 1)
  const [only, ...others] = meant
  if (!only)
    return {
      say: `I find no booking under that ${code ? 'code and name' : 'name and number'}. Ask for its code.`,
    }
  if (others.length > 0) {
    const days = meant.map((each) => whenWords(spanOf(each, known.setup), clockOf(known)))
    return { say: `There are several: ${days.join('; ')}. Ask which one.` }
  }
  return only
}

const spanOf = ({ starts, ends, bookable }: SaidBooking, { bookables }: BookingSetup) => ({
  starts,
  ends: ends ?? starts,
  isStay: bookables.some(({ id, length }) => id === bookable && length === null),
})

/** Says what became of a booking. */
async function said(
  { outcome, booking, instead }: z.infer<typeof bookingAnswer>,
  running: Running,
  moved: readonly string[] = [],
): Promise<ToolAnswer> {
  const { known } = running
  if (booking) {
    const when = whenWords(spanOf(booking, known.setup), clockOf(known))
    const what = `${booking.about}, ${when}, for ${booking.name}`
    switch (outcome) {
      case 'booked':
        return { say: `Booked: ${what}. The code is ${[...booking.code].join(' ')}.` }
      case 'requested':
        return { say: `Noted as a request: ${what}. It is not booked yet: the staff will confirm it.` }
      default:
        return { say: `Cancelled: ${what}.` }
    }
  }
  if (outcome === 'gone') return { say: 'I find no such booking any more.' }
  if (outcome === 'too_many')
    return { say: 'No more can be booked from this number. Take a message instead.' }
  if (outcome === 'unread') return { say: unreadCalendar }
  const bookable = instead && known.setup.bookables.find(({ id }) => id === instead.bookable)
  if (!instead || !bookable)
    return { say: 'This offer is not known. Call find_times, and offer what it finds.' }
  const { timeZone } = known.knowledge
  const nights = nightsOf(bookable, instead.starts, instead.ends, timeZone)
  const day = localOf(instead.starts, timeZone).slice(0, 10)
  const request = anyTimeOn(day, { bookable, people: instead.people, nights })
  return sayTimes(
    request,
    { ...running, known: await readSearch(running.call.account, request, running.supabase) },
    outcome === 'taken' ? 'It is taken by now. ' : 'It has to be looked up again. ',
    moved,
  )
}

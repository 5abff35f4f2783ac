import * as z from 'zod/mini'
import { stateNames } from '#bookings/domain/booking.ts'
import { bookingDay } from '#bookings/domain/booking-setup.ts'
import { addDays, localOf } from '#bookings/domain/booking-words.ts'
import { anyTimeOn } from '#bookings/domain/free-times.ts'
import { runSql } from '#platform/server/database.ts'
import { escaped } from '#platform/server/outgoing/mail-html.ts'
import { plainPage } from '#platform/server/outgoing/plain-page.ts'
import { ipAddressOf, takeRateLimit } from '#platform/server/rate-limit.ts'
import { readText } from '#platform/server/request.ts'
import type { Services } from '#platform/server/services.ts'
import { calendarHeaders, icalendarOf } from './icalendar.ts'
import {
  bookingOfToken,
  linkCall,
  readBusiness,
  readLinked,
  type Business,
  type LinkedBooking,
} from './linked-booking.ts'
import { nightsOf, offerTimes, readSearch, type Offer } from './offers.ts'
import { refreshCalendars } from './own-calendars.ts'

const bodyLimit = 2_000
const asked = z.object({
  action: z.optional(z.enum(['accept', 'cancel', 'times'])),
  day: z.optional(bookingDay),
  offer: z.optional(z.string().check(z.regex(/^[\x20-\x7e]{1,60}$/))),
})
const answer = z.object({ outcome: z.string() })

/**
 * Answers the link in the mail about a booking, which ends with the booking: shows it, and at a POST moves or cancels it. A GET
 * changes nothing, because programs that check mails open links too.
 * @throws DatabaseError
 */
export async function answerBookingLink(
  request: Request,
  connected: Services,
  now: number,
): Promise<Response> {
  const { supabase, env } = connected
  const url = new URL(request.url)
  // Netlify brings /b/<token>/ here, too.
  const id = bookingOfToken(url.pathname.split('/')[2] ?? '', env)
  const found = id && (await readLinked(id, supabase))
  if (!id || !found)
    return plainPage(
      404,
      'This link is not valid any more',
      'The booking is over, or the link is not complete.',
    )
  if (request.method !== 'POST')
    return url.searchParams.has('ics') && found.state === 'booked'
      ? event(found)
      : show(found, await readBusiness(found, supabase), now)
  const limited = await takeRateLimit(
    'booking_link',
    { ipAddress: ipAddressOf(request), subject: id },
    connected,
  )
  if (limited) return plainPage(429, 'Please wait a little', limited.message)
  const body = await readText(request, bodyLimit)
  const wanted =
    z.safeParse(asked, body.ok ? Object.fromEntries(new URLSearchParams(body.value)) : {}).data ?? {}
  const { account } = found
  const showAgain = async (more: (business: Business) => Shown | Promise<Shown>): Promise<Response> => {
    const business = await readBusiness(found, supabase)
    return show(found, business, now, await more(business))
  }
  if (wanted.action === 'accept') {
    await runSql(supabase, 'accept_proposal', { p_booking: id }, z.unknown())
  } else if (wanted.action === 'cancel') {
    const cancelled = { p_user_id: account, p_call: linkCall(id), p_booking: id, p_is_trial: false }
    await runSql(supabase, 'cancel_booking', cancelled, answer)
  } else if (wanted.offer !== undefined) {
    await refreshCalendars(account, supabase)
    const p = { user_id: account, call: linkCall(id), booking: id, offer: wanted.offer, is_trial: false }
    const { outcome } = await runSql(supabase, 'move_booking', { p }, answer)
    if (outcome === 'taken' || outcome === 'over')
      return showAgain(() => ({ problem: 'This time is not free any more. Choose another day.' }))
    if (outcome === 'unread') return showAgain(() => ({ problem: unread }))
  } else {
    const { day } = wanted
    return showAgain((business) =>
      wanted.action === 'times' && day !== undefined
        ? timesOn(day, found, business, connected, now)
        : { problem: 'Choose a day.' },
    )
  }
  return new Response(null, { status: 303, headers: { location: url.pathname, 'cache-control': 'no-store' } })
}

/** What a caller reads if a calendar of the business does not answer, and the business does not book then. */
const unread = 'The calendar of the business does not answer. Please try again in a few minutes.'

interface Shown {
  problem?: string
  offers?: Offer[]
}

/** Finds free times from a day on. */
async function timesOn(
  from: string,
  found: LinkedBooking,
  { known: { knowledge }, bookable }: Business,
  { supabase }: Services,
  now: number,
): Promise<Shown> {
  const today = localOf(now, knowledge.timeZone).slice(0, 10)
  if (!bookable || from < today || from > addDays(today, bookable.horizon))
    return { problem: 'Nothing can be booked on this day. Choose another one.' }
  const starts = Date.parse(found.starts_at)
  const nights = nightsOf(bookable, starts, Date.parse(found.ends_at!), knowledge.timeZone)
  const request = anyTimeOn(from, { bookable, people: found.people, nights })
  const to = { account: found.account, call: linkCall(found.id) }
  await refreshCalendars(found.account, supabase)
  const known = await readSearch(found.account, request, supabase)
  const { offers, isAsked, isUnread } = await offerTimes(request, to, known, supabase, now, [found.id])
  if (offers.length === 0 && isUnread) return { problem: unread }
  if (offers.length === 0) return { problem: 'Nothing is free then. Choose another day.' }
  return { offers, ...(!isAsked && { problem: 'Nothing is free on that day. These are the next times.' }) }
}

function stateWords({ state, is_proposed: isProposed, business }: LinkedBooking): string {
  if (state !== 'requested') return stateNames[state]
  const owner = business ?? 'the business'
  return isProposed
    ? `Not booked yet: ${owner} proposes this time`
    : `Not booked yet: ${owner} will confirm it`
}

/** Shows a booking, and what its caller can do with it. */
function show(
  found: LinkedBooking,
  { known, bookable, when }: Business,
  now: number,
  { problem, offers }: Shown = {},
): Response {
  const { state, about, name, people, business } = found
  const isOpen = state === 'booked' || state === 'requested'
  const today = localOf(now, known.knowledge.timeZone).slice(0, 10)
  const lines = [
    problem && `<p role="alert"><b>${escaped(problem)}</b></p>`,
    offers &&
      `<p>Choose a time, and the booking is moved to it:</p><form method="post">${offers.map(({ offer, words }) => `<button name="offer" value="${escaped(offer)}">${escaped(words)}</button>`).join('')}</form>`,
    found.is_proposed &&
      '<form method="post"><button name="action" value="accept">Accept this time</button></form>',
    state === 'booked' && '<p><a href="?ics">Add it to your calendar</a></p>',
    isOpen &&
      bookable &&
      `<form method="post"><label>Move it to<input type="date" name="day" required min="${today}" max="${addDays(today, bookable.horizon)}" /></label><button name="action" value="times">Show free times</button></form>`,
    isOpen &&
      '<details><summary>Cancel this booking</summary><form method="post"><button name="action" value="cancel">Yes, cancel it</button></form></details>',
  ]
  const facts = [
    stateWords(found),
    when,
    people > 1 && `${people} people`,
    name && `for ${name}`,
    business && `at ${business}`,
  ]
  return plainPage(
    200,
    about ?? 'Your booking',
    `${facts.filter(Boolean).join(', ')}.`,
    lines.filter(Boolean).join('\n      '),
  )
}

/** Returns a booking as an event for the caller's calendar. */
const event = (found: LinkedBooking): Response =>
  new Response(icalendarOf([{ ...found, name: found.business, phone_number: null }]), {
    headers: { ...calendarHeaders, 'content-disposition': 'attachment; filename="booking.ics"' },
  })

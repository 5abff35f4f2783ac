import { signedInUser } from '#account/server/signed-in-user.ts'
import { addDays } from '#bookings/domain/booking-words.ts'
import type { HandTimesAnswer, HandTimesRequest } from '#bookings/domain/by-hand.ts'
import { anyTimeOn, handTimes, startOf } from '#bookings/domain/free-times.ts'
import type { Result } from '#platform/domain/result.ts'
import { ipAddressOf, takeRateLimit } from '#platform/server/rate-limit.ts'
import type { Services } from '#platform/server/services.ts'
import { readFacts, writeOffers } from './offers.ts'
import { refreshCalendars } from './own-calendars.ts'

/** Finds the times of a day for the signed-in owner, and writes them down as offers. None for what cannot be booked. */
export async function bookingTimes(
  { bookable: id, day, people, nights, wanted, moved }: HandTimesRequest,
  connected: Services,
  { request }: { request: Request },
): Promise<Result<HandTimesAnswer>> {
  const user = await signedInUser(request, connected)
  if (!user.ok) return user
  const account = user.value.id
  const keys = { ipAddress: ipAddressOf(request), subject: account }
  const rateLimited = await takeRateLimit('booking_times', keys, connected)
  if (rateLimited) return { ok: false, failure: rateLimited }
  const { supabase } = connected
  // A day is a little longer than its own hours: by what is open past midnight, and by zones.
  const [from, until] = [addDays(day, -1), addDays(day, nights + 3)]
  await refreshCalendars(account, supabase)
  const known = await readFacts(account, supabase, startOf(from, 'UTC'), startOf(until, 'UTC'))
  const bookable = known.setup.bookables.find((each) => each.id === id)
  if (!bookable || (bookable.length === null) !== nights > 0) return { ok: true, value: { times: [] } }
  const asked = { ...anyTimeOn(day, { bookable, people, nights }), wanted }
  const busy = known.busy.filter(({ booking }) => booking === null || booking !== moved)
  const times = handTimes(asked, { ...known, busy, now: Date.now() })
  const offers = await writeOffers(times, asked, { account, call: 'owner' }, known, supabase)
  const answered = offers.map(({ offer, starts }, nth) => ({
    offer,
    starts,
    isTaken: times[nth]!.isTaken,
  }))
  return { ok: true, value: { times: answered } }
}

import * as z from 'zod/mini'
import { bearerToken } from '#account/server/signed-in-user.ts'
import { booking } from '#connections/domain/connections.ts'
import type { Failure } from '#platform/domain/failures.ts'
import { runSql } from '#platform/server/database.ts'
import { guarded } from '#platform/server/http.ts'
import { ipAddressOf, takeRateLimit } from '#platform/server/rate-limit.ts'
import { checkMethod } from '#platform/server/request.ts'
import { failureResponse, jsonResponse } from '#platform/server/responses.ts'
import { services, type Services } from '#platform/server/services.ts'
import { site } from '#site'
import { shownOutside } from '#bookings/domain/shown-outside.ts'
import { calendarHeaders, icalendarOf } from '#bookings/server/icalendar.ts'

const unknownKey: Failure = { code: 'unauthorized', message: 'This key is unknown or was revoked.' }
const malformed: Failure = {
  code: 'invalid_request',
  message: 'after is the id of an entry, limit a number from 1 to 100.',
}

const query = z.object({
  after: z._default(z.nullable(z.uuid()), null),
  limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100)), 50),
})
const page = z.nullable(z.object({ items: z.array(z.unknown()), next: z.nullable(z.string()) }))

/** Checks a program's GET and its key, and limits how often both are used. */
async function checkKey(
  request: Request,
  key: string | null,
  connected: Services,
): Promise<Failure | undefined> {
  if (!key || !/^[\x21-\x7e]{1,200}$/.test(key)) return unknownKey
  return takeRateLimit('api', { ipAddress: ipAddressOf(request), subject: key }, connected)
}

/**
 * Returns a function that lists an account's data to a program, a page at a time: `GET ?after=<id>&limit=<n>` with
 * `Authorization: Bearer <API key>` → { items, next }.
 * @param sql the SQL function that lists them
 */
export const listByKey = (name: string, sql: 'calls_of_key' | 'bookings_of_key') =>
  guarded(name, async (request) => {
    const wrong = checkMethod(request, 'GET')
    if (wrong) return failureResponse(wrong)
    const asked = z.safeParse(query, Object.fromEntries(new URL(request.url).searchParams))
    if (!asked.success) return failureResponse(malformed)
    const connected = services()
    const key = bearerToken(request) ?? null
    const refused = await checkKey(request, key, connected)
    if (refused) return failureResponse(refused)
    const args = { p_key: key, p_after: asked.data.after, p_limit: asked.data.limit }
    const listed = await runSql(connected.supabase, sql, args, page)
    return listed ? jsonResponse(listed) : failureResponse(unknownKey)
  })

/** Answers a calendar that subscribes to the bookings at their secret address: `GET ?key=<calendar key>` → iCalendar. */
export const bookingCalendar = guarded('booking-calendar', async (request) => {
  const wrong = checkMethod(request, 'GET')
  if (wrong) return failureResponse(wrong)
  const key = new URL(request.url).searchParams.get('key')
  const connected = services()
  const refused = await checkKey(request, key, connected)
  if (refused) return failureResponse(refused)
  const bookings = await runSql(
    connected.supabase,
    'calendar_of_key',
    { p_key: key },
    z.nullable(z.array(z.extend(booking, { trade: z.nullable(z.string()) }))),
  )
  if (!bookings) return failureResponse(unknownKey)
  const shown = bookings.map((each) => shownOutside(each, each.trade))
  return new Response(icalendarOf(shown, `${site.name} bookings`), { headers: calendarHeaders })
})

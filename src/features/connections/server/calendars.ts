import { createAccount, propfind } from 'tsdav'
import * as z from 'zod/mini'
import { signedInUser } from '#account/server/signed-in-user.ts'
import type { CalendarLogin, FoundCalendars } from '#connections/domain/connections.ts'
import type { Failure } from '#platform/domain/failures.ts'
import type { Result } from '#platform/domain/result.ts'
import { davFetch, davHeaders, type DavProblem } from '#platform/server/outgoing/dav.ts'
import type { Reach } from '#platform/server/public-request.ts'
import { ipAddressOf, takeRateLimit } from '#platform/server/rate-limit.ts'
import type { Services } from '#platform/server/services.ts'

const problems: Record<DavProblem | 'none', Failure> = {
  forbidden: {
    code: 'invalid_request',
    message: 'This is not the address of a public calendar server. Write it as https://caldav.example.com.',
  },
  unreachable: { code: 'not_found', message: 'This server does not answer. Check the address.' },
  too_large: { code: 'invalid_request', message: 'The answer of this server was too long to be read.' },
  refused: {
    code: 'invalid_request',
    message: 'The server refused this login. Many want an app password, which you make in its settings.',
  },
  none: { code: 'not_found', message: 'No calendar was found at this address.' },
}

/**
 * Looks for the signed-in customer's calendars on a CalDAV server.
 * @throws DatabaseError
 */
export async function findCalendars(
  login: CalendarLogin,
  connected: Services,
  { request }: { request: Request },
): Promise<Result<FoundCalendars>> {
  const user = await signedInUser(request, connected)
  if (!user.ok) return user
  const keys = { ipAddress: ipAddressOf(request), subject: user.value.id }
  const rateLimited = await takeRateLimit('find_calendars', keys, connected)
  return rateLimited ? { ok: false, failure: rateLimited } : calendarsAt(login)
}

/** How long a search may take, in milliseconds: the host ends a function after 10 s. */
const searchFor = 8_000
const answerLimit = 1_000_000
const calendarsShown = 100

const properties = { 'd:resourcetype': {}, 'd:displayname': {}, 'c:supported-calendar-component-set': {} }
const component = z.object({ _attributes: z.object({ name: z.string() }) })
/** What tsdav makes of an answer's XML; an element without text is an object. */
const collection = z.object({
  href: z.string(),
  props: z.object({
    resourcetype: z.object({ calendar: z.unknown() }),
    displayname: z.catch(z.optional(z.union([z.string(), z.number()])), undefined),
    supportedCalendarComponentSet: z.catch(
      z.optional(z.object({ comp: z.union([component, z.array(component)]) })),
      undefined,
    ),
  }),
})

/**
 * Returns the calendars at a URL: the one that it is, or else those of the login (RFC 6764, RFC 4791 section 6).
 * @param reach what may be connected to; a test allows its own server
 */
export async function calendarsAt(
  { url, ...login }: CalendarLogin,
  reach?: Reach,
): Promise<Result<FoundCalendars>> {
  if (!URL.canParse(url)) return { ok: false, failure: problems.forbidden }
  let problem: DavProblem | undefined
  const note = (first: DavProblem): void => void (problem ??= first)
  const bounds = { url, timeout: searchFor, limit: answerLimit }
  const dav = { headers: davHeaders(login), fetch: davFetch(bounds, note, reach) }
  const calendars = async (at: string, depth: '0' | '1'): Promise<FoundCalendars['calendars']> =>
    (await propfind({ url: at, props: properties, depth, ...dav })).flatMap((response) => {
      const read = z.safeParse(collection, response)
      return read.success ? calendarOf(read.data, at) : []
    })
  try {
    let found = await calendars(url, '0')
    if (found.length === 0) {
      const { homeUrl } = await createAccount({ account: { accountType: 'caldav', serverUrl: url }, ...dav })
      if (homeUrl) found = await calendars(homeUrl, '1')
    }
    if (found.length > 0) return { ok: true, value: { calendars: found.slice(0, calendarsShown) } }
  } catch {
    // The library's errors say less than the first thing that went wrong.
  }
  return { ok: false, failure: problems[problem ?? 'none'] }
}

/** Returns a collection as a calendar; none if it takes no events, as a list of tasks, or its address is of another protocol. */
function calendarOf(
  { href, props: { displayname, supportedCalendarComponentSet: set } }: z.infer<typeof collection>,
  base: string,
): FoundCalendars['calendars'] {
  const url = new URL(href, base)
  if (!url.pathname.endsWith('/')) url.pathname += '/'
  const takesEvents = !set || [set.comp].flat().some(({ _attributes }) => _attributes.name === 'VEVENT')
  const last = url.pathname.split('/').at(-2) ?? ''
  return takesEvents && url.protocol === new URL(base).protocol && url.href.length <= 500
    ? [{ url: url.href, name: String(displayname ?? '').trim() || last }]
    : []
}

import sax from 'sax'
import { site } from '#site'
import { requestPublic, type PublicRequestProblem, type Reach } from '#platform/server/public-request.ts'

/** Why a calendar server has not answered what was asked. */
export type DavProblem = PublicRequestProblem | 'refused'

/** Names us to the servers of calendars. */
export const calendarAgent = `${site.name} calendar`

/** The headers of each request to a calendar server. */
export const davHeaders = ({ username, password }: { username: string; password: string }) => ({
  authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
  'user-agent': calendarAgent,
})

const deepestXml = 100

/**
 * Checks what tsdav is about to read: it goes on after each error, of which a long answer may have millions, for minutes.
 * @throws Error at the first one, or if elements are nested too deeply
 */
function checkXml(text: string): void {
  const parser = sax.parser(true)
  let depth = 0
  parser.onopentag = () => {
    depth += 1
    if (depth > deepestXml) throw new Error('nested too deeply')
  }
  parser.onclosetag = () => (depth -= 1)
  parser.onerror = (error) => {
    throw error
  }
  parser.write(text).close()
}

interface Bounds {
  /** The server, whose protocol all requests keep: the password is not sent in the clear. */
  url: string
  /** For how long all requests together may be answered, in milliseconds, and the longest answer, in bytes. */
  timeout: number
  limit: number
}

/**
 * Returns a `fetch` for tsdav that reaches public addresses only.
 * @param note is told what goes wrong: the library's own errors say less
 * @param reach what may be connected to; a test allows its own server
 */
export function davFetch(
  { url, timeout, limit }: Bounds,
  note: (problem: DavProblem) => void,
  reach?: Reach,
): typeof fetch {
  const until = Date.now() + timeout
  return async (target, init) => {
    const address = String(target)
    if (new URL(address).protocol !== new URL(url).protocol) throw new Error('another protocol')
    const answer = await requestPublic(
      address,
      {
        method: init?.method ?? 'GET',
        headers: Object.fromEntries(new Headers(init?.headers)),
        body: typeof init?.body === 'string' ? init.body : undefined,
        timeout: Math.max(1, until - Date.now()),
        limit,
        redirects: init?.redirect === 'manual' ? 0 : 4,
      },
      reach,
    )
    if (!answer.ok) {
      note(answer.problem)
      throw new Error(answer.problem)
    }
    if (answer.status === 401 || answer.status === 403) note('refused')
    if (answer.type.toLowerCase().includes('xml')) checkXml(answer.text)
    const headers = { 'content-type': answer.type, ...(answer.location && { location: answer.location }) }
    return new Response(answer.text || null, { status: answer.status, headers })
  }
}

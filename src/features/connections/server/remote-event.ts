import ICAL from 'ical.js'
import type { CalendarLogin, DeliveryResult } from '#connections/domain/connections.ts'
import type { Times } from '#connections/domain/event-changes.ts'
import { davHeaders } from '#platform/server/outgoing/dav.ts'
import { requestPublic, type Reach } from '#platform/server/public-request.ts'

/** How long an answer is waited for, in milliseconds, and the longest that is read, in bytes. */
export const bounds = { timeout: 7_000, limit: 100_000 }

/** An event as it is in a calendar. */
export interface RemoteEvent extends Times {
  icalendar: string
  /** Null if the server names none. */
  etag: string | null
  /** Whether it is at one moment wherever one is: it has a time, a zone that is known, and an end after its start. */
  isExact: boolean
}

/** What a calendar must still have for it to be written: nothing, this version, or whatever it has. */
type Condition = 'nothing' | { etag: string | null }

/** Returns the event of a booking in a calendar (RFC 4791), to be read and written. */
export function remoteEvent(login: CalendarLogin, booking: string, reach?: Reach) {
  const url = URL.parse(`${booking}.ics`, login.url)?.href ?? login.url
  const ask = (method: string, headers: Record<string, string> = {}, body?: string) =>
    requestPublic(
      url,
      {
        ...bounds,
        method,
        headers: { ...davHeaders(login), ...headers },
        body,
      },
      reach,
    )
  return {
    /**
     * @returns the event, and what the calendar must have to be written; null if there is none, or one that is cancelled; or what
     * came of the request if it cannot be read
     */
    async read(): Promise<{ event: RemoteEvent | null; has: Condition } | { failed: DeliveryResult }> {
      const answer = await ask('GET')
      if (!answer.ok) return { failed: { status: null, problem: answer.problem } }
      if (isGone(answer.status)) return { event: null, has: 'nothing' }
      const times = answer.status === 200 && timesIn(answer.text)
      if (!times) return { failed: { status: answer.status === 200 ? 412 : answer.status, problem: null } }
      const etag = strong(answer.etag)
      const { isCancelled, ...event } = times
      return { event: isCancelled ? null : { ...event, icalendar: answer.text, etag }, has: { etag } }
    },
    /**
     * Writes iCalendar, or removes the event if it is null. One that is gone already counts as removed.
     * @returns with status 412 if the calendar does not have what it must have
     */
    async write(
      icalendar: string | null,
      must: Condition,
    ): Promise<DeliveryResult & { etag: string | null }> {
      const condition: Record<string, string> =
        must === 'nothing' ? { 'if-none-match': '*' } : must.etag === null ? {} : { 'if-match': must.etag }
      const answer =
        icalendar === null
          ? await ask('DELETE', condition)
          : await ask('PUT', { ...condition, 'content-type': 'text/calendar; charset=utf-8' }, icalendar)
      if (!answer.ok) return { status: null, problem: answer.problem, etag: null }
      const isRemoved = icalendar === null && isGone(answer.status)
      return { status: isRemoved ? 204 : answer.status, problem: null, etag: strong(answer.etag) }
    },
  }
}

const isGone = (status: number): boolean => status === 404 || status === 410

/** Only a strong one is the same for one version alone (RFC 9110, section 8.8.1). */
const strong = (etag = ''): string | null => (/^"[^"]{0,400}"$/.test(etag) ? etag : null)

/** Whether a moment is in a year of four digits, as PostgreSQL reads it. */
const hasYear = (moment: number): boolean => moment > Date.UTC(1000) && moment < Date.UTC(9999)

/** Returns when the first event of iCalendar is, and whether it is cancelled; undefined if it cannot be read. */
function timesIn(icalendar: string): (Times & { isExact: boolean; isCancelled: boolean }) | undefined {
  try {
    const event = new ICAL.Event(componentOf(icalendar).getFirstSubcomponent('vevent') ?? undefined)
    const [start, end] = [event.startDate, event.endDate]
    const [starts, ends] = [start.toUnixTime() * 1000, end.toUnixTime() * 1000]
    if (!hasYear(starts) || !hasYear(ends)) return undefined
    return {
      starts,
      ends,
      isCancelled: event.component.getFirstPropertyValue('status') === 'CANCELLED',
      isExact:
        ends > starts &&
        [start, end].every(({ isDate, zone }) => !isDate && zone !== ICAL.Timezone.localTimezone),
    }
  } catch {
    return undefined
  }
}

const componentOf = (icalendar: string): ICAL.Component =>
  new ICAL.Component(ICAL.parse(icalendar) as unknown[])

/** Returns iCalendar with its first event at another time, and all else as it was. */
export function movedTo(icalendar: string, { starts, ends }: Times): string {
  const calendar = componentOf(icalendar)
  const event = calendar.getFirstSubcomponent('vevent')!
  for (const name of ['dtstart', 'dtend', 'duration']) event.removeAllProperties(name)
  event.addPropertyWithValue('dtstart', ICAL.Time.fromJSDate(new Date(starts), true))
  event.addPropertyWithValue('dtend', ICAL.Time.fromJSDate(new Date(ends), true))
  event.updatePropertyWithValue('sequence', new ICAL.Event(event).sequence + 1)
  return calendar.toString()
}

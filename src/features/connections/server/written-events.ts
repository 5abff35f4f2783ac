import * as z from 'zod/mini'
import { shownOutside } from '#bookings/domain/shown-outside.ts'
import { endOf, icalendarOf } from '#bookings/server/icalendar.ts'
import {
  booking,
  wasTaken,
  type Booking,
  type CalendarLogin,
  type DeliveryResult,
} from '#connections/domain/connections.ts'
import { eventChange, isSameTime, type EventChange, type Times } from '#connections/domain/event-changes.ts'
import { runSql, type Supabase } from '#platform/server/database.ts'
import type { JobKind } from '#platform/server/jobs.ts'
import type { Reach } from '#platform/server/public-request.ts'
import { site } from '#site'
import { movedTo, remoteEvent, type RemoteEvent } from './remote-event.ts'

const message = z.object({ type: z.string(), data: z.nullable(z.object({ id: z.optional(z.string()) })) })
const done: DeliveryResult = { status: 204, problem: null }

/**
 * Has a calendar show the booking of a message as it stands now: writes it, moves it, or removes it. What its owner has changed
 * there is not overwritten. A test is removed again.
 * @param message with its body, as it would be sent to a webhook
 * @throws SyntaxError if the body is not JSON; DatabaseError
 */
export async function writeBooking(
  { id, endpoint, body, ...login }: CalendarLogin & { id: string; endpoint: string; body: string },
  supabase: Supabase,
  reach?: Reach,
): Promise<DeliveryResult> {
  const { type, data } = message.parse(JSON.parse(body))
  if (type === 'test') return tryCalendar(login, id, reach)
  // It was deleted meanwhile.
  if (data?.id === undefined) return done
  const key = { endpoint, booking: data.id }
  const found = await readWritten(key, supabase)
  if (!found) return done
  const { booked, known } = found
  if (known && isSameTime(known.times, booked)) {
    await note(key, { ...known, problem: null }, supabase)
    return done
  }
  if (booked && known?.problem) return done

  const remote = remoteEvent(found.login, key.booking, reach)
  const write = async (...args: Parameters<typeof remote.write>): Promise<DeliveryResult> => {
    const { etag, ...result } = await remote.write(...args)
    if (wasTaken(result)) await note(key, { times: booked, etag, problem: null }, supabase)
    return result
  }
  const ours = booked && icalendarOf([shownOutside(found.booking, found.trade)])
  const must = known?.times ? known.etag !== null && { etag: known.etag } : booked && 'nothing'
  if (must) {
    const result = await write(ours, must)
    if (result.status !== 412) return result
  }

  // Its owner has changed it, or the answer to an earlier try was lost.
  const read = await remote.read()
  if ('failed' in read) return read.failed
  const { event, has } = read
  const isFirst = type === 'booking.made' && !found.hasMoved
  const was = known ? known.times : isFirst ? booked : event
  const change = eventChange({ booked, known: was, event, waits: false })
  if (change !== 'as known') {
    await settle(key, change, event, supabase)
    return done
  }
  return write(event && booked ? movedTo(event.icalendar, booked) : ours, has)
}

/**
 * Returns the kind of jobs that follow what owners have changed in their calendars.
 * @param reach what may be connected to; a test allows its own server
 */
export const calendarChangesWithin = (reach?: Reach): JobKind => ({
  kind: 'calendar changes',
  lanes: 5,
  async run({ key }, { supabase }) {
    const [endpoint = '', id = ''] = key.split(':')
    const at = { endpoint, booking: id }
    const found = await readWritten(at, supabase)
    if (!found?.known) return
    const { booked, known } = found
    const read = await remoteEvent(found.login, id, reach).read()
    // It is compared again when the calendar is read again.
    if ('failed' in read) return
    const { event } = read
    const change = eventChange({ booked, known: known.times, event, waits: known.problem !== null })
    if (change === 'as known')
      await note(at, { times: event, etag: event?.etag ?? null, problem: known.problem }, supabase)
    else await settle(at, change, event, supabase)
  },
})

/** Which booking, in which calendar. */
interface Key {
  endpoint: string
  booking: string
}
/** What a calendar shows of a booking. */
interface Known {
  /** Null if it was deleted there. */
  times: Times | null
  etag: string | null
  problem: 'deleted' | 'clashing' | null
}

/** A booking and its event (SQL: `calendar_event`). */
const written = z.nullable(
  z.object({
    url: z.string(),
    username: z.string(),
    password: z.string(),
    /** The template of the account's agent. */
    trade: z.nullable(z.string()),
    booking,
    /** Whether the calendar is to show it. */
    is_shown: z.boolean(),
    has_moved: z.boolean(),
    known: z.nullable(
      z.object({
        starts_at: z.nullable(z.string()),
        ends_at: z.nullable(z.string()),
        etag: z.nullable(z.string()),
        problem: z.nullable(z.enum(['deleted', 'clashing'])),
      }),
    ),
  }),
)

async function readWritten({ endpoint, booking: id }: Key, supabase: Supabase) {
  const args = { p_endpoint: endpoint, p_booking: id }
  const found = await runSql(supabase, 'calendar_event', args, written)
  if (!found) return undefined
  const { booking, trade, is_shown, has_moved, known, ...login } = found
  return {
    login,
    booking,
    trade,
    hasMoved: has_moved,
    booked: is_shown ? timesOf(booking.starts_at, endOf(booking).toISOString()) : null,
    known: known && { ...known, times: timesOf(known.starts_at, known.ends_at) },
  }
}

const timesOf = (starts: string | null, ends: string | null): Times | null =>
  starts === null || ends === null ? null : { starts: Date.parse(starts), ends: Date.parse(ends) }

const isoTimes = (times: Times | null) => ({
  p_starts_at: times && new Date(times.starts).toISOString(),
  p_ends_at: times && new Date(times.ends).toISOString(),
})

async function note(
  { endpoint, booking: id }: Key,
  { times, etag, problem }: Known,
  supabase: Supabase,
): Promise<void> {
  const known = { ...isoTimes(times), p_etag: etag, p_problem: problem }
  await runSql(
    supabase,
    'note_calendar_event',
    { p_endpoint: endpoint, p_booking: id, ...known },
    z.unknown(),
  )
}

/** Follows a change, or notes that it waits for the owner's decision. */
async function settle(
  key: Key,
  change: EventChange,
  event: RemoteEvent | null,
  supabase: Supabase,
): Promise<void> {
  const etag = event?.etag ?? null
  if (change === 'moved' && event?.isExact) {
    const moved = { p_endpoint: key.endpoint, p_booking: key.booking, ...isoTimes(event), p_etag: etag }
    await runSql(supabase, 'follow_calendar_event', moved, z.unknown())
    return
  }
  const problem = change === 'as booked' ? null : change === 'deleted' ? 'deleted' : 'clashing'
  await note(key, { times: event, etag, problem }, supabase)
}

/** Writes an event for a test, and removes it again. */
async function tryCalendar(login: CalendarLogin, id: string, reach?: Reach): Promise<DeliveryResult> {
  const event = testEvent(id)
  const remote = remoteEvent(login, event.id, reach)
  const { etag, ...result } = await remote.write(icalendarOf([event]), 'nothing')
  if (wasTaken(result)) await remote.write(null, { etag })
  return result
}

/** The event with which a calendar is tried. */
export function testEvent(id: string): Booking {
  const now = new Date()
  return {
    id: `test-${id}`,
    call_id: null,
    state: 'booked',
    starts_at: now.toISOString(),
    ends_at: new Date(now.getTime() + 3_600_000).toISOString(),
    people: 1,
    name: null,
    about: `Test from ${site.name}`,
    phone_number: null,
    created_at: now.toISOString(),
  }
}

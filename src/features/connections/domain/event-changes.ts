/** When an event or a booking is, in milliseconds since 1970. */
export interface Times {
  starts: number
  ends: number
}

/** What has become of the event of a booking in its owner's calendar. */
export type EventChange =
  /** It is when the booking is, or gone as the booking is. */
  | 'as booked'
  /** It is when it was last known to be. */
  | 'as known'
  /** Its owner has deleted it. */
  | 'deleted'
  /** Its owner has moved it. */
  | 'moved'
  /** Its owner has moved it, and the booking was moved or cancelled here meanwhile. */
  | 'clashing'

/** Tells whether two are at the same time; so are two that are not at all. */
export const isSameTime = (one: Times | null, other: Times | null): boolean =>
  one?.starts === other?.starts && one?.ends === other?.ends

/**
 * Tells what has become of an event. What was written here is `as booked` or `as known`, so it is never taken for a change by
 * the owner.
 * @param booked null if it is not booked any more
 * @param known what the calendar was last known to show; null if it was deleted there
 * @param event null if it is not there
 * @param waits whether an earlier change waits for the owner's decision
 */
export function eventChange({
  booked,
  known,
  event,
  waits,
}: {
  booked: Times | null
  known: Times | null
  event: Times | null
  waits: boolean
}): EventChange {
  if (isSameTime(event, booked)) return 'as booked'
  if (isSameTime(event, known)) return 'as known'
  if (!event) return 'deleted'
  if (!booked) return 'clashing'
  return waits || !known || isSameTime(known, booked) ? 'moved' : 'clashing'
}

/** Returns the time zone option of a format. Without a time zone, the reader's own is used. */
const zoned = (timeZone: string | undefined) => (timeZone === undefined ? {} : { timeZone })

/** Writes an ISO moment as "1 December 2026"; returns null if there is none or it is not valid. */
export function dayLabel(iso: string | null, timeZone?: string): string | null {
  if (iso === null) return null
  const moment = new Date(iso)
  if (Number.isNaN(moment.getTime())) return null
  return moment.toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    ...zoned(timeZone),
  })
}

/** Writes an ISO moment as "18 Nov 2026, 14:06". */
export const momentLabel = (iso: string, timeZone?: string): string =>
  new Date(iso).toLocaleString('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    ...zoned(timeZone),
  })

/**
 * Writes an ISO moment as "18 Nov" and "14:06", with the year if it is not the current one.
 * @param now milliseconds since 1970
 */
export function dayAndTime(iso: string, now: number, timeZone?: string): { day: string; time: string } {
  const moment = new Date(iso)
  const yearOf = (date: Date): string =>
    date.toLocaleDateString('en-GB', { year: 'numeric', ...zoned(timeZone) })
  return {
    day: moment.toLocaleDateString('en-GB', {
      day: 'numeric',
      month: 'short',
      ...(yearOf(moment) === yearOf(new Date(now)) ? {} : { year: 'numeric' }),
      ...zoned(timeZone),
    }),
    time: moment.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit', ...zoned(timeZone) }),
  }
}

/** Writes a moment, in milliseconds since 1970, as its calendar day, YYYY-MM-DD. */
export const calendarDay = (moment: number, timeZone?: string): string =>
  new Date(moment).toLocaleDateString('en-CA', {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    ...zoned(timeZone),
  })

/** Writes an ISO moment as `2026-11-21-093000`, for file names that sort by date. */
export const fileTimestamp = (iso: string): string => iso.slice(0, 19).replace('T', '-').replaceAll(':', '')

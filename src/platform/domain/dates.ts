/** "1 December 2026" of an ISO moment, in the reader's time zone; null where there is none or it makes no sense. */
export function dayLabel(iso: string | null, timeZone?: string): string | null {
  if (iso === null) return null
  const moment = new Date(iso)
  if (Number.isNaN(moment.getTime())) return null
  return moment.toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    ...(timeZone === undefined ? {} : { timeZone }),
  })
}

/** `2026-11-21-0930` of an ISO moment: the part of a file's name that sorts. */
export const momentName = (iso: string): string => iso.slice(0, 16).replace('T', '-').replace(':', '')

/**
 * Returns the end of the n-th period: on the anchor's day of the month, or on the last day of a shorter month.
 * @param anchor seconds since 1970
 * @returns seconds since 1970
 */
function periodEnd(anchor: number, interval: string, count: number): number {
  const start = new Date(anchor * 1000)
  if (interval === 'day') return anchor + count * 86_400
  if (interval === 'week') return anchor + count * 7 * 86_400
  const months = interval === 'year' ? count * 12 : count
  const end = new Date(start)
  end.setUTCDate(1)
  end.setUTCMonth(start.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate()
  end.setUTCDate(Math.min(start.getUTCDate(), lastDay))
  return Math.floor(end.getTime() / 1000)
}

/** Returns the first end of a period, counted from the anchor, after the given time. */
export function nextPeriodEnd(anchor: number, interval: string, after: number): number {
  let count = 1
  while (periodEnd(anchor, interval, count) <= after) count += 1
  return periodEnd(anchor, interval, count)
}

/** A billing period. All moments in this file are in milliseconds since 1970. */
export interface Period {
  start: number
  end: number
}

/** Parses the period between two ISO moments; null if one is missing or invalid, or they are in the wrong order. */
export function periodOf(start: string | null, end: string | null): Period | null {
  const period = { start: Date.parse(start ?? ''), end: Date.parse(end ?? '') }
  return period.end > period.start ? period : null
}

/** Returns the share of the period that has passed, 0 to 1. */
export const elapsedShare = ({ start, end }: Period, now: number): number =>
  Math.min(1, Math.max(0, (now - start) / (end - start)))

/** The first day of calls is too short to predict from. */
const minimumElapsed = 24 * 60 * 60 * 1000

/**
 * Predicts when the minutes run out if they are used at the same pace: a moment, or `'lasting'` if the period ends
 * first. Returns null if it is too early to predict, or nothing is left.
 */
export function predictRunOut(
  { used, limit }: { used: number; limit: number },
  period: Period,
  now: number,
): number | 'lasting' | null {
  const elapsed = now - period.start
  if (used <= 0 || used >= limit || elapsed < minimumElapsed || now >= period.end) return null
  const moment = now + ((limit - used) * elapsed) / used
  return moment >= period.end ? 'lasting' : moment
}

/** How the minutes go: how far the period has run, and how long they last. Moments in milliseconds since 1970. */
export interface Period {
  start: number
  end: number
}

/** The period between two ISO moments; null where one is missing or they make no sense. */
export function periodOf(start: string | null, end: string | null): Period | null {
  const period = { start: Date.parse(start ?? ''), end: Date.parse(end ?? '') }
  return period.end > period.start ? period : null
}

/** Share of the period that has passed, 0 to 1. */
export const elapsedShare = ({ start, end }: Period, now: number): number =>
  Math.min(1, Math.max(0, (now - start) / (end - start)))

/** A day of calls says too little to speak of a pace. */
const firstWord = 24 * 60 * 60 * 1000

/**
 * When the minutes run out if they go on as they have since the period began: a moment, or `'lasting'` where the
 * period ends before; null where there is no telling yet, or nothing is left.
 */
export function runOut(
  { used, limit }: { used: number; limit: number },
  period: Period,
  now: number,
): number | 'lasting' | null {
  const elapsed = now - period.start
  if (used <= 0 || used >= limit || elapsed < firstWord || now >= period.end) return null
  const moment = now + ((limit - used) * elapsed) / used
  return moment >= period.end ? 'lasting' : moment
}

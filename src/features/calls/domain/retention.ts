import * as z from 'zod/mini'

/** For how many days a customer can keep what callers have said and left (SQL: `retention`). */
export const keepDays = [30, 60, 90, 180, 365] as const
export type KeepDays = (typeof keepDays)[number]

/** For how long after the mail about it nothing ends of a customer from before, in milliseconds. */
const noticeMs = 30 * 86_400_000

const row = z.object({
  keep_days: z.literal(keepDays),
  is_from_before: z.boolean(),
  told_at: z.nullable(z.string()),
})

/** How long a customer keeps what callers have said and left. */
export interface Retention {
  keepDays: KeepDays
  /** Before when nothing ends, in milliseconds since 1970, of a customer from the time when all was kept; null if it ends now. */
  beginsAt: number | null
}

/**
 * Reads a customer's row; null is a customer who has chosen nothing.
 * @param now milliseconds since 1970
 */
export function parseRetention(given: unknown, now: number): Retention | undefined {
  if (given === null) return { keepDays: 90, beginsAt: null }
  const { success, data } = z.safeParse(row, given)
  if (!success) return undefined
  const { keep_days, is_from_before, told_at } = data
  const beginsAt = (told_at === null ? now : Date.parse(told_at)) + noticeMs
  return { keepDays: keep_days, beginsAt: is_from_before && beginsAt > now ? beginsAt : null }
}

import * as z from 'zod/mini'
import { callsAtLimit } from './at-limit.ts'

/** The name of the press that buys, so that a second try of the same press buys nothing more. */
export const buyPackageRequest = z.object({ request: z.uuid() })
/** `under_way`: the payment provider has not answered; the package follows by itself. */
export const buyPackageAnswer = z.object({ status: z.enum(['bought', 'under_way']) })
export type BuyPackageAnswer = z.infer<typeof buyPackageAnswer>

/** The state of an account's minutes (SQL: `my_minutes`). */
export const minutesState = z.object({
  /** ISO 8601; null before anything is paid. */
  period_start: z.nullable(z.string()),
  /** What the customer lets packages cost in a period; null if that was never set. All amounts are in cents. */
  cap_cents: z.nullable(z.number()),
  /** What they may cost in this period. */
  most_cents: z.number(),
  /** What we let them cost at most, whatever the cap. */
  ceiling_cents: z.number(),
  spent_cents: z.number(),
  /** What no invoice has charged yet. */
  waiting_cents: z.number(),
  /** The part of it that no invoice has taken. */
  next_invoice_cents: z.number(),
  /** The packages that the payment provider does not have yet. */
  under_way: z.number(),
  /** The minutes of the last three finished periods, oldest first. */
  used_before: z.array(z.number()),
  /** What a smaller plan may lack. */
  in_use: z.object({ voice: z.boolean(), lines: z.number(), languages: z.number() }),
  at_limit: callsAtLimit,
})
export type MinutesState = z.infer<typeof minutesState>

/** The time after which a period has a pace to go by, in milliseconds. */
const shortestPaceMs = 24 * 60 * 60_000

/**
 * Returns when the minutes run out if the period goes on as it has begun, in milliseconds since 1970; null if they last,
 * are used up, or nothing can be said yet. All moments are in milliseconds since 1970.
 */
export function runsOutAt(
  minutes: { used: number; limit: number },
  period: { start: number; end: number },
  now: number,
): number | null {
  const { used, limit } = minutes
  if (used <= 0 || used >= limit || now - period.start < shortestPaceMs) return null
  const at = period.start + ((now - period.start) * limit) / used
  return at < period.end ? at : null
}

/**
 * Returns the minutes beyond the limit that are expected until the period's end: at the pace so far, or what is over already
 * if nothing can be said of a pace yet. All moments are in milliseconds since 1970.
 */
export function expectedBeyond(
  minutes: { used: number; limit: number },
  period: { start: number; end: number },
  now: number,
): number {
  const { used, limit } = minutes
  const passed = now - period.start
  const expected = passed < shortestPaceMs ? used : Math.ceil((used * (period.end - period.start)) / passed)
  return Math.max(0, Math.max(used, expected) - limit)
}

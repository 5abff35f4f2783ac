import * as z from 'zod/mini'

/** A customer's subscription, as the database's view answers and as local storage caches it (section 3). */
export const subscription = z.object({
  plan: z.string(),
  status: z.string(),
  minutes_used: z.number(),
  minutes_limit: z.number(),
  onboarding_completed: z.boolean(),
  current_period_end: z.nullable(z.string()),
  /** When it ends, once the customer has ended it (https://docs.stripe.com/api/subscriptions/object). */
  cancel_at: z.nullable(z.string()),
})
export type Subscription = z.infer<typeof subscription>

/** Share of the minutes used, 0 to 1, capped at 1 (section 4). A limit of nothing counts as used up. */
export const minutesShare = (subscription: Subscription): number => usedOf(subscription, 1)

/** The same in whole percent; 100 only where nothing is left. */
export const minutesPercent = (subscription: Subscription): number => Math.floor(usedOf(subscription, 100))

function usedOf({ minutes_used, minutes_limit }: Subscription, all: number): number {
  if (minutes_limit <= 0) return all
  return Math.min(all, Math.max(0, (minutes_used * all) / minutes_limit))
}

/** Minutes left in the period, never below 0. */
export const minutesLeft = ({ minutes_used, minutes_limit }: Subscription): number =>
  Math.max(0, minutes_limit - minutes_used)

/**
 * How long to wait before asking again for a subscription that is not there, in milliseconds: 4 s after the first
 * answer, as it comes with the provider's word soon after a payment, then twice as long each time, up to a minute.
 */
export const missingRetryMs = (earlierAnswers: number): number =>
  Math.min(60_000, 4_000 * 2 ** earlierAnswers)

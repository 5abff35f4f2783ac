import * as z from 'zod/mini'
import { dayLabel } from '#platform/domain/text/dates.ts'
import { grouped } from '#platform/domain/text/numbers.ts'

/** A customer's subscription, as the database's view returns it and local storage caches it (section 3). */
export const subscription = z.object({
  plan: z.string(),
  status: z.string(),
  minutes_used: z.number(),
  minutes_limit: z.number(),
  onboarding_completed: z.boolean(),
  current_period_end: z.nullable(z.string()),
  /** The end of the subscription, once the customer has cancelled it (https://docs.stripe.com/api/subscriptions/object). */
  cancel_at: z.nullable(z.string()),
  /** The price of `plan` in cents and its minutes, both per month: a customer of an older price keeps them. */
  price_cents: z.nullable(z.number()),
  plan_minutes: z.nullable(z.number()),
  /** The plan of the next renewal, its price in cents and its minutes. */
  next_plan: z.nullable(z.string()),
  next_price_cents: z.nullable(z.number()),
  next_minutes: z.nullable(z.number()),
  /** Since when a renewal is owed, when the provider tries the card again, and until when the agent answers. */
  past_due_since: z.nullable(z.string()),
  next_attempt_at: z.nullable(z.string()),
  grace_ends: z.nullable(z.string()),
  /** Minutes that an unpaid period used: what this period gives back of them, and what a later one or plan still has to. */
  minutes_taken: z.number(),
  minutes_owed: z.number(),
})
export type Subscription = z.infer<typeof subscription>

/**
 * Returns the sentences about an owed renewal: since when, when the card is tried again, and when the agent stops;
 * null if none is owed.
 * @param now in milliseconds since 1970
 */
export function graceWords(subscription: Subscription, now: number, timeZone?: string): string | null {
  const { past_due_since: since, next_attempt_at: next, grace_ends: end } = subscription
  if (since === null || end === null) return null
  const day = (iso: string) => dayLabel(iso, timeZone)
  const unpaid = `Your renewal has not been paid since ${day(since)}.`
  if (now >= Date.parse(end))
    return `${unpaid} Your agent stopped on ${day(end)}, and answers again as soon as you have paid.`
  const tried =
    next !== null && now < Date.parse(next)
      ? `We try your card again on ${day(next)}.`
      : 'We will not try your card again automatically.'
  return `${unpaid} ${tried} Your agent answers until ${day(end)}, with a day’s share of your minutes for each day, and then stops until you have paid.`
}

const minutes = (count: number): string => `${grouped(count)} ${count === 1 ? 'minute' : 'minutes'}`

/**
 * Returns the sentence about minutes that the last plan used without payment, and the next one gives back; null if
 * nothing is owed.
 * @param planMinutes what the next plan has each month, if it is known
 */
export function owedWords(owed: number, planMinutes?: number): string | null {
  if (owed === 0) return null
  const months = planMinutes ? Math.ceil(owed / planMinutes) : 1
  const from = planMinutes
    ? `the first ${months === 1 ? 'month' : `${months} months`}`
    : 'the first minutes of your next plan'
  return `${minutes(owed)} that your last plan used without payment ${owed === 1 ? 'is' : 'are'} taken from ${from}.`
}

/**
 * Returns the sentences about minutes that this period has given back, and those still to be given back; null if
 * nothing was owed.
 */
export function takenWords({ minutes_taken: taken, minutes_owed: owed }: Subscription): string | null {
  if (taken === 0) return null
  const were = taken === 1 ? ['was', 'has'] : ['were', 'have']
  const more = owed === 0 ? '' : ` ${minutes(owed)} more will be taken from the next period.`
  return `${minutes(taken)} that ${were[0]} used without payment before ${were[1]} been taken from this period.${more}`
}

/** Returns the share of the minutes used, from 0 to 1 (section 4). A limit of 0 counts as used up. */
export const minutesShare = (subscription: Subscription): number => usedOf(subscription, 1)

/** Returns the minutes used in whole percent; 100 only if none are left. */
export const minutesPercent = (subscription: Subscription): number => Math.floor(usedOf(subscription, 100))

function usedOf({ minutes_used, minutes_limit }: Subscription, all: number): number {
  if (minutes_limit <= 0) return all
  return Math.min(all, Math.max(0, (minutes_used * all) / minutes_limit))
}

/** Returns the minutes left in the period, never below 0. */
export const minutesLeft = ({ minutes_used, minutes_limit }: Subscription): number =>
  Math.max(0, minutes_limit - minutes_used)

/**
 * Returns the milliseconds to wait before a missing subscription is read again: 4 s at first, since the provider's event
 * comes soon after a payment, then twice as long each time, up to a minute.
 */
export const missingRetryMs = (earlierAnswers: number): number =>
  Math.min(60_000, 4_000 * 2 ** earlierAnswers)

import * as z from 'zod/mini'
import { minutePackage, priceAmount } from '#plans/domain/plans.ts'

/**
 * What happens once a plan's minutes are used up: packages are bought within the cap and the agent goes on answering, it
 * takes a message, or it hands the call over. Beyond the cap it takes a message, too.
 */
export const limitPolicies = ['answer', 'message', 'hand_over'] as const

/** What happens to calls while no agent may answer (`decide` of ring.ts). */
export const callsWithoutAgent =
  'Callers are put through to a person, if you have named one. If not, they hear that nobody can take the call.'

/** What decides about an account's calls once its minutes are used up (SQL: `calls_at_limit`). */
export const callsAtLimit = z.object({
  policy: z.enum(limitPolicies),
  /** Whether somebody is named to whom calls can be put through. */
  has_person: z.boolean(),
  /** Whether packages can go on a next invoice. */
  is_billed: z.boolean(),
  /** What packages may cost in this period, and what they have cost, in cents. */
  most_cents: z.number(),
  spent_cents: z.number(),
})
export type CallsAtLimit = z.infer<typeof callsAtLimit>

/** Says what happens to a customer's calls, now that the minutes are used up. */
export function atLimitWords(facts: CallsAtLimit): string {
  const { policy, has_person: hasPerson, is_billed: isBilled, most_cents: most, spent_cents: spent } = facts
  if (policy === 'message') return 'Your agent takes messages now.'
  if (policy === 'hand_over')
    return hasPerson
      ? 'Calls are put through to the person whom you have named.'
      : 'Your agent takes messages now: you have named nobody to whom calls can be put through.'
  if (!isBilled) return 'Your agent takes messages now: no package can be added to your plan at present.'
  return spent + minutePackage.cents > most
    ? `Your agent takes messages now: another package would exceed the ${priceAmount(most)} that packages may cost in this period.`
    : `Your agent goes on answering, with packages of ${minutePackage.minutes} minutes at ${priceAmount(minutePackage.cents)} each, up to ${priceAmount(most)} in this period.`
}

import { currency, planById, wholePrice, type PayablePlanId, type PlanId } from '#plans/domain/plans.ts'

/** Tests say of a plan what the catalogue says: a rebrand changes names, prices, currency and minutes (docs/rebrand.md). */
export { planName } from '#plans/domain/plans.ts'

/** Returns the included minutes of a plan, as 750. */
export const minutesOf = (plan: PlanId): number => planById(plan).minutes

/** Returns what a plan costs a month, in cents. */
export function centsOf(plan: PayablePlanId): number {
  const { priceCents } = planById(plan)
  if (priceCents === null) throw new Error(`The plan "${plan}" has no price`)
  return priceCents
}

/** Returns what a plan costs a month, as "$500". */
export const priceText = (plan: PayablePlanId): string => wholePrice(centsOf(plan))

/** The currency as Stripe names it, as "usd". */
export const stripeCurrency = currency.toLowerCase()

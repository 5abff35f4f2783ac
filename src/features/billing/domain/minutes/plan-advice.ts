import { packagesFor } from '#plans/domain/minutes-offer.ts'
import { languageLimit, minutePackage, type Plan } from '#plans/domain/plans.ts'
import type { MinutesState } from './packages.ts'

/** A plan as this customer pays for it. */
interface OwnPlan {
  plan: string
  cents: number
  minutes: number
}

/** A plan, and what the last three periods would have cost with it. */
interface PlanAdvice {
  plan: Plan
  /** In cents, each period by itself: with this plan, and with the customer's own. */
  costs: readonly number[]
  ownCosts: readonly number[]
  saved: number
}

/** The number of finished periods that an advice is about. */
const periods = 3
/** The least saving, as a share of what is paid now, of which customers are told. */
const leastShare = 0.1

/** Returns what a number of minutes costs in a period, in cents: the plan, and packages for what is beyond it. */
export function costOf({ cents, minutes }: Omit<OwnPlan, 'plan'>, used: number): number {
  return cents + packagesFor(used - minutes) * minutePackage.cents
}

/**
 * Returns the plan of these that would have been cheapest over the last three periods, if it saves a tenth at least and has what the
 * customer uses; of two that cost the same, the one with more minutes.
 */
export function planAdvice(
  own: OwnPlan,
  { used_before: used, in_use: needs }: MinutesAndUse,
  plans: readonly Plan[],
): PlanAdvice | null {
  if (used.length < periods) return null
  const sum = (costs: readonly number[]): number => costs.reduce((total, cost) => total + cost, 0)
  const ownCosts = used.map((minutes) => costOf(own, minutes))
  const paid = sum(ownCosts)
  const offers = plans
    .filter((plan) => plan.id !== own.plan && offersAll(plan, needs))
    .map((plan) => {
      const price = { cents: plan.priceCents ?? 0, minutes: plan.minutes }
      const costs = used.map((minutes) => costOf(price, minutes))
      return { plan, costs, ownCosts, saved: paid - sum(costs) }
    })
    .toSorted((one, other) => other.saved - one.saved || other.plan.minutes - one.plan.minutes)
  const best = offers[0]
  return best && best.saved >= paid * leastShare ? best : null
}

type MinutesAndUse = Pick<MinutesState, 'used_before' | 'in_use'>

const offersAll = (plan: Plan, { voice, lines, languages }: MinutesState['in_use']): boolean =>
  (plan.voiceSample || !voice) &&
  (plan.lines.count ?? Infinity) >= lines &&
  languageLimit(plan.id) >= languages

/** The cost of the rest of a period in two ways, in cents. */
interface PeriodComparison {
  /** The minutes that are expected beyond the limit. */
  need: number
  /** Packages alone. */
  packages: number
  packagesCost: number
  /** The upgrade, and the packages that are needed beyond its minutes. */
  upgradePackages: number
  upgradeCost: number
  cheaper: 'packages' | 'upgrade'
}

/**
 * Compares packages with an upgrade for the rest of the running period; of two that cost the same, the upgrade, which has
 * more minutes.
 * @param need the minutes that are expected beyond the limit
 * @param upgrade what it costs now (the new plan less the unused time of the old one), and the minutes that it adds
 */
export function compareForPeriod(need: number, upgrade: { cost: number; minutes: number }): PeriodComparison {
  const packages = packagesFor(need)
  const packagesCost = packages * minutePackage.cents
  const upgradePackages = packagesFor(need - upgrade.minutes)
  const upgradeCost = upgrade.cost + upgradePackages * minutePackage.cents
  const cheaper = upgradeCost <= packagesCost ? 'upgrade' : 'packages'
  return { need, packages, packagesCost, upgradePackages, upgradeCost, cheaper }
}

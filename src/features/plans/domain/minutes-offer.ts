import { minutePackage, planById, plans, type Plan } from './plans.ts'

/** A way to have a number of minutes a month: a plan, and packages beside it. */
export interface MinutesOffer {
  plan: Plan
  packages: number
  /** The minutes of the plan and its packages. */
  minutes: number
  /** Per month; null if the price is agreed by contract. */
  cents: number | null
}

/** Returns how many packages have so many minutes; none for a negative number. */
export const packagesFor = (minutes: number): number =>
  Math.ceil(Math.max(0, minutes) / minutePackage.minutes)

/**
 * Returns the cheapest way to so many minutes a month; of two that cost the same, the one with more minutes. A plan comes with
 * packages for its own price at most, because that is all that a new customer can buy in a month (SQL: `private.package_ceiling`).
 * What no plan reaches is priced by contract.
 */
export function cheapestFor(minutes: number): MinutesOffer {
  const [best] = plans
    .flatMap((plan): (MinutesOffer & { cents: number })[] => {
      const packages = packagesFor(minutes - plan.minutes)
      const cents = packages * minutePackage.cents
      return plan.priceCents === null || cents > plan.priceCents
        ? []
        : [
            {
              plan,
              packages,
              minutes: plan.minutes + packages * minutePackage.minutes,
              cents: plan.priceCents + cents,
            },
          ]
    })
    .toSorted((one, other) => one.cents - other.cents || other.minutes - one.minutes)
  const contract = planById('enterprise')
  return best ?? { plan: contract, packages: 0, minutes: contract.minutes, cents: contract.priceCents }
}

/** Returns "Starter", or "Starter with 2 packages". */
export const offerName = ({ plan, packages }: MinutesOffer): string =>
  packages === 0 ? plan.name : `${plan.name} with ${packages} ${packages === 1 ? 'package' : 'packages'}`

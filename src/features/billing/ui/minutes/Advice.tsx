import { payablePlanIds, planById, planName, priceAmount } from '#plans/domain/plans.ts'
import type { MinutesState } from '#billing/domain/minutes/packages.ts'
import { planAdvice } from '#billing/domain/minutes/plan-advice.ts'
import type { Subscription } from '#billing/domain/subscription.ts'
import { grouped } from '#platform/domain/text/numbers.ts'
import { stack } from '#platform/domain/app-variants.ts'
import { ledger } from '#platform/domain/variants.ts'

/** Says which plan would have been cheaper, with the arithmetic. */
export function Advice({ subscription, minutes }: { subscription: Subscription; minutes: MinutesState }) {
  const { plan, price_cents: cents, plan_minutes: own } = subscription
  const advice =
    cents === null || own === null
      ? null
      : planAdvice({ plan, cents, minutes: own }, minutes, payablePlanIds.map(planById))
  if (!advice) return null
  const listed = (costs: readonly number[]): string => {
    const sum = costs.reduce((total, cost) => total + cost, 0)
    return `${costs.map(priceAmount).join(' + ')} = ${priceAmount(sum)}`
  }
  return (
    <div className={stack}>
      <p>
        {advice.plan.name} would have saved you {priceAmount(advice.saved)} over the last three periods, in
        which you used {minutes.used_before.map(grouped).join(', ')} minutes.
      </p>
      <dl className={`${ledger} text-sm`}>
        <div>
          <dt>{planName(plan)}, with packages</dt>
          <dd>{listed(advice.ownCosts)}</dd>
        </div>
        <div>
          <dt>{advice.plan.name}, with packages</dt>
          <dd>{listed(advice.costs)}</dd>
        </div>
      </dl>
    </div>
  )
}

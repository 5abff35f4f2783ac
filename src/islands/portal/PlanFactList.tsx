import { plans, priceLabel } from '#domain/plans.ts'
import { dayLabel } from '#domain/portal.ts'
import type { Subscription } from '#domain/subscription.ts'

/** Price and renewal of a subscription; a plan we do not know has no facts but its renewal. */
export function PlanFactList({ subscription }: { subscription: Subscription }) {
  const plan = plans.find(({ id }) => id === subscription.plan)
  const renewal = dayLabel(subscription.current_period_end)
  return (
    <dl className="ledger sm">
      {plan && (
        <>
          <div>
            <dt>Price</dt>
            <dd>{plan.priceCents === null ? priceLabel(plan) : `${priceLabel(plan)} a ${plan.period}`}</dd>
          </div>
          <div>
            <dt>Lines and languages</dt>
            <dd>
              {plan.lines} and {plan.languages.toLowerCase()}
            </dd>
          </div>
        </>
      )}
      <div>
        <dt>{subscription.status === 'canceled' ? 'Ends' : 'Renews'}</dt>
        <dd>{renewal ?? 'Not set'}</dd>
      </div>
    </dl>
  )
}

import { plans, priceLabel } from '#domain/plans.ts'
import { dayLabel } from '#domain/portal.ts'
import { renews } from '#domain/status.ts'
import type { Subscription } from '#domain/subscription.ts'

/** Price and renewal of a subscription. A plan we do not know has no price, and what does not renew has no date. */
export function PlanFactList({ subscription }: { subscription: Subscription }) {
  const plan = plans.find(({ id }) => id === subscription.plan)
  const renewal = renews(subscription.status) ? dayLabel(subscription.current_period_end) : null
  if (!plan && !renewal) return null
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
      {renewal && (
        <div>
          <dt>Renews</dt>
          <dd>{renewal}</dd>
        </div>
      )}
    </dl>
  )
}

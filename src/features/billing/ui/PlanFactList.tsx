import { plans, priceLabel } from '#plans/domain/plans.ts'
import { dayLabel } from '#platform/domain/dates.ts'
import { renews } from '#billing/domain/status.ts'
import type { Subscription } from '#billing/domain/subscription.ts'

/** Lists the price and the renewal or end of a subscription. An unknown plan has no price; without renewal there is no date. */
export function PlanFactList({ subscription }: { subscription: Subscription }) {
  const plan = plans.find(({ id }) => id === subscription.plan)
  const { cancel_at: ends, current_period_end: next } = subscription
  const date = renews(subscription.status) ? dayLabel(ends ?? next) : null
  if (!plan && !date) return null
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
      {date && (
        <div>
          <dt>{ends ? 'Ends' : 'Renews'}</dt>
          <dd>{date}</dd>
        </div>
      )}
    </dl>
  )
}

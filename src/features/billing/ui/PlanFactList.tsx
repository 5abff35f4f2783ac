import type { ReactNode } from 'react'
import { planName, plans, priceAmount, priceLabel } from '#plans/domain/plans.ts'
import { dayLabel } from '#platform/domain/text/dates.ts'
import { renews } from '#billing/domain/status.ts'
import type { Subscription } from '#billing/domain/subscription.ts'
import { ledger } from '#platform/domain/variants.ts'

interface Props {
  subscription: Subscription
  /** Further facts, after the price. */
  children?: ReactNode
}

/**
 * Lists what the customer pays, the renewal or end of a subscription, and another plan that begins then. Without renewal
 * there is no date.
 */
export function PlanFactList({ subscription, children }: Props) {
  const plan = plans.find(({ id }) => id === subscription.plan)
  const { cancel_at: ends, current_period_end: next, price_cents: cents } = subscription
  const date = renews(subscription.status) ? dayLabel(ends ?? next) : null
  if (!plan && !date) return null
  const price = cents === null ? (plan?.priceCents ?? null) : cents
  return (
    <dl className={`${ledger} text-sm`}>
      {plan && (
        <>
          <div>
            <dt>Price</dt>
            <dd>{price === null ? priceLabel(plan) : `${priceAmount(price)} a ${plan.period}`}</dd>
          </div>
          {children}
        </>
      )}
      {date && (
        <div>
          <dt>{ends ? 'Ends' : 'Renews'}</dt>
          <dd>{date}</dd>
        </div>
      )}
      {date && !ends && <NextTerms subscription={subscription} />}
    </dl>
  )
}

/** The plan and price of the next period, if either changes then. */
function NextTerms({ subscription }: { subscription: Subscription }) {
  const { plan, price_cents, next_plan, next_price_cents } = subscription
  if (next_plan === null || next_price_cents === null) return null
  if (next_plan === plan && next_price_cents === price_cents) return null
  return (
    <div>
      <dt>Renews as</dt>
      <dd>
        {planName(next_plan)}, {priceAmount(next_price_cents)} a month
      </dd>
    </div>
  )
}

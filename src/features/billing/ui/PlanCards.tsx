import type { ReactNode } from 'react'
import { badge, cell, frame, gridHead, gridRow, ledger } from '#platform/domain/variants.ts'
import { planCard } from '#plans/domain/plan-card.ts'
import { isPayablePlanId, planFacts, plans, priceAmount, type Plan } from '#plans/domain/plans.ts'

interface Props {
  title: string
  lead: ReactNode
  /** The plan that the customer has, with the price and the minutes as this customer bought them. */
  own?: { plan: string; cents: number | null; minutes: number | null }
  /** What can be done with a plan. */
  action: (plan: Plan) => ReactNode
  children?: ReactNode
}

/** The plans that are sold, side by side. */
export const PlanCards = ({ title, lead, own, action, children }: Props) => (
  <section aria-labelledby="plans">
    <div className={frame}>
      <div className={gridHead}>
        <h2 className={cell({ span: 8, room: 'head' })} id="plans" tabIndex={-1}>
          {title}
        </h2>
        <div className={cell({ room: 'head', class: 'text-lead text-ink-2' })}>{lead}</div>
      </div>
      <div className={`${gridRow} border-t`}>
        {plans
          .filter(({ id }) => isPayablePlanId(id))
          .map((plan) => {
            const isOwn = plan.id === own?.plan
            const cents = (isOwn ? own.cents : null) ?? plan.priceCents ?? 0
            return (
              <article key={plan.id} className={cell({ class: planCard.card })}>
                <div className={planCard.head}>
                  <h3 className="text-h3">{plan.name}</h3>
                  {isOwn && <span className={badge({ tone: 'ok' })}>Your plan</span>}
                  <p className={planCard.subtitle}>{plan.subtitle}</p>
                </div>
                <p className={planCard.priceLine}>
                  <span className={planCard.price}>{priceAmount(cents)}</span>
                  <span className={planCard.period}>a {plan.period}</span>
                </p>
                <dl className={`${ledger} text-sm/[1.5]`}>
                  {planFacts(plan, isOwn ? own.minutes : null).map(({ term, value }) => (
                    <div key={term}>
                      <dt>{term}</dt>
                      <dd>{value}</dd>
                    </div>
                  ))}
                </dl>
                {action(plan)}
              </article>
            )
          })}
      </div>
      {children}
    </div>
  </section>
)

import type { ReactNode } from 'react'
import { badge } from '#platform/domain/variants.ts'
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
    <div className="frame">
      <div className="row head">
        <h2 className="c8" id="plans" tabIndex={-1}>
          {title}
        </h2>
        <div className="lead dim">{lead}</div>
      </div>
      <div className="row rule">
        {plans
          .filter(({ id }) => isPayablePlanId(id))
          .map((plan) => {
            const isOwn = plan.id === own?.plan
            const cents = (isOwn ? own.cents : null) ?? plan.priceCents ?? 0
            return (
              <article key={plan.id} className="plan c4">
                <div className="top">
                  <h3 className="pname">{plan.name}</h3>
                  {isOwn && <span className={badge({ tone: 'ok' })}>Your plan</span>}
                  <p className="dim sub">{plan.subtitle}</p>
                </div>
                <p>
                  <span className="figure">{priceAmount(cents)}</span>
                  <span className="dim">a {plan.period}</span>
                </p>
                <dl className="ledger spec">
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

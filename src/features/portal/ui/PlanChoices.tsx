import { isPayablePlanId, planFacts, plans, priceLabel } from '#plans/domain/plans.ts'
import { planChoice } from '#plans/domain/plan-choice.ts'

/** The plans that a customer whose subscription is over can buy. */
export const PlanChoices = () => (
  <section aria-labelledby="choose">
    <div className="frame">
      <div className="row head">
        <h2 className="c8" id="choose">
          Choose a plan
        </h2>
        <p className="lead dim">
          Your set-up, calls and invoices are kept. Your agent answers as soon as a plan is paid.
        </p>
      </div>
      <div className="row rule">
        {plans
          .filter(({ id }) => isPayablePlanId(id))
          .map((plan) => {
            const { href, action } = planChoice(plan)
            return (
              <article key={plan.id} className="plan c4">
                <div className="top">
                  <h3 className="pname">{plan.name}</h3>
                </div>
                <p>
                  <span className="figure">{priceLabel(plan)}</span>
                  <span className="dim">a {plan.period}</span>
                </p>
                <dl className="ledger spec">
                  {planFacts(plan).map(({ term, value }) => (
                    <div key={term}>
                      <dt>{term}</dt>
                      <dd>{value}</dd>
                    </div>
                  ))}
                </dl>
                <a className="btn two" href={href}>
                  {action}
                </a>
              </article>
            )
          })}
      </div>
    </div>
  </section>
)

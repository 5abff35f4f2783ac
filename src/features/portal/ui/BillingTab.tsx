import { planFacts, plans } from '#plans/domain/plans.ts'
import { isOver, renews } from '#billing/domain/status.ts'
import type { Subscription } from '#billing/domain/subscription.ts'
import { Card } from '#billing/ui/Card.tsx'
import { Invoices } from '#billing/ui/Invoices.tsx'
import { NextInvoice } from '#billing/ui/NextInvoice.tsx'
import { PayNow } from '#billing/ui/PayNow.tsx'
import { PlanSummary } from '#billing/ui/PlanSummary.tsx'
import { Minutes } from '#billing/ui/minutes/Minutes.tsx'
import { EndSubscription } from '#billing/ui/plan-change/EndSubscription.tsx'
import { PlanChange } from '#billing/ui/plan-change/PlanChange.tsx'
import { PlanChoices } from '#billing/ui/PlanChoices.tsx'
import { NextPlanAgents, SwitchDialog } from '#telephony/ui/GoingOn.tsx'
import { useLimitPolicy } from '#telephony/ui/useLimitPolicy.tsx'
import { stack } from '#platform/domain/app-variants.ts'
import { cell, frame, gridRow, ledger } from '#platform/domain/variants.ts'

interface Props {
  subscription: Subscription
  userId: string
}

/** What the plan costs and what is in it, minutes, its change or the plans to buy again, invoices, the card, and its end. */
export function BillingTab({ subscription, userId }: Props) {
  const plan = plans.find(({ id }) => id === subscription.plan)
  const isRunning = renews(subscription.status)
  return (
    <>
      <PayNow subscription={subscription} />
      <section>
        <div className={`${frame} ${gridRow}`}>
          <div className={cell({ span: 8, room: 'tall', class: 'flex flex-col gap-8' })}>
            <h1 className="text-mid">Billing</h1>
            {isRunning && <NextInvoice subscription={subscription} />}
          </div>
          <div className={cell({ room: 'tall', class: stack })}>
            <PlanSummary subscription={subscription} />
            {plan && (
              <details>
                <summary className="min-h-11 content-center">What it includes</summary>
                <dl className={`${ledger} mt-3 text-sm`}>
                  {planFacts(plan, subscription.plan_minutes).map(({ term, value }) => (
                    <div key={term}>
                      <dt>{term}</dt>
                      <dd>{value}</dd>
                    </div>
                  ))}
                </dl>
              </details>
            )}
          </div>
        </div>
      </section>
      {isOver(subscription.status) && <PlanChoices owed={subscription.minutes_owed} />}
      {isRunning && <RunningPlan subscription={subscription} userId={userId} />}
      <Invoices userId={userId} />
      <Card />
      {isRunning && <EndSubscription subscription={subscription} />}
    </>
  )
}

/** Minutes and the change of the plan, with what each does to the customer's agents. */
const RunningPlan = ({ subscription, userId }: Props) => (
  <>
    <Minutes subscription={subscription} userId={userId} policy={useLimitPolicy(userId)} />
    <PlanChange
      subscription={subscription}
      goingOn={(smaller) => <NextPlanAgents key={smaller.plan} {...smaller} userId={userId} />}
      switchDialog={(dialog) => <SwitchDialog {...dialog} userId={userId} />}
    />
  </>
)

import { statusLabel, statusTone } from '#billing/domain/status.ts'
import type { Subscription } from '#billing/domain/subscription.ts'
import { planName } from '#plans/domain/plans.ts'
import { PlanFactList } from './PlanFactList.tsx'

/** The customer's plan: its status, its name, and its price, lines, languages and renewal. */
export const PlanSummary = ({ subscription }: { subscription: Subscription }) => (
  <>
    <div className="title bare">
      <p className="label">Your plan</p>
      <span className={`badge ${statusTone(subscription.status)}`}>{statusLabel(subscription.status)}</span>
    </div>
    <h2 className="pname">{planName(subscription.plan)}</h2>
    <PlanFactList subscription={subscription} />
  </>
)

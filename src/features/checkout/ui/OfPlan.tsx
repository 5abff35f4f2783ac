import type { ReactElement, ReactNode } from 'react'
import { payablePlanIds, planById, type Plan } from '#plans/domain/plans.ts'

interface Props {
  /** Undefined until the page runs. */
  plan: Plan | undefined
  as: 'span' | 'div'
  children: (plan: Plan) => ReactNode
}

/**
 * Shows what depends on the plan. The built HTML has it once for each plan, hidden; before the first paint a script of the
 * page shows that of the address (page-scripts/plan-of-address.ts), so that no amount is ever blank.
 */
export const OfPlan = ({ plan, as: Element, children }: Props): ReactElement =>
  plan ? (
    <Element>{children(plan)}</Element>
  ) : (
    <>
      {payablePlanIds.map((id) => (
        <Element className="hidden" key={id} data-plan={id}>
          {children(planById(id))}
        </Element>
      ))}
    </>
  )

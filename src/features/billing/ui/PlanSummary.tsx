import type { ReactNode } from 'react'
import { statusLabel, statusTone } from '#billing/domain/status.ts'
import type { Subscription } from '#billing/domain/subscription.ts'
import { planName } from '#plans/domain/plans.ts'
import { PlanFactList } from './PlanFactList.tsx'
import { badge } from '#platform/domain/variants.ts'
import { titleRow } from '#platform/domain/app-variants.ts'

interface Props {
  subscription: Subscription
  /** Further facts, after the price. */
  children?: ReactNode
}

/** The customer's plan: its status, its name, its price and its renewal. */
export const PlanSummary = ({ subscription, children }: Props) => (
  <>
    <div className={titleRow}>
      <p className="text-label text-ink-2 uppercase">Your plan</p>
      <span className={badge({ tone: statusTone(subscription.status) })}>
        {statusLabel(subscription.status)}
      </span>
    </div>
    <h2 className="text-h3">{planName(subscription.plan)}</h2>
    <PlanFactList subscription={subscription}>{children}</PlanFactList>
  </>
)

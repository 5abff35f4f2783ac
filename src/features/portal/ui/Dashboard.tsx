import type { MouseEvent } from 'react'
import { useStore } from '@nanostores/react'
import type { Subscription } from '#billing/domain/subscription.ts'
import { $calls, findCalls, loadMoreCalls, refreshCalls } from '#calls/browser/calls-store.ts'
import { AgentRow } from './AgentRow.tsx'
import { DashboardTab } from './DashboardTab.tsx'

const actions = {
  find: (search: string) => void findCalls(search),
  more: () => void loadMoreCalls(),
  retry: () => void refreshCalls(),
}

interface Props {
  subscription: Subscription
  openBilling: (event: MouseEvent<HTMLAnchorElement>) => void
  openAgent: (event: MouseEvent<HTMLAnchorElement>) => void
}

/** Connects the dashboard to the customer's calls. */
export const Dashboard = ({ subscription, openBilling, openAgent }: Props) => (
  <DashboardTab
    subscription={subscription}
    calls={useStore($calls)}
    actions={actions}
    openBilling={openBilling}
    agent={<AgentRow openAgent={openAgent} />}
  />
)

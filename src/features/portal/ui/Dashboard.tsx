import type { MouseEvent } from 'react'
import { useStore } from '@nanostores/react'
import { minutesLeft, type Subscription } from '#billing/domain/subscription.ts'
import { markCall, recordingUrl, unmarkCall } from '#calls/browser/calls.ts'
import type { CallActions } from '#calls/ui/CallLog.tsx'
import { refreshSubscription } from '#billing/browser/subscription-store.ts'
import { blockCaller } from '#telephony/browser/call-settings.ts'
import { phoneNumber } from '#agent/domain/knowledge/knowledge.ts'
import { $calls, findCalls, loadMoreCalls, refreshCalls } from '#calls/browser/calls-store.ts'
import { portalTabs } from '#portal/domain/tabs.ts'
import { onDemand } from '#platform/ui/onDemand.tsx'
import { readMyAgent } from '#telephony/browser/my-agent.ts'
import { AgentRow } from '#telephony/ui/AgentRow.tsx'
import { useMyAgent } from '#telephony/ui/useMyAgent.ts'
import { DashboardTab } from './DashboardTab.tsx'
import { InboxLoading } from './inbox/InboxLoading.tsx'
import { useLinkedCall } from './inbox/useLinkedCall.ts'

const actions: CallActions = {
  find: (search: string) => void findCalls(search),
  more: () => void loadMoreCalls(),
  retry: () => void refreshCalls(),
  recordingUrl,
  formatNumber: async () => (await import('#agent/domain/phone.ts')).formatNumber,
  mark: async (id, mark) => {
    const marked = await markCall(id, mark)
    if (marked) void Promise.all([refreshCalls(), refreshSubscription()])
    return marked
  },
  unmark: async (id) => {
    const minutes = await unmarkCall(id)
    if (minutes !== undefined) void Promise.all([refreshCalls(), refreshSubscription()])
    return minutes
  },
  block: (number) => (phoneNumber.safeParse(number).success ? () => blockCaller(number) : null),
}

const Inbox = onDemand(async () => (await import('./inbox/Inbox.tsx')).Inbox, <InboxLoading />)
const OpenedCall = onDemand(async () => (await import('./inbox/OpenedCall.tsx')).OpenedCall, <p>Loading</p>)
const FirstLesson = onDemand(async () => (await import('./FirstLesson.tsx')).FirstLesson, <p>Loading</p>)

interface Props {
  subscription: Subscription
  userId: string
  openBilling: (event: MouseEvent<HTMLAnchorElement>) => void
  openAgent: (event: MouseEvent<HTMLAnchorElement>) => void
}

/** Connects the dashboard to the customer's calls and agent. */
export function Dashboard({ subscription, userId, openBilling, openAgent }: Props) {
  const linkedCall = useLinkedCall()
  const { agent, atLimit } = useMyAgent(minutesLeft(subscription) === 0)
  return (
    <>
      {linkedCall !== null && <OpenedCall key={linkedCall} id={linkedCall} actions={actions} />}
      <Inbox isFresh={agent?.has_called === false} />
      <DashboardTab
        subscription={subscription}
        calls={useStore($calls)}
        actions={actions}
        openBilling={openBilling}
        isFresh={agent?.has_called === false}
        agent={
          agent && (
            <AgentRow
              agent={agent}
              userId={userId}
              status={subscription.status}
              atLimit={atLimit}
              teaching={{ href: portalTabs.pathOf('agent'), onClick: openAgent }}
              firstLesson={(onSettled) => <FirstLesson userId={userId} onSettled={onSettled} />}
              readAgain={() => void readMyAgent()}
            />
          )
        }
      />
    </>
  )
}

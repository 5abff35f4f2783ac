import { oldTalkRequests } from '#assistant/server/budget.ts'
import { billingMails, graces } from '#billing/server/billing-mails.ts'
import { dunningMails } from '#billing/server/dunning.ts'
import { usageAlerts } from '#calls/server/usage-alert.ts'
import { oldMessages, switchedOffMails, webhooksWithin } from '#connections/server/deliveries.ts'
import type { JobKind } from '#platform/server/jobs.ts'
import { lostCalls } from '#telephony/server/call-events.ts'
import { callMails } from '#telephony/server/call-mail.ts'
import { oldRecordings, purges, recordings } from '#telephony/server/recordings.ts'
import { agents, stoppedAgents } from '#telephony/server/update-agent.ts'
import { waitingAgents } from './tell-about-agents.ts'

/** All kinds of jobs. */
export const jobKinds: readonly JobKind[] = [
  agents,
  billingMails,
  callMails,
  dunningMails,
  graces,
  lostCalls,
  oldMessages,
  oldRecordings,
  oldTalkRequests,
  purges,
  recordings,
  stoppedAgents,
  switchedOffMails,
  usageAlerts,
  waitingAgents,
  webhooksWithin(),
]

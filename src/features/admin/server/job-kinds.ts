import { accountLinks } from '#account/server/account-link.ts'
import { leadMails } from '#assistant/server/create-lead.ts'
import { oldTalkRequests } from '#assistant/server/budget.ts'
import { billingMails, graces } from '#billing/server/billing-mails.ts'
import { dunningMails } from '#billing/server/dunning.ts'
import { bookingMails } from '#bookings/server/booking-mails.ts'
import { calendars } from '#bookings/server/own-calendars.ts'
import { silentCalendarMails } from '#bookings/server/silent-calendars.ts'
import { callersData, retentionMails } from '#calls/server/callers-data.ts'
import { usageAlerts } from '#calls/server/usage-alert.ts'
import { oldMessages, switchedOffMails, webhooksWithin } from '#connections/server/deliveries.ts'
import { calendarChangesWithin } from '#connections/server/written-events.ts'
import { packages } from '#billing/server/packages.ts'
import { doubtfulSubscriptions, reconciliation } from '#billing/server/reconcile.ts'
import { webhookSilence } from '#billing/server/webhook/webhook-silence.ts'
import { unpaidCheckouts, unpaidCustomers } from '#checkout/server/unpaid.ts'
import { deletionMails, voiceSamples } from '#portal/server/delete-account.ts'
import type { JobKind } from '#platform/server/jobs.ts'
import { lostCalls } from '#telephony/server/call-events.ts'
import { callMails } from '#telephony/server/call-mail.ts'
import { oldRecordings, purges, recordings } from '#telephony/server/recordings.ts'
import { agentRollout, agents, stoppedAgents } from '#telephony/server/update-agent.ts'
import { waitingAgents } from './tell-about-agents.ts'

/** All kinds of jobs. */
export const jobKinds: readonly JobKind[] = [
  accountLinks,
  agentRollout,
  agents,
  billingMails,
  bookingMails,
  calendarChangesWithin(),
  calendars,
  callMails,
  callersData,
  deletionMails,
  doubtfulSubscriptions,
  dunningMails,
  graces,
  leadMails,
  lostCalls,
  oldMessages,
  oldRecordings,
  oldTalkRequests,
  packages,
  purges,
  reconciliation,
  recordings,
  retentionMails,
  silentCalendarMails,
  stoppedAgents,
  switchedOffMails,
  unpaidCheckouts,
  unpaidCustomers,
  usageAlerts,
  voiceSamples,
  waitingAgents,
  webhookSilence,
  webhooksWithin(),
]

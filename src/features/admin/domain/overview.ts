import { grouped } from '#platform/domain/text/numbers.ts'
import { agentsPath } from './agents.ts'
import { failedEventsPath } from './payment-events.ts'
import { adminTabs } from './tabs.ts'
import { usersPath } from './users.ts'

/** What can wait for the admin: the name of its count (SQL: `admin_overview`), its own name, and the list of it. */
const entries = [
  ['payments_without_account', 'Payments without an account', adminTabs.pathOf('payments')],
  ['failed_events', 'Failed events', `${failedEventsPath}#events`],
  ['failed_renewals', 'Failed renewals', usersPath('payment_failed')],
  ['over_limit', 'Over limit', usersPath('over_limit')],
  ['leads', 'Leads', adminTabs.pathOf('leads')],
  ['agents_waiting', 'Agents waiting', agentsPath(null)],
  ['failing_webhooks', 'Failing webhooks', `${adminTabs.pathOf('agents')}#webhooks`],
  ['given_up_jobs', 'Failed tasks', `${adminTabs.pathOf('agents')}#jobs`],
] as const

/** The counts by their names. */
export type Overview = Readonly<Record<string, number>>

/** Describes for the strip what waits. Without counts, because they are not read yet, each count is a dash. */
export const waiting = (counts: Overview | undefined) =>
  entries.map(([key, name, href]) => {
    const count = counts?.[key]
    return {
      key,
      name,
      href,
      count: count === undefined ? '–' : grouped(count),
      isWaiting: count !== undefined && count > 0,
    }
  })

import { expect, test } from 'vitest'
import { adminTabs } from './tabs.ts'
import { waiting } from './overview.ts'
import { filterOfAddress } from './users.ts'

test('each count leads to the tab that lists what it counts, with its filter', () => {
  const shown = waiting({
    payments_without_account: 0,
    failed_events: 4,
    failed_renewals: 1200,
    over_limit: 3,
    leads: 2,
    agents_waiting: 0,
    failing_webhooks: 1,
    given_up_jobs: 2,
  })
  expect(shown.map(({ href, count, isWaiting }) => [href, count, isWaiting])).toEqual([
    ['/admin/payments', '0', false],
    ['/admin/payments?events=failed#events', '4', true],
    ['/admin/users?status=payment_failed', '1,200', true],
    ['/admin/users?status=over_limit', '3', true],
    ['/admin/leads', '2', true],
    ['/admin/agents', '0', false],
    ['/admin/agents#webhooks', '1', true],
    ['/admin/agents#jobs', '2', true],
  ])
  const filters = shown.map(({ href }) => {
    const url = new URL(href, 'https://desk.example/admin/users')
    expect(adminTabs.tabOf(url)).not.toBeNull()
    return filterOfAddress(url)
  })
  expect(filters).toEqual([null, null, 'payment_failed', 'over_limit', null, null, null, null])
})

test('a count that is not known is a dash, and nothing waits', () => {
  for (const counts of [undefined, {}])
    expect(waiting(counts).every(({ count, isWaiting }) => count === '–' && !isWaiting)).toBe(true)
})

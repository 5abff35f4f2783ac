import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { OwingAccount } from '#admin/browser/payment-records.ts'
import { owingColumns, OwingAccountRow } from '#admin/ui/payments/OwingAccountRow.tsx'
import { RecordTable } from '#admin/ui/lists/RecordTable.tsx'
import { planName } from '../support/plan-facts.ts'

const part = { id: 'owing', name: 'Renewals that are owed' }
const account = {
  invoice: 'in_1',
  user_id: 'a1',
  email: 'desk@hotel.example',
  plan: 'growth',
  since: '2026-11-18T14:06:00Z',
  grace_ends: '2026-11-25T14:06:00Z',
  minutes: 1_040,
  amount: 500_00,
  currency: 'usd',
  next_attempt: '2026-11-21T14:06:00Z',
  mailed_at: '2026-11-18T14:07:00Z',
} satisfies OwingAccount

const list = (entries: OwingAccount[]) =>
  render(
    <RecordTable
      part={part}
      version={0}
      empty="No renewal is owed."
      columns={owingColumns}
      read={() => Promise.resolve({ entries, more: false })}
      row={(each) => <OwingAccountRow key={`${each.user_id}`} account={each} />}
    />,
  )

test('lists whose renewal is owed, how much, and what comes next, with a link to the account', async () => {
  await list([
    account,
    {
      ...account,
      invoice: null,
      user_id: 'a2',
      email: 'bar@hotel.example',
      amount: null,
      currency: null,
      next_attempt: null,
      mailed_at: null,
    },
    { ...account, user_id: null, email: null, grace_ends: null },
  ])
  const table = page.getByRole('table', { name: part.name })
  await expect.element(table).toBeVisible()
  expect(table.getByRole('columnheader').elements()).toHaveLength(owingColumns.length)
  const known = table.getByRole('row').filter({ hasText: account.email })
  await expect
    .element(known.getByRole('link', { name: account.email }))
    .toHaveAttribute('href', '/admin/users?user=a1')
  await expect.element(known.getByText(planName(account.plan), { exact: true })).toBeVisible()
  await expect.element(known.getByText('$500.00', { exact: true })).toBeVisible()
  expect([...known.element().querySelectorAll('time')].map(({ dateTime }) => dateTime)).toEqual([
    account.since,
    account.next_attempt,
    account.grace_ends,
    account.mailed_at,
  ])
  await expect.element(known.getByRole('cell', { name: 'Minutes used: 1,040' })).toBeVisible()
  const deleted = table.getByRole('row').filter({ hasText: 'Deleted account' })
  await expect.element(deleted.getByRole('cell', { name: 'Grace ends: plan has ended' })).toBeVisible()
  expect(deleted.getByRole('link').elements()).toEqual([])
  const unknown = table.getByRole('row').filter({ hasText: 'bar@hotel.example' })
  await expect.element(unknown.getByText('unknown')).toBeVisible()
  expect(unknown.getByRole('cell', { name: /none$/ }).elements()).toHaveLength(2)
})

test('says that nobody owes a renewal', async () => {
  await list([])
  await expect.element(page.getByText('No renewal is owed.')).toBeVisible()
})

import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { AdminDataProvider, useAdminData } from '#admin/ui/AdminDataProvider.tsx'
import { AdminNotices } from '#admin/ui/AdminNotices.tsx'
import { FaqsTab } from '#admin/ui/faqs/FaqsTab.tsx'
import { UsersTab } from '#admin/ui/users/UsersTab.tsx'
import { memoryServer, memoryStorage, published } from '../support/admin-data.ts'

const world = () => {
  const storage = memoryStorage()
  const server = memoryServer()
  return {
    storage,
    server,
    settings: {
      storage: () => storage,
      events: new EventTarget(),
      server,
      build: published,
      now: () => Date.now(),
    },
  }
}

test('using the data outside its provider throws', async () => {
  const quiet = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const Lost = () => <p>{useAdminData().data.faqs.length}</p>
  await expect(async () => render(<Lost />)).rejects.toThrow('must be used within an admin provider')
  quiet.mockRestore()
})

test('a blocked storage is reported, and typed values are kept in the page', async () => {
  const { storage, settings } = world()
  storage.isClosed = true
  await render(
    <AdminDataProvider settings={settings}>
      <AdminNotices />
      <FaqsTab />
    </AdminDataProvider>,
  )
  await expect.element(page.getByText('This browser does not let us store anything')).toBeVisible()
  await page.getByRole('button', { name: 'Add FAQ' }).click()
  await page.getByLabelText('Question', { exact: true }).fill('Still there?')
  await page.getByLabelText('Answer', { exact: true }).fill('Yes.')
  await page.getByRole('button', { name: 'Add FAQ' }).click()
  await expect.element(page.getByText('10 questions')).toBeVisible()
})

test('171. A text of a FAQ that is too long is kept, and saved once it fits; one that shows nothing is missing', async () => {
  const { settings } = world()
  await render(
    <AdminDataProvider settings={settings}>
      <FaqsTab />
    </AdminDataProvider>,
  )
  const add = page.getByRole('button', { name: 'Add FAQ' })
  await add.click()
  const question = page.getByLabelText('Question', { exact: true })
  const answer = page.getByLabelText('Answer', { exact: true })
  await question.fill('\u200b\u2060')
  await answer.fill('x'.repeat(50_000))
  await expect.element(answer).toHaveValue('x'.repeat(50_000))
  await expect
    .element(answer)
    .toHaveAccessibleDescription(/^At most 5,000 characters fit here.* 50,000 of 5,000 characters\.$/)
  await add.click()
  await expect.element(answer).toHaveFocus()
  await answer.fill('x'.repeat(5_000))
  await add.click()
  await expect.element(question).toHaveFocus()
  await question.fill('Is it long?')
  await add.click()
  await expect.element(page.getByText('10 questions')).toBeVisible()
})

test('the button follows the status', async () => {
  const { server, settings } = world()
  server.users = ['active', 'blocked', 'payment_failed', 'paused', null].map((subscriptionStatus, index) => ({
    id: String(index),
    email: `${subscriptionStatus}@hotel.example`,
    plan: 'pro',
    subscriptionStatus,
    billingStatus: subscriptionStatus === 'blocked' ? null : subscriptionStatus,
    minutesUsed: 2114,
    minutesLimit: 3000,
  }))
  await render(
    <AdminDataProvider settings={settings}>
      <UsersTab />
    </AdminDataProvider>,
  )
  const row = (name: string) => page.getByRole('row').filter({ hasText: `${name}@hotel.example` })
  for (const [status, button] of [
    ['active', 'Block'],
    ['blocked', 'Activate'],
    ['payment_failed', 'Activate'],
    ['paused', 'Activate'],
    [null, 'Activate'],
  ] as const) {
    const badge = row(String(status)).getByText(status ?? 'no subscription', { exact: true })
    await expect.element(badge).toBeVisible()
    await expect.element(row(String(status)).getByRole('button')).toHaveTextContent(button)
  }
  await expect.element(row('active').getByText('2,114 / 3,000')).toBeVisible()
})

test('an account without a subscription cannot be activated: the log-out asks until the admin takes the server’s word', async () => {
  const risks: boolean[] = []
  const { server, settings } = world()
  server.users = [
    {
      id: '1',
      email: 'new@hotel.example',
      plan: null,
      subscriptionStatus: null,
      minutesUsed: 0,
      minutesLimit: 0,
    },
  ]
  await render(
    <AdminDataProvider settings={settings} onRisk={(isAtRisk) => risks.push(isAtRisk)}>
      <AdminNotices />
      <UsersTab />
    </AdminDataProvider>,
  )
  await page.getByRole('button', { name: 'Activate new@hotel.example' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Activate' }).click()
  await expect.element(page.getByText('no subscription', { exact: true }).first()).toBeVisible()
  await page.getByRole('button', { name: 'Take theirs' }).click()
  await expect.element(page.getByRole('button', { name: 'Activate new@hotel.example' })).toBeVisible()
  expect(page.getByRole('button', { name: 'Take theirs' }).elements()).toEqual([])
  expect(risks).toEqual([false, true, false])
})

test('175. A change that is neither stored nor on the server: one notice says so, and the browser asks before leaving', async () => {
  const { storage, server, settings } = world()
  const asksBeforeLeaving = (): boolean => !dispatchEvent(new Event('beforeunload', { cancelable: true }))
  const risks: boolean[] = []
  await render(
    <AdminDataProvider settings={settings} onRisk={(isAtRisk) => risks.push(isAtRisk)}>
      <AdminNotices />
      <FaqsTab />
    </AdminDataProvider>,
  )
  await expect.element(page.getByText('9 questions')).toBeVisible()
  server.isDown = true
  const remove = async (name: string): Promise<void> => {
    await page.getByRole('button', { name: `Delete ${name}` }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  }
  await remove('Question 1?')
  await expect.element(page.getByText(/It is kept in this browser/)).toBeVisible()
  expect(asksBeforeLeaving()).toBe(false)

  storage.room = 0
  await remove('Question 2?')
  await expect.element(page.getByText('2 changes are not saved to the server')).toBeVisible()
  await expect.element(page.getByText(/Your unsaved changes are in this page alone/)).toBeVisible()
  expect(page.getByText(/kept in this browser|kept here/).elements()).toEqual([])
  expect(asksBeforeLeaving()).toBe(true)

  storage.room = Infinity
  server.isDown = false
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect.poll(() => server.faqs.size).toBe(2)
  await expect.poll(() => page.getByText(/not saved to the server/).elements()).toEqual([])
  expect(asksBeforeLeaving()).toBe(false)
  expect(risks).toEqual([false, true, false])
})

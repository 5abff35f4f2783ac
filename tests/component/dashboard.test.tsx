import { expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import type { Subscription } from '#domain/subscription.ts'
import { DashboardTab } from '#islands/portal/DashboardTab.tsx'
import { Notices } from '#islands/portal/Notices.tsx'

const growth: Subscription = {
  plan: 'growth',
  status: 'active',
  minutes_used: 0,
  minutes_limit: 750,
  onboarding_completed: true,
  current_period_end: '2026-12-01T12:00:00+00:00',
  cancel_at: null,
}
const stay = (event: { preventDefault: () => void }) => event.preventDefault()
const dashboard = (more: Partial<Subscription> = {}) =>
  render(<DashboardTab subscription={{ ...growth, ...more }} openBilling={stay} />)
const notices = (more: Partial<Subscription>, welcome = false) =>
  render(
    <Notices
      subscription={{ ...growth, ...more }}
      welcome={welcome}
      onWelcomeRead={() => undefined}
      openBilling={stay}
    />,
  )

test('shows plan, price, renewal, status and minutes', async () => {
  const screen = await dashboard()
  await expect.element(screen.getByRole('heading', { level: 1, name: '750 minutes left' })).toBeVisible()
  await expect.element(screen.getByRole('heading', { name: 'Growth' })).toBeVisible()
  await expect.element(screen.getByText('active', { exact: true })).toHaveClass('badge', 'ok')
  await expect.element(screen.getByText('$500 a month')).toBeVisible()
  await expect.element(screen.getByText('1 December 2026')).toBeVisible()
  await expect.element(screen.getByText('0 of 750 minutes')).toBeVisible()
  await expect.element(screen.getByRole('heading', { name: 'No calls yet' })).toBeVisible()
})

test.each([
  [412, '412 of 750 minutes', '54', '338 minutes left'],
  [749, '749 of 750 minutes', '99', '1 minute left'],
  [1200, '1,200 of 750 minutes', '100', '0 minutes left'],
])('%d minutes used', async (minutes_used, reading, percent, left) => {
  const screen = await dashboard({ minutes_used })
  const bar = screen.getByRole('progressbar', { name: 'Minutes used' })
  await expect.element(bar).toHaveAttribute('aria-valuenow', percent)
  await expect.element(bar).toHaveAttribute('aria-valuetext', reading)
  await expect.element(screen.getByRole('heading', { level: 1, name: left })).toBeVisible()
  const filled = Number(screen.container.querySelector('rect.fi')?.getAttribute('width'))
  expect(filled).toBe(Math.min(750, minutes_used))
})

test.each([
  ['blocked', 'bad'],
  ['payment_failed', 'bad'],
  ['paused', 'warn'],
])('%s is written as it is, in the tone %s', async (status, tone) => {
  const screen = await dashboard({ status })
  await expect.element(screen.getByText(status, { exact: true })).toHaveClass('badge', tone)
})

test.each([
  ['active', true],
  ['trialing', true],
  ['payment_failed', true],
  ['blocked', false],
  ['incomplete', false],
  ['canceled', false],
  ['paused', false],
])('%s renews: %s', async (status, isRenewed) => {
  const screen = await dashboard({ status })
  await expect.element(screen.getByRole('heading', { name: 'Growth' })).toBeVisible()
  expect(screen.getByText('Renews').elements()).toHaveLength(isRenewed ? 1 : 0)
  expect(screen.getByText('1 December 2026').elements()).toHaveLength(isRenewed ? 1 : 0)
})

test('says when it ends, once the customer has ended it', async () => {
  const screen = await dashboard({ cancel_at: '2026-11-20T12:00:00+00:00' })
  await expect.element(screen.getByText('Ends', { exact: true })).toBeVisible()
  await expect.element(screen.getByText('20 November 2026')).toBeVisible()
  expect(screen.getByText('Renews').elements()).toHaveLength(0)
})

test('a failed payment leads to billing, a block to contact, an unfinished set-up to onboarding', async () => {
  const failed = await notices({ status: 'payment_failed' })
  await expect
    .element(failed.getByRole('link', { name: 'Go to billing' }))
    .toHaveAttribute('href', '/portal/billing')
  await failed.unmount()
  const blocked = await notices({ status: 'blocked' })
  await expect.element(blocked.getByRole('link', { name: 'Contact us' })).toHaveAttribute('href', '/contact')
  await blocked.unmount()
  const unfinished = await notices({ onboarding_completed: false })
  await expect.element(unfinished.getByRole('heading', { name: 'Finish your set-up' })).toBeVisible()
  await expect.element(unfinished.getByRole('link')).toHaveAttribute('href', '/onboarding')
})

test('nothing is said where all is well, and a welcome after onboarding', async () => {
  const quiet = await notices({})
  expect(quiet.container.textContent).toBe('')
  await quiet.unmount()
  const welcomed = await notices({}, true)
  const status = welcomed.getByRole('status')
  await expect.element(status.getByRole('heading', { name: /^Welcome/ })).toBeVisible()
})

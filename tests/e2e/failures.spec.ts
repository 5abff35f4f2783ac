import { expect, expectToast, openSignedIn, test, toast } from './fixtures.ts'
import { centsOf, minutesOf } from '../support/plan-facts.ts'
import { currencyName } from '#plans/domain/plans.ts'
import { grouped } from '#platform/domain/text/numbers.ts'

test.use({ allowedConsole: /status of (400|401|403|406|422|500)|net::ERR_/ })

test('the selections are kept after a reload', async ({ page, customer }) => {
  await openSignedIn(page, await customer({ plan: 'starter' }), '/onboarding')
  const next = page.getByRole('button', { name: 'Next' })
  await next.click()
  await next.click()
  await page.getByRole('radio', { name: /healthcare/i }).check()
  await next.click()
  await expect(page.getByRole('heading', { level: 1, name: 'Connect Your First Channel' })).toBeVisible()
  await page.reload()
  await page.getByRole('button', { name: 'Back' }).click()
  await expect(page.getByRole('radio', { name: /healthcare/i })).toBeChecked()
})

test('if the log-out fails, this is reported, and the portal is no longer shown', async ({
  page,
  customer,
}) => {
  await openSignedIn(page, await customer({ onboarded: true }))
  await page.route('**/auth/v1/logout*', (route) =>
    route.fulfill({ status: 422, json: { code: 422, msg: 'The line is busy' } }),
  )
  await page.getByRole('button', { name: 'Logout' }).first().click()
  await expect(page).toHaveURL(/\/$/)
  await expectToast(page, 'Sign out Failed', 'The line is busy')
  await expect(page.getByRole('banner').getByRole('link', { name: 'Choose Plan' }).first()).toBeVisible()
})

test('without a network the portal shows the last known data', async ({ page, customer }) => {
  await openSignedIn(page, await customer({ onboarded: true }))
  await expect(page.getByText(`0 of ${grouped(minutesOf('growth'))} minutes`).first()).toBeVisible()
  await page.route('**/rest/v1/**', (route) => route.abort())
  await page.reload()
  await expect(page.getByText(`0 of ${grouped(minutesOf('growth'))} minutes`).first()).toBeVisible()

  // What it has never read, it says and reads when asked.
  await page.getByRole('link', { name: 'Billing', exact: true }).click()
  const minutes = page.getByRole('region', { name: 'Minutes' })
  await expect(minutes.getByRole('alert')).toContainText('Your settings for minutes did not load.')
  await page.unroute('**/rest/v1/**')
  await minutes.getByRole('button', { name: 'Try again' }).press('Enter')
  await expect(minutes.getByLabel(`Spending limit for packages, in ${currencyName} per period`)).toHaveValue(
    String(centsOf('growth') / 100),
  )
  await expect(minutes.getByLabel('Once your minutes are used up')).toBeVisible()
  await expect(minutes.getByRole('alert')).toHaveCount(0)
})

test('after Back and Forward the checkout is usable', async ({ page }) => {
  await page.goto('/pricing')
  await page.locator('a[href*="plan=starter"]').first().click()
  await page.getByLabel('Email Address (for your account)').fill('back@hotel.example')
  await page.goBack()
  await expect(page).toHaveURL(/\/pricing/)
  await page.goForward()
  await expect(page.getByRole('button', { name: 'Subscribe Securely' })).toBeEnabled()
  await expect(toast(page)).toHaveCount(0)
})

import { expect, expectToast, openSignedIn, test, toast } from './fixtures.ts'
import { centsOf, minutesOf } from '../support/plan-facts.ts'
import { currencyName } from '#plans/domain/plans.ts'
import { grouped } from '#platform/domain/text/numbers.ts'

test.use({ allowedConsole: /status of (400|401|403|406|422|500)|net::ERR_/ })

test('if the set-up cannot be completed, this is reported and it can be tried again', async ({
  page,
  customer,
}) => {
  await openSignedIn(page, await customer({ plan: 'starter' }), '/onboarding')
  const next = page.getByRole('button', { name: 'Next' })
  await next.click()
  await expect(page.getByRole('heading', { level: 1, name: 'Upload Your Voice Sample' })).toBeVisible()
  // The smallest plan has standard voices, so it needs no sample.
  await next.click()
  await page.getByRole('radio', { name: /^Retail Shops/ }).check()
  await next.click()
  await next.click()
  await next.click()
  await page.route('**/rest/v1/user_subscriptions*', (route) =>
    route.request().method() === 'PATCH' ? route.abort() : route.continue(),
  )
  await page.getByRole('button', { name: 'Finish' }).click()
  await expectToast(page, 'Error completing setup', 'Please try again.')
  await expect(page).toHaveURL(/\/onboarding/)
  await page.unroute('**/rest/v1/user_subscriptions*')
  await page.getByRole('button', { name: 'Finish' }).click()
  await expect(page).toHaveURL(/\/portal/)
})

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

test('a sample that is not audio is refused with a message', async ({ page, customer }) => {
  await openSignedIn(page, await customer(), '/onboarding')
  await page.getByRole('button', { name: 'Next' }).click()
  const uploads: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/storage/v1/object/')) uploads.push(request.method())
  })
  await page.locator('input[type=file]').setInputFiles({
    name: 'invoice.wav',
    mimeType: 'audio/wav',
    buffer: Buffer.from('%PDF-1.7 this is not a voice'),
  })
  await expect(page.locator('.err')).toBeVisible()
  expect(uploads).toEqual([])
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

test('if the provider refuses a password, its message is shown', async ({ page, customer }) => {
  await openSignedIn(page, await customer({ onboarded: true }), '/portal/settings')
  await page.route('**/auth/v1/user', (route) =>
    route.request().method() === 'PUT'
      ? route.fulfill({
          status: 422,
          json: { code: 422, error_code: 'same_password', msg: 'New password should be different.' },
        })
      : route.continue(),
  )
  const fields = page.locator('input[autocomplete=new-password]')
  await fields.nth(0).fill('front-desk-1')
  await fields.nth(1).fill('front-desk-1')
  await page.getByRole('button', { name: 'Update password' }).click()
  await expectToast(page, 'Error updating password', 'New password should be different.')
})

test('a password change without a session says that nobody is signed in', async ({ page, customer }) => {
  await openSignedIn(page, await customer({ onboarded: true }), '/portal/settings')
  const fields = page.locator('input[autocomplete=new-password]')
  await fields.nth(0).fill('front-desk-2')
  await fields.nth(1).fill('front-desk-2')
  await page.evaluate(() => localStorage.clear())
  await page.getByRole('button', { name: 'Update password' }).click()
  await expectToast(page, 'No user is currently signed in.')
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
  await expect(minutes.getByLabel(`Cap on packages, in ${currencyName} a period`)).toHaveValue(
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

import { expect, expectToast, logIn, openSignedIn, test, toast } from './fixtures.ts'
import { local } from '../../local/environment.ts'
import { planName } from '../support/plan-facts.ts'

test.use({ allowedConsole: /status of (400|401|403|404|406)/ })

test('the portal without a user leads to pricing', async ({ page }) => {
  for (const path of ['/portal', '/portal/voice', '/portal/billing', '/portal/settings']) {
    await page.goto(path)
    await expect(page, path).toHaveURL(/\/pricing\/?$/)
  }
})

test('the onboarding and each tab of the admin area without a user lead to the login page', async ({
  page,
}) => {
  const tabs = ['users', 'demos', 'faqs', 'settings', 'payments', 'agents']
  for (const path of ['/onboarding', '/admin', ...tabs.map((tab) => `/admin/${tab}`)]) {
    await page.goto(path)
    await expect(page, path).toHaveURL(/\/login\/?$/)
  }
})

test('admin as a customer leads to the login page, where the admin can log in', async ({
  page,
  customer,
}) => {
  await openSignedIn(page, await customer({ onboarded: true }), '/admin')
  await expect(page).toHaveURL('/login?from=admin')
  await expect(page.getByText('You are not signed in as an admin.')).toBeVisible()
  await page.getByLabel('Email').fill(local.adminEmail)
  await page.getByLabel('Password', { exact: true }).fill(local.adminPassword)
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page).toHaveURL(/\/admin/)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})

test('any tab with onboarding_complete=true shows the welcome and the dashboard', async ({
  page,
  customer,
}) => {
  await openSignedIn(page, await customer({ onboarded: true }), '/portal/billing?onboarding_complete=true')
  await expect(page.getByRole('heading', { name: 'Welcome, your setup is complete' })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: /minutes left/ })).toBeVisible()
  await expect(page).toHaveURL(/\/portal$/)
})

test('Finish Later leads to the portal, and the next login to the onboarding', async ({ page, customer }) => {
  const account = await customer()
  await logIn(page, account)
  await expect(page).toHaveURL(/\/onboarding/)
  await page.getByText('Finish Later').click()
  await expect(page).toHaveURL(/\/portal/)
  await expectToast(page, 'Progress Saved', 'You can resume onboarding later by logging in.')
  // The toast stays while it has the focus. It does not lie over the button.
  await page.keyboard.press('F8')
  for (const width of [360, 768, 1280, 1440]) {
    await page.setViewportSize({ width, height: 800 })
    await page.getByRole('link', { name: 'Continue setup' }).click({ trial: true })
  }
  await expect(toast(page)).toBeVisible()
  await page.getByRole('button', { name: 'Logout' }).first().click()
  await expect(page).toHaveURL(/\/$/)
  await logIn(page, account)
  await expect(page).toHaveURL(/\/onboarding/)
})

test('a log-out from any page ends the access by Finish Later', async ({ page, customer }) => {
  const account = await customer()
  await openSignedIn(page, account, '/onboarding')
  await page.getByText('Finish Later').click()
  await expect(page.getByRole('heading', { name: 'Finish your setup' })).toBeVisible()
  await page.goto('/pricing')
  await page.getByRole('banner').getByRole('button', { name: 'Logout' }).first().click()
  await expect(page).toHaveURL(/\/$/)
  await logIn(page, account)
  await expect(page).toHaveURL(/\/onboarding/)
  await page.goto('/portal')
  await expect(page).toHaveURL(/\/onboarding/)
})

test('navigation shows Choose Plan to visitors, Portal and Logout to customers', async ({
  page,
  customer,
}) => {
  await page.goto('/pricing')
  const header = page.getByRole('banner')
  await expect(header.getByRole('link', { name: 'Choose Plan' }).first()).toBeVisible()
  await expect(header.getByRole('link', { name: 'Portal' })).toHaveCount(0)

  await openSignedIn(page, await customer({ onboarded: true }))
  await page.goto('/pricing')
  await expect(header.getByRole('link', { name: 'Portal' }).first()).toBeVisible()
  await expect(header.getByRole('link', { name: 'Choose Plan' })).toHaveCount(0)
  await header.getByRole('button', { name: 'Logout' }).first().click()
  await expect(page).toHaveURL(/\/$/)
  await expect(header.getByRole('link', { name: 'Choose Plan' }).first()).toBeVisible()
})

test('logging out in one tab logs out the other', async ({ page, context, customer }) => {
  await openSignedIn(page, await customer({ onboarded: true }))
  const other = await context.newPage()
  await other.goto('/portal')
  await expect(other.getByRole('heading', { name: planName('growth') })).toBeVisible()
  await page.getByRole('button', { name: 'Logout' }).first().click()
  await expect(page).toHaveURL(/\/$/)
  await expect(other).toHaveURL(/\/pricing/)
})

test('an unknown industry leads to the list, an unknown page to the 404 page', async ({ page }) => {
  await page.goto('/industries/dentists')
  await expect(page).toHaveURL(/\/industries\/?$/)
  const answer = await page.goto('/nowhere')
  expect(answer?.status()).toBe(404)
})

import type { Page } from '@playwright/test'
import { totp } from '../../local/supabase/totp.ts'
import { axeViolations } from '../support/axe.ts'
import { expect, freshEmail, logIn, test } from './fixtures.ts'

test.describe.configure({ timeout: 120_000 })
test.use({ allowedConsole: /status of 422/ })

const users = (page: Page) => page.getByRole('heading', { level: 1, name: 'Users' })

test('a new admin connects an app at the first visit, and enters its code at the next', async ({
  page,
  secret,
}) => {
  const credentials = { email: freshEmail(), password: 'front-desk-1' }
  const made = await secret.auth.admin.createUser({ ...credentials, email_confirm: true })
  const person = { id: made.data.user?.id ?? '', ...credentials }
  await secret.rpc('make_admin', { p_user_id: person.id }).throwOnError()

  await logIn(page, person)
  await expect(page).toHaveURL(/\/admin$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Connect an app' })).toBeVisible()
  const picture = page.getByRole('img', { name: 'The key as a QR code' })
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(20)
  expect(await axeViolations(page)).toEqual([])
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(overflow, 'the page scrolls sideways').toBeLessThanOrEqual(0)
  const key = (await page.locator('[data-key]').innerText()).replace(/\s/g, '')
  const code = page.getByLabel('Code')
  await code.fill('12 34')
  await code.press('Enter')
  await expect(page.getByRole('alert')).toHaveText('Enter the six digits that your app shows.')
  await expect(code).toBeFocused()
  await code.fill(totp(key, Date.now() + 300_000))
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('alert')).toContainText('This code is wrong or too old.')
  await code.fill(totp(key, Date.now()))
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(users(page)).toBeVisible()
  await expect(page.getByText('No users yet')).toHaveCount(0)
  await page.reload()
  await expect(users(page)).toBeVisible()

  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/\/$/)
  await logIn(page, person)
  await expect(page.getByRole('heading', { level: 1, name: 'Enter your code' })).toBeVisible()
  await page.getByLabel('Code').fill(totp(key, Date.now()))
  await page.getByLabel('Code').press('Enter')
  await expect(users(page)).toBeVisible()
})

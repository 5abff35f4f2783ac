import { expect, expectToast, logIn, openSignedIn, test } from './fixtures.ts'
import { centsOf } from '../support/plan-facts.ts'
import { exactPrice } from '#plans/domain/plans.ts'

test.use({ allowedConsole: /status of (400|401|403|406|422)/ })

test('a forgotten password is reset by the link in the mail', async ({ page, request, customer }) => {
  const { email } = await customer({ onboarded: true })
  await page.goto('/login')
  await page.getByRole('link', { name: /forgot/i }).click()
  // The log-in page has such a field, too.
  await expect(page).toHaveURL('/forgot-password')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: /send|reset/i }).click()
  await expect(
    page.getByText(`If there is an account for ${email}, a link to set a new password`),
  ).toBeVisible()

  const mailTo = async () => {
    const mails = (await (await request.get('/local/mail')).json()) as { to: string; links: string[] }[]
    return mails.find((mail) => mail.to === email)?.links[0] ?? ''
  }
  await expect.poll(mailTo).toContain('/new-password')
  await page.goto(await mailTo())
  const fields = page.locator('input[autocomplete=new-password]')
  await fields.nth(0).fill('another-desk-2')
  await fields.nth(1).fill('another-desk-2')
  await page.locator('button[type=submit]').click()
  await expect(page).toHaveURL(/\/login/)
  await logIn(page, { id: '', email, password: 'another-desk-2' })
  await expect(page).toHaveURL(/\/portal/)
})

test('the portal changes the password', async ({ page, customer }) => {
  const account = await customer({ onboarded: true })
  await openSignedIn(page, account)
  await page.getByRole('link', { name: 'Settings' }).click()
  await expect(page).toHaveURL(/\/portal\/settings/)
  const fields = page.locator('input[autocomplete=new-password]')
  const save = page.getByRole('button', { name: 'Update password' })
  await fields.nth(0).fill('one-password')
  await fields.nth(1).fill('one-password')
  await save.click()
  await expectToast(page, 'Password updated')
  await expect(page.getByText('At least 6 characters.')).toBeVisible()
})

test('billing opens the provider’s portal, and shows the changes made there', async ({ page, customer }) => {
  await openSignedIn(page, await customer({ onboarded: true }))
  await page.getByRole('link', { name: 'Billing', exact: true }).click()
  await page.getByRole('button', { name: /manage billing/i }).click()
  await expect(page).toHaveURL(/\/local\/stripe\/portal\//)
  await expect(page.getByText(`${exactPrice(centsOf('growth'))} a month`)).toBeVisible()
  await page.getByRole('button', { name: 'Cancel at the end of the period' }).click()
  await expect(page.getByText('Ends on')).toBeVisible()
  await page
    .getByRole('link', { name: /return|back/i })
    .first()
    .click()
  await expect(page).toHaveURL(/\/portal\/billing/)
  await expect(async () => {
    await page.reload()
    await expect(page.getByText('Ends', { exact: true })).toBeVisible({ timeout: 2_000 })
  }).toPass()
  await expect(page.getByText('Renews', { exact: true })).toBeHidden()
})

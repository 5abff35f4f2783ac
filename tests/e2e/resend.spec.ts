import { expect, test } from './fixtures.ts'

test('a lost link is sent again on request, and the answer is the same whether or not anybody has paid', async ({
  page,
}) => {
  await page.goto('/login')
  await page.getByRole('link', { name: 'Paid, but no account yet?' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Paid, but no account yet?')
  await page.getByLabel('Email').fill('nobody@example.com')
  await page.getByRole('button', { name: 'Send the link' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Check your email')
  await expect(page.getByRole('status')).toContainText('If nobody@example.com has paid')
})

test.describe('an invalid link', () => {
  test.use({ allowedConsole: /Failed to load resource.*\/auth\/v1\/verify/ })

  test('says where to get a new one', async ({ page }) => {
    await page.goto('/signup?token=garbage')
    await expect(page).toHaveURL(/\/pricing/)
    await page.getByRole('link', { name: 'Paid already? Get a new link' }).click()
    await expect(page).toHaveURL(/\/resend/)
  })
})

import { expect, test } from './fixtures.ts'

const open = 'details[open] summary'

test('search finds words in questions and answers, in any case, and stays in the URL', async ({ page }) => {
  await page.goto('/faq')
  const questions = page.locator('[data-question]:visible')
  const status = page.locator('search').getByRole('status')
  await expect(status).toHaveText('9 questions')
  const field = page.getByRole('searchbox', { name: 'Search the questions' })
  await field.fill('hubSPOT')
  await expect(questions).toHaveText([/Which systems does it work with/])
  await expect(status).toHaveText('1 of 9 questions')
  await field.fill('gdpr and')
  await expect(questions).toHaveText([/Is it ready for GDPR/])
  await field.press('Enter')
  await expect(page).toHaveURL(/\?q=gdpr\+and$/)
  await page.reload()
  await expect(field).toHaveValue('gdpr and')
  await expect(questions).toHaveCount(1)

  for (const nothing of ['zebra', '<script>alert(1)</script>', '.*', '\\', '😀']) {
    await field.fill(nothing)
    await expect(status).toHaveText('No question matches.')
    await expect(questions).toHaveCount(0)
  }
  await page.getByRole('button', { name: 'show all questions' }).click()
  await expect(questions).toHaveCount(9)
  await expect(field).toBeFocused()
  await expect(page).toHaveURL(/\/faq$/)
})

test('a link to an answer shows it even if a search hides it', async ({ page }) => {
  await page.goto('/faq?q=hubspot')
  await expect(page.locator('[data-question]:visible')).toHaveCount(1)
  await page.evaluate(() => (location.hash = 'compliance'))
  await expect(page.locator(open)).toHaveText(['Is it ready for GDPR and HIPAA?'])
  await expect(page.locator(open)).toBeInViewport()
})

test('questions open by keyboard', async ({ page }) => {
  await page.goto('/faq')
  await page.getByRole('searchbox').focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.locator(open)).toHaveText(['How long does setup take?'])
})

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false })

  test('questions open one at a time, also by links, and there is no search field', async ({ page }) => {
    await page.goto('/faq#integrations')
    await expect(page.locator(open)).toHaveText(['Which systems does it work with?'])
    await page.getByText('How long does setup take?').click()
    await expect(page.locator(open)).toHaveText(['How long does setup take?'])
    await expect(page.locator('search')).toBeHidden()
  })
})

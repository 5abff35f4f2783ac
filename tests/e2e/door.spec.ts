import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'

const banner = (page: Page) => page.getByRole('banner')

for (const width of [360, 768, 1440]) {
  test(`at ${width} pixels the log-in is found in the header and in the footer`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 })
    await page.goto('/pricing')
    await expect(page.getByRole('contentinfo').getByRole('link', { name: 'Log in' })).toHaveAttribute(
      'href',
      '/login',
    )
    if (width < 992) await banner(page).locator('summary').click()
    await banner(page).getByRole('link', { name: 'Log in' }).click()
    await expect(page).toHaveURL('/login')
    await expect(page.getByRole('link', { name: 'Paid, but no account yet?' })).toHaveAttribute(
      'href',
      '/resend',
    )
  })
}

test('search offers the log-in, and a title that is asked for word by word comes first', async ({ page }) => {
  await page.goto('/')
  await page.keyboard.press('/')
  const dialog = page.getByRole('dialog', { name: 'Search' })
  await expect(dialog.getByRole('link', { name: 'Log in' })).toHaveAttribute('href', '/login')
  const first = dialog.locator('[data-at=found] a').first()
  for (const [query, title, href] of [
    ['how do i log in', 'How do I log in?', '/login'],
    ['Log in', 'Log in', '/login'],
    ['What can an agent do on a call?', 'What can an agent do on a call?', '/faq#booking-support'],
    ['home', 'Home', '/'],
    ['Pricing', 'Pricing', '/pricing'],
  ] as const) {
    await dialog.getByRole('textbox').fill(query)
    await expect(first.locator('b')).toHaveText(title)
    await expect(first).toHaveAttribute('href', href)
  }
})

import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { idsIn } from '../support/content.ts'
import { expect, logIn, test } from './fixtures.ts'

const pages = [
  '/',
  '/how-it-works',
  '/pricing',
  '/industries',
  ...idsIn('industries').map((id) => `/industries/${id}`),
  '/faq',
  '/contact',
  '/terms',
  '/privacy',
  '/checkout?plan=growth',
  '/login',
  '/login?email=a%40hotel.example&from=signup',
  '/forgot-password',
  '/resend',
  '/404.html',
]

const violations = async (page: Page) =>
  (await new AxeBuilder({ page }).exclude('iframe').analyze()).violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`,
  )

for (const path of pages) {
  test(`${path} has no axe violation, no console message and no sideways scroll`, async ({ page }) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [360, 1440]) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await page.setViewportSize({ width, height: 900 })
        await page.goto(path)
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
        expect(await violations(page), `${colorScheme} ${width}`).toEqual([])
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        )
        expect(overflow, `${colorScheme} ${width}: pixels too wide`).toBeLessThanOrEqual(0)
      }
    }
  })
}

test('the portal’s tabs and the onboarding have no axe violation', async ({ page, customer }) => {
  await logIn(page, await customer({ onboarded: true }))
  await expect(page).toHaveURL(/\/portal/)
  for (const path of ['/portal', '/portal/voice', '/portal/billing', '/portal/settings', '/onboarding']) {
    for (const width of [360, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      expect(await violations(page), `${path} ${width}`).toEqual([])
    }
  }
})

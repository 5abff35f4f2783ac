import type { Page } from '@playwright/test'
import { listedPages, unlistedPages } from '../support/public-pages.ts'
import { expect, expectToast, openSignedIn, test } from './fixtures.ts'
import { axeViolations, rulesOfColour } from '../support/axe.ts'

const pages = [...listedPages, ...unlistedPages, '/login?email=a%40hotel.example&from=signup']

/** Paths that redirect, and their targets. */
const detours = [
  { path: '/signup', ends: /\/pricing\/?$/, says: 'Missing Token' },
  { path: '/checkout?plan=nope', ends: /\/pricing\/?$/, says: 'Invalid Plan' },
  { path: '/industries/dentists', ends: /\/industries\/?$/ },
]

const violations = (page: Page, rules?: string[]) =>
  axeViolations(page, { without: 'iframe', ...(rules ? { rules } : {}) })

interface Dress {
  colorScheme: 'light' | 'dark'
  width: number
}

/** Checks a page in both colour schemes, narrow and wide. */
async function inEveryDress(page: Page, look: (dress: Dress) => Promise<void>): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [360, 1440]) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.setViewportSize({ width, height: 900 })
      await look({ colorScheme, width })
    }
  }
}

async function expectSound(page: Page, { colorScheme, width }: Dress): Promise<void> {
  const dress = `${colorScheme} ${width}`
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  // The schemes differ in nothing but colours.
  const rules = colorScheme === 'dark' ? rulesOfColour : undefined
  expect(await violations(page, rules), dress).toEqual([])
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(overflow, `${dress}: pixels too wide`).toBeLessThanOrEqual(0)
}

for (const path of pages) {
  test(`${path} has no axe violation, no console message and no sideways scroll`, async ({ page }) => {
    await page.goto(path)
    await inEveryDress(page, (dress) => expectSound(page, dress))
  })
}

for (const { path, ends, says } of detours) {
  test(`${path} leads to a page that passes the same checks, and says why`, async ({ page }) => {
    await inEveryDress(page, async (dress) => {
      // A toast stays for seconds, not for all of these.
      await page.goto(path)
      await expect(page).toHaveURL(ends)
      if (says) await expectToast(page, says)
      await expectSound(page, dress)
    })
  })
}

test('the portal’s tabs and the onboarding have no axe violation', async ({ page, customer }) => {
  await openSignedIn(page, await customer({ onboarded: true }))
  for (const path of ['/portal', '/portal/voice', '/portal/billing', '/portal/settings', '/onboarding']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    for (const width of [360, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      expect(await violations(page), `${path} ${width}`).toEqual([])
    }
  }
})

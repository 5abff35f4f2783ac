import type { Page } from '@playwright/test'
import { listedPages, unlistedPages } from '../support/public-pages.ts'
import { expect, expectToast, openSignedIn, test } from './fixtures.ts'
import { axeViolations, rulesOfColour } from '../support/axe.ts'
import { expectFocusInOrder, expectSkipLink, open, toTheStart } from './keyboard-fixtures.ts'

/** Paths that lead to pricing, and what they say there. */
const detours = [
  { path: '/signup', says: 'Missing Token' },
  { path: '/checkout?plan=nope', says: 'Invalid Plan' },
]

const violations = (page: Page, rules?: string[], only?: string) =>
  axeViolations(page, { without: 'iframe', ...(rules && { rules }), ...(only && { only }) })

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

async function expectSound(page: Page, { colorScheme, width }: Dress, only?: string): Promise<void> {
  const dress = `${colorScheme} ${width}`
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  // The schemes differ in nothing but colours.
  const rules = colorScheme === 'dark' ? rulesOfColour : undefined
  expect(await violations(page, rules, only), dress).toEqual([])
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(overflow, `${dress}: pixels too wide`).toBeLessThanOrEqual(0)
}

for (const path of [...listedPages, ...unlistedPages]) {
  test(`${path} can be walked by keyboard, and has no axe violation, no console message and no sideways scroll`, async ({
    page,
  }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await open(page, path)
    await expectSkipLink(page)
    for (const width of [360, 1440]) {
      await test.step(`${width} px`, async () => {
        await page.setViewportSize({ width, height: 800 })
        await toTheStart(page)
        await expectFocusInOrder(page)
      })
    }
    await toTheStart(page)
    await inEveryDress(page, (dress) => expectSound(page, dress))
  })
}

test('the login that follows a signup has no axe violation and no sideways scroll', async ({ page }) => {
  await page.goto('/login?email=a%40hotel.example&from=signup')
  await inEveryDress(page, (dress) => expectSound(page, dress))
})

for (const { path, says } of detours) {
  test(`${path} leads to pricing, and the toast that says why passes the same checks`, async ({ page }) => {
    await inEveryDress(page, async (dress) => {
      // A toast stays for seconds, not for all of these.
      await page.goto(path)
      await expect(page).toHaveURL(/\/pricing\/?$/)
      await expectToast(page, says)
      await expectSound(page, dress, '.toasts')
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

import { expect, type Page } from '@playwright/test'
import { axeViolations, rulesOfColour } from '../support/axe.ts'

export interface Dress {
  colorScheme: 'light' | 'dark'
  width: number
}

/** Checks a page in both colour schemes, narrow and wide. */
export async function inEveryDress(page: Page, look: (dress: Dress) => Promise<void>): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [360, 1440]) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.setViewportSize({ width, height: 900 })
      await look({ colorScheme, width })
    }
  }
}

/** Expects no axe violation and no sideways scroll. `only` limits axe to a part of the page. */
export async function expectSound(page: Page, { colorScheme, width }: Dress, only?: string): Promise<void> {
  const dress = `${colorScheme} ${width}`
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  // The schemes differ in nothing but colours.
  const limits = { ...(colorScheme === 'dark' && { rules: rulesOfColour }), ...(only && { only }) }
  expect(await axeViolations(page, { without: 'iframe', ...limits }), dress).toEqual([])
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(overflow, `${dress}: pixels too wide`).toBeLessThanOrEqual(0)
}

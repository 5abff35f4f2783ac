import type { Locator, Page } from '@playwright/test'

/** The lines that fetch a page's scripts after its first paint; gone when all have run (src/layouts/later-script.ts). */
export const scriptsToCome = (page: Page): Locator => page.locator('script[data-modules*="/"]')

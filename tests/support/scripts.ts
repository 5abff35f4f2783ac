import type { Locator, Page } from '@playwright/test'

/**
 * Locates the script that loads the page's own scripts, until they have loaded
 * (src/page-scripts/loading/page-scripts.ts).
 */
export const scriptsToCome = (page: Page): Locator => page.locator('script[data-modules*="/"]')

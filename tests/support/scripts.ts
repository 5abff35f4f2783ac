import type { Locator, Page } from '@playwright/test'

/** The script that loads a page's own, as long as they are on their way (src/page-scripts/loading/page-scripts.ts). */
export const scriptsToCome = (page: Page): Locator => page.locator('script[data-modules*="/"]')

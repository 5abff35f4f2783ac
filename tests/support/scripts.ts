import type { Locator, Page } from '@playwright/test'

/**
 * Locates the script that loads the page's own scripts, until they have loaded
 * (src/page-scripts/loading/page-scripts.ts).
 */
export const scriptsToCome = (page: Page): Locator => page.locator('script[data-modules*="/"]')

/** Waits until the page has nothing more to do: what it would fetch by itself, it has asked for. */
export const idle = (page: Page): Promise<void> =>
  page.evaluate(() => new Promise<void>((done) => requestIdleCallback(() => done())))

import type { Page } from '@playwright/test'
import { idle } from '../support/scripts.ts'
import { expect, test } from './fixtures.ts'

/** Returns the pages that are requested from now on. */
async function watch(page: Page, path: string): Promise<string[]> {
  await page.goto(path)
  await idle(page)
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (!/\.\w+$/.test(pathname)) asked.push(pathname)
  })
  return asked
}

const link = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true })

test('a page is prefetched when its link is hovered over, and the prefetched page is used', async ({
  page,
}) => {
  const asked = await watch(page, '/')
  await page.mouse.wheel(0, 4_000)
  await page.mouse.wheel(0, -4_000)
  expect(asked).toEqual([])

  await link(page, 'FAQ').hover()
  await expect.poll(() => asked).toEqual(['/faq'])
  const fetched = page.waitForEvent('requestfinished', (request) => request.url().endsWith('/pricing'))
  await link(page, 'Pricing').hover()
  await fetched
  await link(page, 'Pricing').click()
  await expect(page).toHaveURL(/\/pricing$/)
  const delivery = await page.evaluate(() => {
    const [entry] = performance.getEntriesByType('navigation')
    return (entry as PerformanceNavigationTiming & { deliveryType: string }).deliveryType
  })
  expect(delivery).toBe('navigational-prefetch')
})

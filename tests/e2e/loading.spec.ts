import type { Page } from '@playwright/test'
import { expect, openSignedIn, test } from './fixtures.ts'
import { axeViolations } from '../support/axe.ts'
import { site } from '#site'

// tests/browsers lets each file of search, the agent and the log-in fail once, in every engine.

const main = (page: Page) => page.getByRole('main')
const notice = (page: Page) =>
  page.getByRole('alert').filter({ has: page.getByRole('button', { name: 'Reload' }) })
const reload = (page: Page) => notice(page).getByRole('button', { name: 'Reload' })
/** Presses Reload by keyboard, and waits for the new page. */
const pressReload = (page: Page) =>
  Promise.all([page.waitForEvent('domcontentloaded'), reload(page).press('Enter')])

const search = (page: Page) => page.getByRole('button', { name: 'Search', exact: true })
const failing = (page: Page, name: string) =>
  page.route(new RegExp(`/_astro/${name}\\.`), (route) => route.abort())

test.describe('a button whose script did not load', () => {
  test.use({ allowedConsole: /ERR_FAILED/ })

  test('shows the notice again at each press; other buttons work meanwhile', async ({ page }) => {
    await failing(page, 'Shell')
    await page.goto('/contact')
    await expect(notice(page)).toContainText('A part of this page did not load.')
    const agent = page.getByRole('dialog', { name: `${site.name} agent` })
    await main(page).getByRole('button', { name: 'Start AI Conversation' }).click()
    await expect(agent.getByRole('listitem')).toHaveCount(1)
    await agent.getByRole('button', { name: 'Hang up' }).click()
    await notice(page).getByRole('button', { name: 'Close' }).click()
    await expect(notice(page)).toHaveCount(0)
    await search(page).click()
    await expect(notice(page)).toHaveCount(1)

    await page.unrouteAll()
    await pressReload(page)
    await expect(notice(page)).toHaveCount(0)
    await search(page).click()
    await expect(page.getByRole('dialog', { name: 'Search' })).toBeVisible()
  })

  test('shows the notice at every width, which can be closed by keyboard', async ({ page }) => {
    await failing(page, 'search-dialog')
    await page.goto('/terms')
    for (const [width, colorScheme] of [
      [360, 'light'],
      [768, 'dark'],
      [1440, 'dark'],
    ] as const) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 740 })
      await page.keyboard.press('/')
      await expect(reload(page)).toBeInViewport({ ratio: 1 })
      expect(await axeViolations(page, { only: '[role=alert]' })).toEqual([])
      const close = notice(page).getByRole('button', { name: 'Close' })
      const box = await close.boundingBox()
      expect([box?.width, box?.height]).toEqual([44, 44])
      await close.press('Enter')
      await expect(notice(page)).toHaveCount(0)
    }
  })
})

test.describe('a tab whose code did not load', () => {
  test.use({ allowedConsole: /ERR_FAILED/ })

  test('says so, and is there after one reload', async ({ page, customer }) => {
    await failing(page, 'BillingTab')
    await openSignedIn(page, await customer({ onboarded: true }), '/portal/billing')
    await expect(main(page).getByRole('status')).toHaveText('This did not load')
    await expect(notice(page)).toHaveCount(1)
    await page.unrouteAll()
    await pressReload(page)
    await expect(page.getByRole('heading', { level: 1, name: 'Billing' })).toBeVisible()
  })
})

test.describe('in a modal dialog', () => {
  test('the notice can be used', async ({ page }) => {
    await page.goto('/terms')
    await search(page).click()
    await expect(page.getByRole('dialog', { name: 'Search' })).toBeVisible()
    await page.evaluate(() => dispatchEvent(new Event('vite:preloadError')))
    await expect(reload(page)).toBeInViewport({ ratio: 1 })
    await notice(page).getByRole('button', { name: 'Close' }).click()
    await expect(notice(page)).toHaveCount(0)
  })
})

test.describe('a form whose code did not load', () => {
  test.use({ allowedConsole: /ERR_FAILED|ERR_INTERNET_DISCONNECTED|Failed to fetch|status of 406/ })

  test('keeps what was typed through reloads, of which one fails too and one has no connection', async ({
    page,
    context,
  }) => {
    await failing(page, 'Checkout')
    await page.goto('/checkout?plan=growth')
    await expect(notice(page)).toHaveCount(1)
    await page.getByLabel('Email Address').fill('typed@hotel.example')
    expect(await axeViolations(page)).toEqual([])

    await context.setOffline(true)
    await reload(page).press('Enter')
    await expect(notice(page)).toContainText('Check your connection, then try again.')
    await expect(reload(page)).toBeFocused()
    await context.setOffline(false)

    await pressReload(page)
    await expect(notice(page)).toHaveCount(1)
    await page.unrouteAll()
    await pressReload(page)
    await expect(page.locator('iframe[title*="card" i]').first()).toBeVisible()
    await expect(page.getByLabel('Email Address')).toHaveValue('typed@hotel.example')
    await expect(notice(page)).toHaveCount(0)
    expect(await page.evaluate(() => JSON.stringify(history.state))).not.toContain('typed')
  })
})

test.describe('a page of an earlier deployment', () => {
  test.use({ allowedConsole: /status of 404|status of 400|Failed to fetch/ })

  /** A new version was deployed: the files of the old one are gone. */
  const deploy = (page: Page, name: string) =>
    page.route(new RegExp(`/_astro/${name}\\.`), (route) => route.fulfill({ status: 404, body: 'Not found' }))

  test('shows the notice when a button is pressed; the reload keeps the settings and the place', async ({
    page,
  }) => {
    await deploy(page, 'search-dialog')
    await page.goto('/faq')
    await page.getByLabel('Search the questions').fill('a')
    await page.mouse.wheel(0, 700)
    const place = () => page.evaluate(() => Math.round(scrollY))
    await expect.poll(place).toBe(700)
    await page.keyboard.press('Control+k')
    await expect(notice(page)).toHaveCount(1)
    await page.unrouteAll()
    await pressReload(page)
    await expect(page.getByLabel('Search the questions')).toHaveValue('a')
    await expect.poll(place).toBe(700)
    await search(page).click()
    await expect(page.getByRole('dialog', { name: 'Search' })).toBeVisible()
  })

  test('keeps no password', async ({ page }) => {
    await deploy(page, 'Login')
    await page.goto('/login')
    await page.getByLabel('Email').fill('typed@hotel.example')
    await page.getByLabel('Password', { exact: true }).fill('front-desk-1')
    await expect(notice(page)).toHaveCount(1)
    await page.unrouteAll()
    await pressReload(page)
    await expect(page.getByRole('button', { name: 'Log in' })).toBeEnabled()
    await expect(page.getByLabel('Email')).toHaveValue('typed@hotel.example')
    expect(await page.evaluate(() => JSON.stringify(history.state))).not.toContain('front-desk-1')
  })
})

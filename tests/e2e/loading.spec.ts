import { matchesGlob } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { filesOf, loadedOnUse, nameOf, withImports } from '../support/built-code.ts'
import { builtPages } from '../support/built-pages.ts'
import { expect, openSignedIn, test } from './fixtures.ts'
import { axeViolations } from '../support/axe.ts'
import { site, storageKey } from '#site'

/**
 * Lets the code files of a feature fail once, one at a time and then all with their imports: one press of Reload is enough
 * for one file. The build says which files these are. Code is loaded in four ways: by a page's script, by an island, by a press, and by a part that is drawn later.
 * Here is one feature of each way; search, the agent and the log-in are walked through by tests/browsers.
 */
interface Feature {
  page: string
  /** The page's scripts that it needs, and what it loads on use, by the names of the source files. */
  needs?: readonly string[]
  /** Other files that it fetches. */
  also?: readonly string[]
  asCustomer?: true
  /** Prepares the browser before the page is opened. */
  before?: (page: Page) => Promise<unknown>
  /** Tries to use the feature once, as a visitor would. */
  use?: (page: Page) => Promise<void>
  works: (page: Page) => Promise<boolean>
  /** Whether the page says that a try has failed, or waits for the next press, other than by the notice. */
  asks?: (page: Page) => Promise<boolean>
}

const main = (page: Page) => page.getByRole('main')
const sees = (find: (page: Page) => Locator) => (page: Page) => find(page).first().isVisible()
const notice = (page: Page) =>
  page.getByRole('alert').filter({ has: page.getByRole('button', { name: 'Reload' }) })
const reload = (page: Page) => notice(page).getByRole('button', { name: 'Reload' })
/** Presses Reload by keyboard, and waits for the new page. */
const pressReload = (page: Page) =>
  Promise.all([page.waitForEvent('domcontentloaded'), reload(page).press('Enter')])
const features: Record<string, Feature> = {
  'a recording': {
    page: '/',
    needs: ['Recording'],
    also: ['/audio/friendly.mp3'],
    use: (page) => page.getByRole('button', { name: /^Play the friendly voice/ }).click(),
    // The time appears once sound is heard; the button says Pause before.
    works: sees((page) => page.locator('[data-playing] [data-position]').filter({ hasText: /\d \// })),
    asks: sees((page) => page.getByRole('status').filter({ hasText: 'We could not load the recording' })),
  },
  'logging out': {
    page: '/industries',
    needs: ['Shell', 'session'],
    asCustomer: true,
    use: (page) => page.getByRole('banner').getByRole('button', { name: 'Logout' }).click(),
    works: sees((page) => page.getByRole('banner').getByRole('link', { name: 'Choose Plan' })),
  },
  'a toast of the page before': {
    page: '/terms',
    needs: ['shared'],
    before: (page) =>
      page.addInitScript(
        (key) => sessionStorage.setItem(key, '{"title":"Missing Token","variant":"destructive"}'),
        storageKey('toast'),
      ),
    works: sees((page) => page.locator('b', { hasText: 'Missing Token' })),
  },
  'what was typed before a reload': {
    page: '/forgot-password',
    needs: ['shared', 'restore-typed'],
    before: (page) =>
      page.addInitScript(() => history.replaceState({ typed: [['email', 'typed@hotel.example']] }, '')),
    works: async (page) => (await page.locator('#email').inputValue()) === 'typed@hotel.example',
  },
  checkout: {
    page: '/checkout?plan=growth',
    works: sees((page) => page.locator('iframe[title*="card" i]')),
  },
  'a tab': {
    page: '/portal/billing',
    needs: ['BillingTab'],
    asCustomer: true,
    works: sees((page) => page.getByRole('heading', { level: 1, name: 'Billing' })),
  },
  export: {
    page: '/portal/settings',
    needs: ['browser'],
    asCustomer: true,
    use: (page) => page.getByRole('button', { name: 'Export my data' }).click(),
    works: sees((page) => page.getByText(/^Saved as my-data/)),
    asks: sees((page) => page.getByRole('alert').filter({ hasText: 'nothing was saved' })),
  },
  'the recorder': {
    page: '/portal/voice',
    needs: ['RecorderPanel'],
    asCustomer: true,
    use: (page) => page.getByRole('button', { name: 'Record now' }).click(),
    works: sees((page) => page.getByRole('region', { name: 'Read this aloud' })),
  },
}

/** How often a visitor uses the feature, and how long they wait in between, in milliseconds. */
const presses = 6
const patience = 6_000

const pages = new Map(builtPages().map((page) => [page.path.replace(/(.)\/$/, '$1'), page]))
const htmlOf = (path: string): string =>
  pages.get(path.replace(/\?.*/, '').replace(/^(\/portal)\/.*/, '$1'))?.html ?? ''
const isFile = (name: string) => (path: string) => nameOf(path) === name

/** Returns the code files that a feature names, and all that it needs: these with their imports, or those of its island. */
function codeFor({ page, needs = [] }: Feature): { named: string[]; all: string[] } {
  const { scripts, islands } = filesOf(htmlOf(page))
  const named = needs.map((name) => [...scripts, ...loadedOnUse()].find(isFile(name)) ?? `no file ${name}`)
  const all = named.length > 0 ? named.flatMap((path) => [...withImports(path)]) : islands
  return { named, all: [...new Set(all)] }
}

/**
 * Uses the feature as a visitor would, and presses Reload if it does not work and the page offers it.
 * @returns how often Reload was pressed
 */
async function useUntilItWorks(page: Page, { use, works, asks }: Feature): Promise<number> {
  let reloads = 0
  const isMissing = () => reload(page).isVisible()
  const isOver = async () => (await works(page)) || (await isMissing()) || ((await asks?.(page)) ?? false)
  const isDrawn = async () => (await isMissing()) || (await page.locator('astro-island[ssr]').count()) === 0
  for (let press = 0; press < presses; press++) {
    await expect.poll(isDrawn).toBe(true)
    if (!(await isMissing())) {
      await use?.(page)
      await expect
        .poll(isOver, { timeout: patience, intervals: [50, 100, 200] })
        .toBe(true)
        .catch(() => {})
    }
    if (await works(page)) return reloads
    if (!(await reload(page).isVisible())) continue
    reloads += 1
    await pressReload(page)
  }
  expect(await works(page), `it works after ${presses} presses`).toBe(true)
  return reloads
}

/**
 * Lets the first request of each of these files fail, and counts their requests, all of which go past the browser's
 * cache. `page.route` would hold up every other request as well.
 */
async function failFirstRequests(
  page: Page,
  paths: readonly string[],
): Promise<{ asked: Map<string, number>; stop: () => Promise<void> }> {
  const asked = new Map<string, number>()
  const session = await page.context().newCDPSession(page)
  session.on('Fetch.requestPaused', ({ requestId, request }) => {
    const path = paths.find((each) => matchesGlob(new URL(request.url).pathname, each)) ?? ''
    const times = (asked.get(path) ?? 0) + 1
    asked.set(path, times)
    const answer =
      times === 1
        ? session.send('Fetch.failRequest', { requestId, errorReason: 'Failed' })
        : session.send('Fetch.continueRequest', { requestId })
    // The page that asked may be gone: logging out opens another one.
    answer.catch(() => {})
  })
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  await session.send('Fetch.enable', { patterns: paths.map((path) => ({ urlPattern: `*${path}*` })) })
  return { asked, stop: () => session.detach() }
}

for (const [name, feature] of Object.entries(features))
  test.describe(name, () => {
    test.use({
      allowedConsole:
        /ERR_FAILED|status of 40[13]|Pagefind|meta index|Failed to fetch|violates the following/,
    })

    test('works at the next attempt after each of its files has failed once', async ({ page, customer }) => {
      if (feature.asCustomer) await openSignedIn(page, await customer({ onboarded: true }), feature.page)
      const session = await page
        .evaluate((key) => localStorage.getItem(key), storageKey('auth'))
        .catch(() => null)
      await feature.before?.(page)
      /** Opens the page, and uses the feature while the first request of each of these files fails. */
      const failOnce = (paths: readonly string[]) =>
        test.step(paths.length === 1 ? paths[0]! : 'all of them', async () => {
          if (session)
            await page.evaluate(([key, kept]) => localStorage.setItem(key, kept), [
              storageKey('auth'),
              session,
            ] as const)
          const { asked, stop } = await failFirstRequests(page, paths)
          await page.goto(feature.page)
          const reloads = await useUntilItWorks(page, feature)
          if (paths.length === 1) expect(reloads, 'presses of Reload').toBeLessThanOrEqual(1)
          for (const path of paths) expect(asked.get(path), `requests of ${path}`).toBeGreaterThan(1)
          await stop()
        })
      const { named, all } = codeFor(feature)
      // First, because the browser keeps what it has played.
      for (const path of [...(feature.also ?? []), ...named]) await failOnce([path])
      await failOnce(all)
    })
  })

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

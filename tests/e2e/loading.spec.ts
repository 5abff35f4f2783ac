import { matchesGlob } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { chunks, filesOf, loadedOnUse, nameOf, withImports } from '../support/built-code.ts'
import { builtPages } from '../support/built-pages.ts'
import { openAdmin } from './admin-fixtures.ts'
import { expect, openSignedIn, test, type Customer } from './fixtures.ts'
import { axeViolations } from '../support/axe.ts'
import { site, storageKey } from '#site'

/**
 * Lets each code file of a feature fail once, one at a time: one press of Reload is enough. The build says which files
 * these are.
 */
interface Feature {
  page: string
  /** The page's scripts that it needs, and what it loads on use, by the names of the source files. */
  needs?: readonly string[]
  /** Other files that it fetches. */
  also?: readonly string[]
  as?: 'customer' | 'admin'
  /** Prepares the browser before the page is opened. */
  before?: (page: Page) => Promise<unknown>
  /** Tries to use the feature once, as a visitor would. */
  use?: (page: Page) => Promise<void>
  works: (page: Page) => Promise<boolean>
  /** Whether the page says that a try has failed, or waits for the next press, other than by the notice. */
  asks?: (page: Page) => Promise<boolean>
  /** Whether there is a notice in any case. */
  isNoticed?: true
}

const main = (page: Page) => page.getByRole('main')
const sees = (find: (page: Page) => Locator) => (page: Page) => find(page).first().isVisible()
const heading = (name: string | RegExp) => sees((page) => page.getByRole('heading', { level: 1, name }))
const notice = (page: Page) => page.locator('.unloaded')
const reload = (page: Page) => notice(page).getByRole('button', { name: 'Reload' })
/** Presses Reload by keyboard, and waits for the new page. */
const pressReload = (page: Page) =>
  Promise.all([page.waitForEvent('domcontentloaded'), reload(page).press('Enter')])
/** Whether there is a toast that nobody has seen yet. */
const newToast = (page: Page) =>
  page
    .locator('.toast:not([data-seen])')
    .filter({ hasText: 'Demo Not Available' })
    .evaluateAll((toasts) => toasts.map((toast) => toast.setAttribute('data-seen', '')).length > 0)
/** The beginning of a WebM file, and nothing after it. */
const webmHead = Buffer.from([0x1a, 0x45, 0xdf, 0xa3, ...Array<number>(60).fill(0)])
const enabled = (name: string) => sees((page) => main(page).getByRole('button', { name, disabled: false }))

const converse = async (page: Page): Promise<void> => {
  const startOver = page.getByRole('button', { name: 'Start over' })
  if (await startOver.isVisible()) await startOver.click()
  else await main(page).getByRole('button', { name: 'Start AI Conversation' }).click()
}
const saysThatItCannot = async (page: Page): Promise<boolean> =>
  (await page.getByText('The line is down').isVisible()) || (await newToast(page))

/** Lets the page call an agent at a voice provider, without a line to it: asked for a call, our server gives this ticket. */
const callable = (ticket: object) => async (page: Page) => {
  await page.addInitScript((given) => {
    const agent = {
      account: '00000000-0000-4000-8000-000000000001',
      name: null,
      state: 'live',
      is_at_provider: true,
      kept_until: null,
      chosen_for: [],
      numbers: [],
      lines: 1,
    }
    const answers: Record<string, object> = {
      my_agent: {
        state: 'live',
        numbers: [],
        has_taught: true,
        has_tested: true,
        has_called: true,
        agents: [agent],
        room: { agents: 0, lines: 0 },
      },
      'start-test-call': given,
    }
    const network = window.fetch
    window.fetch = (input, init) => {
      const { pathname } = new URL(input instanceof Request ? input.url : input, location.href)
      const answer = answers[pathname.split('/').at(-1)!]
      return answer ? Promise.resolve(Response.json(answer)) : network(input, init)
    }
    navigator.mediaDevices.getUserMedia = () => Promise.resolve(new MediaStream())
  }, ticket)
  const session = await page.context().newCDPSession(page)
  session.on('Fetch.requestPaused', ({ requestId }) => {
    session.send('Fetch.failRequest', { requestId, errorReason: 'Failed' }).catch(() => {})
  })
  await session.send('Fetch.enable', { patterns: [{ urlPattern: 'https://*' }] })
}
const callsTheAgent: Pick<Feature, 'page' | 'as' | 'use' | 'asks'> = {
  page: '/portal/agent',
  as: 'customer',
  use: (page) => page.getByRole('button', { name: 'Call your agent' }).click(),
  asks: sees((page) => page.getByRole('alert').filter({ hasText: 'The call could not be connected' })),
}

const features: Record<string, Feature> = {
  'a recording': {
    page: '/',
    needs: ['Recording'],
    also: ['/audio/friendly.mp3'],
    use: (page) => page.getByRole('button', { name: /^Play the friendly voice/ }).click(),
    // The time appears once sound is heard; the button says Pause before.
    works: sees((page) => page.locator('[data-playing] .at').filter({ hasText: /\d \// })),
    asks: sees((page) => page.getByRole('status').filter({ hasText: 'We could not load the recording' })),
  },
  search: {
    page: '/how-it-works',
    needs: ['Shell', 'search-dialog'],
    also: [
      '/pagefind/pagefind.js',
      '/pagefind/pagefind-entry.json*',
      '/pagefind/*.pf_meta',
      '/pagefind/wasm.en.pagefind',
      '/pagefind/index/*',
      '/pagefind/fragment/*',
    ],
    use: async (page) => {
      const dialog = page.getByRole('dialog', { name: 'Search' })
      const again = dialog.getByRole('button', { name: 'Try again' })
      if (await again.isVisible()) await again.click()
      else if (await dialog.isVisible()) await dialog.getByLabel(`Search ${site.name}`).fill('voice')
      else await page.getByRole('button', { name: /^Search/ }).click()
    },
    works: sees((page) => page.getByRole('dialog', { name: 'Search' }).locator('[data-at=found] a').first()),
    asks: async (page) => {
      const dialog = page.getByRole('dialog', { name: 'Search' })
      return (
        (await dialog.isVisible()) && (await dialog.getByLabel(`Search ${site.name}`).inputValue()) === ''
      )
    },
  },
  'the search of the FAQ': {
    page: '/faq',
    needs: ['FaqSearch'],
    use: (page) => page.getByRole('searchbox').fill('hubspot'),
    works: sees((page) => page.getByText('1 of 9 questions')),
  },
  'the agent': {
    page: '/contact',
    needs: ['ConversationButton', 'register', 'agent'],
    also: ['/assistant.json'],
    use: converse,
    works: sees((page) => page.getByRole('dialog', { name: `${site.name} agent` }).getByRole('listitem')),
    asks: saysThatItCannot,
  },
  'the word that there is no agent': {
    page: '/contact',
    needs: ['ConversationButton', 'Document', 'toast', 'mount-toaster'],
    before: (page) => page.route(/\/register\./, (route) => route.abort()),
    use: (page) => main(page).getByRole('button', { name: 'Start AI Conversation' }).click(),
    works: sees((page) => page.locator('.toast[data-state=open]').filter({ hasText: 'Demo Not Available' })),
    isNoticed: true,
  },
  "another provider's widget": {
    page: '/contact',
    needs: ['ConversationButton', 'voice-widgets'],
    before: async (page) => {
      const setting = JSON.stringify({
        provider: 'global',
        options: { script: '/widget.js', global: 'acme' },
      })
      await page.route(/\/contact$/, async (route) => {
        const html = await (await route.fetch()).text()
        const body = html.replace(
          /data-voice-loaded="[^"]*"/,
          `data-voice-loaded="${setting.replaceAll('"', '&quot;')}"`,
        )
        await route.fulfill({ contentType: 'text/html', body })
      })
      await page.route('/widget.js', (route) =>
        route.fulfill({
          contentType: 'text/javascript',
          body: "window.acme = { open: () => document.body.append(Object.assign(document.createElement('p'), { textContent: 'Hello from Acme' })) }",
        }),
      )
    },
    use: (page) => main(page).getByRole('button', { name: 'Start AI Conversation' }).click(),
    works: sees((page) => page.getByText('Hello from Acme')),
  },
  'the calculator': {
    page: '/pricing',
    needs: ['RoiCalculator', 'roi-calculator'],
    use: (page) => page.locator('#calculator').scrollIntoViewIfNeeded(),
    works: sees((page) => page.locator('#calculator').getByRole('textbox').first()),
  },
  "a picture of the calculator's result": {
    page: '/pricing',
    needs: ['share-roi'],
    use: async (page) => {
      await page.locator('#calculator').scrollIntoViewIfNeeded()
      // The calculator makes the button, and some of these files are its own.
      const share = page.getByRole('button', { name: 'Share' })
      if (await share.isVisible()) await share.click()
    },
    works: sees((page) => page.getByRole('button', { name: 'Picture saved' })),
  },
  "an industry's calculator": {
    page: '/industries/hotels-resorts',
    needs: ['RoiCalculator', 'roi-calculator'],
    use: (page) => page.locator('#calculator').scrollIntoViewIfNeeded(),
    works: sees((page) => page.locator('#calculator').getByRole('textbox').first()),
  },
  'logging out': {
    page: '/industries',
    needs: ['Shell', 'session'],
    as: 'customer',
    use: (page) => page.getByRole('banner').getByRole('button', { name: 'Logout' }).click(),
    works: sees((page) => page.getByRole('banner').getByRole('link', { name: 'Choose Plan' })),
  },
  'a toast of the page before': {
    page: '/terms',
    needs: ['Document'],
    before: (page) =>
      page.addInitScript(
        (key) => sessionStorage.setItem(key, '{"title":"Missing Token","variant":"destructive"}'),
        storageKey('toast'),
      ),
    works: sees((page) => page.locator('.toast').filter({ hasText: 'Missing Token' })),
  },
  'what was typed before a reload': {
    page: '/forgot-password',
    needs: ['Document', 'restore-typed'],
    before: (page) =>
      page.addInitScript(() => history.replaceState({ typed: [['email', 'typed@hotel.example']] }, '')),
    works: async (page) => (await page.locator('#email').inputValue()) === 'typed@hotel.example',
  },
  checkout: {
    page: '/checkout?plan=growth',
    works: sees((page) => page.locator('iframe[title*="card" i]')),
  },
  login: { page: '/login', works: enabled('Log in') },
  'forgotten password': { page: '/forgot-password', works: enabled('Send the link') },
  'a new link': { page: '/resend', works: enabled('Send the link') },
  signup: {
    page: '/signup?token=old',
    works: sees((page) => page.locator('.toast').filter({ hasText: 'Invalid Link' })),
  },
  'a new password': { page: '/new-password', works: heading('This link no longer works') },
  onboarding: { page: '/onboarding', as: 'customer', works: heading(/welcome/i) },
  portal: { page: '/portal', as: 'customer', works: heading('minutes left') },
  export: {
    page: '/portal/settings',
    needs: ['browser'],
    as: 'customer',
    use: (page) => page.getByRole('button', { name: 'Export my data' }).click(),
    works: sees((page) => page.getByText(/^Saved as my-data/)),
    asks: sees((page) => page.getByRole('alert').filter({ hasText: 'nothing was saved' })),
  },
  'a request to the agent': {
    page: '/contact',
    needs: ['create-lead'],
    before: (page) =>
      page.addInitScript(([key, conversation]) => sessionStorage.setItem(key, conversation), [
        storageKey('conversation'),
        JSON.stringify({
          topic: {
            at: 'confirm',
            wish: { kind: 'call-back', when: 'tomorrow' },
            name: 'Ada',
            contact: { phone: '+1 555 010 4477' },
          },
          lines: [{ who: 'agent', text: 'Shall I pass it on?' }],
          isOpen: true,
        }),
      ] as const),
    use: async (page) => {
      const agent = page.getByRole('dialog', { name: `${site.name} agent` })
      const opened = (await agent.isVisible())
        ? agent.getByRole('button', { name: 'Yes' })
        : main(page).getByRole('button', { name: 'Start AI Conversation' })
      await opened.click()
    },
    works: sees((page) => page.getByRole('listitem').filter({ hasText: 'Done: our team has your request' })),
    asks: newToast,
  },
  "the fields of a customer's agent": {
    page: '/portal/agent',
    needs: ['phone'],
    as: 'customer',
    works: enabled('Add a question'),
  },
  'the agent that a customer has taught': {
    page: '/portal/agent',
    needs: ['prompt-answers', 'personas'],
    as: 'customer',
    use: converse,
    works: sees((page) => page.getByRole('dialog').getByRole('listitem')),
    asks: saysThatItCannot,
  },
  'a recording that has to be converted': {
    page: '/portal/voice',
    needs: ['convert-to-wav'],
    as: 'customer',
    use: async (page) => {
      await page.getByRole('checkbox', { name: /The voice is mine/ }).check()
      await page
        .locator('input[type=file]')
        .setInputFiles({ name: 'memo.webm', mimeType: 'audio/webm', buffer: webmHead })
    },
    works: sees((page) => page.getByRole('alert').filter({ hasText: 'This browser cannot read this file' })),
    asks: sees((page) => page.getByRole('alert').filter({ hasText: 'that could not begin' })),
  },
  'the recorder': {
    page: '/portal/voice',
    needs: ['RecorderPanel'],
    as: 'customer',
    use: (page) => page.getByRole('button', { name: 'Record now' }).click(),
    works: sees((page) => page.getByRole('region', { name: 'Read this aloud' })),
  },
  'a call to an agent': {
    ...callsTheAgent,
    needs: ['join-vapi'],
    before: callable({ call: 'vapi:1', url: 'https://desk.daily.co/1' }),
    // Daily's library asks for its call machine.
    works: async (page) => (await page.locator('script[src^="https://c.daily.co/"]').count()) > 0,
  },
  admin: { page: '/admin', as: 'admin', works: heading('Users') },
}

/** How often a visitor uses the feature, and how long they wait in between, in milliseconds. */
const presses = 6
const patience = 6_000

const pages = new Map(builtPages().map((page) => [page.path.replace(/(.)\/$/, '$1'), page]))
const htmlOf = (path: string): string =>
  pages.get(path.replace(/\?.*/, '').replace(/^(\/portal)\/.*/, '$1'))?.html ?? ''
const isFile = (name: string) => (path: string) => nameOf(path) === name

/** Returns the code files of a feature: those that it names, else those of its island, with all imports. */
function codeFor({ page, needs }: Feature): Set<string> {
  const { scripts, islands } = filesOf(htmlOf(page))
  if (!needs) return new Set(islands)
  const named = needs.map((name) => [...scripts, ...loadedOnUse()].find(isFile(name)) ?? `no file ${name}`)
  return new Set(named.flatMap((path) => [...withImports(path)]))
}

/** The first feature that needs each file. The file fails alone there; in other features it fails together with theirs. */
const owners = new Map<string, string>()
for (const [name, feature] of Object.entries(features))
  for (const path of codeFor(feature)) if (!owners.has(path)) owners.set(path, name)

test('each code file of the build is needed by a feature', () => {
  const needed = new Set(Object.values(features).flatMap((feature) => [...codeFor(feature)]))
  expect(chunks().filter((path) => !needed.has(path))).toEqual([])
  expect(needed.size).toBe(chunks().length)
})

/**
 * Uses the feature as a visitor would, and presses Reload if it does not work and the page offers it.
 * @returns how often Reload was pressed
 */
async function useUntilItWorks(page: Page, { use, works, asks, isNoticed }: Feature): Promise<number> {
  let reloads = 0
  const isMissing = async () => !isNoticed && (await reload(page).isVisible())
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
      let account: Customer | undefined
      if (feature.as === 'customer') {
        account = await customer({ onboarded: feature.page !== '/onboarding' })
        await openSignedIn(page, account, feature.page)
      } else if (feature.as === 'admin') await openAdmin(page)
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
      const code = [...codeFor(feature)]
      const own = code.filter((path) => owners.get(path) === name)
      const also = feature.also ?? []
      // First, because the browser keeps what it has played.
      for (const path of also) await failOnce([path])
      if (code.length > 1 || own.length === 0) await failOnce(code)
      for (const path of own) await failOnce([path])
      console.log(`${name}: ${code.length} files failed together, ${own.length + also.length} alone`)
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
    await expect(notice(page).getByRole('alert')).toContainText('A part of this page did not load.')
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
      expect(await axeViolations(page, { only: '.unloaded' })).toEqual([])
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

import type { Page } from '@playwright/test'
import { expect, expectToast, test } from './fixtures.ts'

declare global {
  interface Window {
    /** The calls to a fake widget. */
    asked: unknown[][]
    microphones: number
  }
}

const host = 'https://widget.example'
const script = `${host}/widget.js`

interface Fake {
  options: Record<string, string>
  /** What the provider's script does, as its documents say. \`ask\` notes a call, and throws where it is to break. */
  code: string
  /** The calls to it when a conversation starts. */
  opened: unknown[][]
  /** Whether the page can know that the conversation has begun. */
  tells: boolean
}

const fakes: Record<string, Fake> = {
  vapi: {
    options: { apiKey: 'key', assistant: 'assistant' },
    code: `window.vapiSDK = { run({ apiKey, assistant }) {
      ask('run', apiKey, assistant)
      const listeners = {}
      const button = Object.assign(document.createElement('button'), { id: 'vapi-support-btn', textContent: 'Vapi' })
      button.onclick = () => { ask('press'); listeners['call-start']?.() }
      setTimeout(() => document.body.append(button))
      return { on: (event, listener) => (listeners[event] = listener), stop() {} }
    } }`,
    opened: [['run', 'key', 'assistant'], ['press']],
    tells: true,
  },
  global: {
    options: { global: 'Acme.voice', open: 'begin', close: 'halt' },
    code: `window.Acme = { voice: { begin: () => ask('begin'), halt() {} } }`,
    opened: [['begin']],
    tells: false,
  },
}

const ask = `const ask = (...what) => { window.asked.push(what) };`
const askAndBreak = `const ask = () => { throw new Error('broken') };`

/** Returns a page as built for a provider, with or without the script's host in its content policy. */
async function builtFor(
  page: Page,
  provider: string,
  options: object,
  { isAdmitted = true, path = '/contact' } = {},
): Promise<void> {
  const setting = JSON.stringify({ provider, options: { script, ...options } }).replaceAll('"', '&quot;')
  const isPage = ({ pathname }: URL) => pathname === path
  await page.route(isPage, async (route) => {
    const html = await (await route.fetch()).text()
    const body = html.replace(/data-voice-loaded="[^"]*"/, `data-voice-loaded="${setting}"`)
    await route.fulfill({
      contentType: 'text/html',
      body: isAdmitted ? body.replace("script-src 'self'", `script-src 'self' ${host}`) : body,
    })
  })
  await page.addInitScript(() => {
    window.asked = []
    window.microphones = 0
    navigator.mediaDevices.getUserMedia = () => {
      window.microphones += 1
      return Promise.reject(new Error('none'))
    }
  })
}

const answer = (page: Page, code: string) =>
  page.route(script, (route) => route.fulfill({ contentType: 'text/javascript', body: code }))

const start = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Start AI Conversation' })
const round = (page: Page) => page.locator('aside').getByRole('button', { name: 'Start AI Conversation' })
const asked = (page: Page) => page.evaluate(() => window.asked)
const missing = (page: Page) =>
  expectToast(
    page,
    'Demo Not Available',
    'The AI demo callbot is currently unavailable. Please try again later.',
  )

for (const [provider, { options, code, opened, tells }] of Object.entries(fakes)) {
  test(`${provider}: a late script is waited for, and opened as documented`, async ({ page }) => {
    await builtFor(page, provider, options)
    let send = (): void => {}
    const sent = new Promise<void>((resolve) => (send = resolve))
    await page.route(script, async (route) => {
      await sent
      await route.fulfill({ contentType: 'text/javascript', body: `{${ask}${code}}` })
    })
    await page.goto('/contact')
    await start(page).click()
    await expect(start(page)).toHaveAttribute('aria-busy', 'true')
    await expect(round(page)).toBeHidden()
    expect(await asked(page)).toEqual([])
    send()
    await expect.poll(() => asked(page)).toEqual(opened)
    await expect(start(page)).not.toHaveAttribute('aria-busy')
    if (tells) await expect(page.locator('html')).toHaveAttribute('data-conversation', 'started')
    else await expect(round(page)).toBeVisible()
    expect(await page.evaluate(() => window.microphones)).toBe(0)
  })

  test(`${provider}: a widget that throws when it is opened is Demo Not Available`, async ({ page }) => {
    await builtFor(page, provider, options)
    await answer(page, `{${askAndBreak}${code}}`)
    await page.goto('/contact')
    await start(page).click()
    await missing(page)
  })

  test.describe(`${provider}, missing`, () => {
    test.use({ allowedConsole: /ERR_FAILED|content policy|Content Security Policy/i })

    test('a script that never loads is Demo Not Available, and requested again at the next press', async ({
      page,
    }) => {
      await builtFor(page, provider, options)
      await page.route(script, (route) => route.abort())
      await page.goto('/contact')
      await start(page).click()
      await missing(page)
      await expect(round(page)).toBeHidden()

      await page.unroute(script)
      await answer(page, `{${ask}${code}}`)
      await start(page).click()
      await expect.poll(() => asked(page)).toEqual(opened)
    })

    test('a script that the content policy blocks is Demo Not Available', async ({ page }) => {
      await builtFor(page, provider, options, { isAdmitted: false })
      let served = 0
      await page.route(script, (route) => {
        served += 1
        return route.abort()
      })
      await page.goto('/contact')
      await start(page).click()
      await missing(page)
      expect(served).toBe(0)
    })
  })
}

test('waiting for a script without a widget ends after ten seconds', async ({ page }) => {
  await builtFor(page, 'global', { global: 'Acme.voice' })
  await answer(page, 'window.Acme = {}')
  await page.clock.install()
  const loaded = page.waitForResponse(script)
  await page.goto('/contact')
  await start(page).click()
  await loaded
  await expect(start(page)).toHaveAttribute('aria-busy', 'true')
  await page.clock.runFor(11_000)
  await missing(page)
})

test('a script that hangs is Demo Not Available after ten seconds', async ({ page }) => {
  await builtFor(page, 'global', { global: 'Acme.voice' })
  let end = (): void => {}
  const ended = new Promise<void>((resolve) => (end = resolve))
  await page.route(script, async (route) => {
    await ended
    await route.abort()
  })
  await page.clock.install()
  const requested = page.waitForRequest(script)
  await page.goto('/contact')
  await start(page).click()
  await requested
  await page.clock.runFor(9_000)
  await expect(start(page)).toHaveAttribute('aria-busy', 'true')
  await page.clock.runFor(1_000)
  await missing(page)
  await expect(start(page)).not.toHaveAttribute('aria-busy')
  end()
})

test.describe('a page whose script has not loaded yet', () => {
  test.use({ allowedConsole: /ERR_FAILED|dynamically imported module/ })

  for (const path of ['/signup', '/new-password'])
    test(`181. ${path} has no token in its URL when the widget loads`, async ({ page }) => {
      await builtFor(page, 'global', { global: 'Acme.voice' }, { path })
      await answer(page, `{${ask}ask(location.href);window.Acme={voice:{open(){}}}}`)
      await page.route(/\/_astro\/(Signup|NewPassword)\./, (route) => route.abort())
      await page.goto(`${path}?token=secret`)
      await expect.poll(() => asked(page)).toEqual([[new URL(path, page.url()).href]])
      await expect(round(page)).toBeVisible()
    })
})

test('where neither a model nor a widget is connected there is no round button, and the others lead to a person', async ({
  page,
}) => {
  for (const path of ['/', '/contact'])
    await page.route(
      ({ pathname }) => pathname === path,
      async (route) => {
        const html = await (await route.fetch()).text()
        const body = html.replace(/<aside aria-label="Voice agent".*?<\/aside>/s, '')
        await route.fulfill({ contentType: 'text/html', body })
      },
    )
  await page.goto('/contact')
  await expect(round(page)).toHaveCount(0)
  await start(page).click()
  await missing(page)
  await page.goto('/')
  await expect(round(page)).toHaveCount(0)
  await page.getByRole('button', { name: /^Chat with/ }).click()
  await missing(page)
  await page.getByRole('link', { name: 'Ask a person' }).click()
  await expect(page).toHaveURL(/\/contact#help$/)
})

import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { firstVisit, isReact } from '../support/first-visit.ts'
import { mostBytes } from '../support/page-bytes.ts'
import { scriptsToCome } from '../support/scripts.ts'
import { notedShifts, noteShifts, twoFrames } from '../support/shifts.ts'
import { expect, test, toast } from './fixtures.ts'
import { site } from '#site'

/** One page of each form. tests/budgets checks the weight and the first paint of all. */
const forms = [
  '/',
  '/how-it-works',
  '/pricing',
  '/industries',
  '/industries/hotels-resorts',
  '/faq',
  '/contact',
  '/terms',
]
for (const path of forms) {
  test(`${path} requests only itself and a small script, for which its first paint does not wait, and does not move when it arrives`, async ({
    page,
  }) => {
    const { requests, html, script, blocking } = await firstVisit(page, path)
    expect(html, 'bytes of HTML').toBeLessThanOrEqual(mostBytes.page)
    // 6 kB before the page is idle, and 1 kB for the voice agent's first files, which are fetched then.
    expect(script, 'bytes of script').toBeLessThanOrEqual(7_000)
    expect(script, 'the wire was counted').toBeGreaterThan(4_000)
    expect(blocking).toEqual([])

    const [first, ...others] = requests
    expect(first?.resourceType()).toBe('document')
    for (const request of others) {
      expect(new URL(request.url()).pathname).toMatch(/^\/_astro\/[\w.-]+\.js$/)
      const code = (await (await request.response())?.text()) ?? ''
      expect(isReact(code), `${request.url()} is React`).toBe(false)
    }

    await page.goto('about:blank')
    await page.setViewportSize({ width: 412, height: 823 })
    let open = (): void => {}
    const gate = new Promise<void>((opened) => (open = opened))
    await page.route('**/_astro/*.js', async (route) => {
      await gate
      await route.continue()
    })
    const loaded = page.goto(path)
    await page.waitForURL(path, { waitUntil: 'commit' })
    await page.waitForFunction(() => document.readyState !== 'loading')
    await twoFrames(page)
    await page.evaluate(noteShifts)
    open()
    await loaded
    await twoFrames(page)
    expect(await notedShifts(page)).toEqual([])
  })
}

test('the voice agent is fetched once the page is painted and idle, and not before', async ({ page }) => {
  await page.addInitScript(() => {
    const waiting: (() => void)[] = []
    Object.assign(window, {
      requestIdleCallback: (callback: () => void) => waiting.push(callback),
      becomeIdle: () => waiting.splice(0).forEach((callback) => callback()),
    })
  })
  const isAgent = (url: string): boolean => /register/.test(url)
  const agentRequests: string[] = []
  page.on('request', (request) => {
    if (isAgent(request.url())) agentRequests.push(request.url())
  })
  await page.goto('/pricing')
  await scriptsToCome(page).waitFor({ state: 'detached' })
  expect(agentRequests).toEqual([])
  const button = page.getByRole('button', { name: 'Start AI Conversation' })
  await expect(button).toBeHidden()
  const fetched = page.waitForResponse((response) => isAgent(response.url()))
  await page.evaluate(() => (window as unknown as { becomeIdle: () => void }).becomeIdle())
  const timing = (await fetched).request().timing()
  const painted = await page.evaluate(
    () => performance.timeOrigin + performance.getEntriesByName('first-contentful-paint')[0]!.startTime,
  )
  expect(timing.startTime).toBeGreaterThan(painted)
  await expect(button).toBeVisible()
})

for (const width of [412, 1024, 1440]) {
  test(`the bar does not move at ${width} px while its document arrives in parts`, async ({
    browser,
    request,
  }) => {
    const html = await (await request.get('/')).text()
    const body = html.indexOf('<body')
    const bits = html.slice(body, html.indexOf('<main')).split(/(?=<)/)
    const server = createServer().listen()
    const { port } = server.address() as AddressInfo
    const page = await browser.newPage({ viewport: { width, height: 800 } })
    await page.route('**/_astro/*.js', (route) => route.abort())

    const asked = once(server, 'request') as Promise<[unknown, ServerResponse]>
    const committed = page.goto(`http://localhost:${port}`, { waitUntil: 'commit' })
    const [, response] = await asked
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).write(html.slice(0, body))
    await committed
    await page.evaluate(noteShifts)
    for (const bit of bits) {
      response.write(bit)
      await twoFrames(page)
    }
    expect(await notedShifts(page)).toEqual([])
    await expect(page.getByRole('link', { name: site.name })).toBeVisible()
    await page.close()
    server.close()
  })
}

test('a press of a button before its script has loaded takes effect afterwards, once', async ({
  context,
}) => {
  const page = await context.newPage()
  let open = (): void => {}
  const gate = new Promise<void>((opened) => (open = opened))
  await page.route(/\/_astro\/.*\.js/, async (route) => {
    await gate
    await route.continue()
  })
  await page.goto('/')
  await page.getByRole('button', { name: `Chat with ${site.name}` }).click()
  await expect(scriptsToCome(page)).toBeAttached()
  open()
  const agent = page.getByRole('dialog', { name: `${site.name} agent` })
  await expect(agent.getByRole('listitem')).toContainText([`Thanks for calling ${site.name}`])
  await agent.getByRole('button', { name: 'Hang up' }).click()
  await expect(agent).toBeHidden()
})

// 32 kB before the page is idle, and 1 kB for the voice agent's first file, which is fetched then.
test('the home page weighs at most 33 kB on a first visit', async ({ page }) => {
  const { html, total } = await firstVisit(page, '/')
  expect(total).toBeLessThanOrEqual(33_000)
  expect(html, 'the wire was counted').toBeGreaterThan(5_000)
})

test.describe('an error', () => {
  test.use({ allowedConsole: /ERR_FAILED/ })

  test('loads React once something needs it', async ({ page }) => {
    await page.route(/register/, (route) => route.abort())
    await page.goto('/contact')
    const react = page.waitForResponse(async (response) => {
      const isScript = response.request().resourceType() === 'script'
      return isScript && isReact(await response.text())
    })
    await page.getByRole('main').getByRole('button', { name: 'Start AI Conversation' }).click()
    await react
    await expect(toast(page)).toBeVisible()
  })
})

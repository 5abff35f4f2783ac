import type { Page } from '@playwright/test'

import { expect, openSignedIn, test } from './fixtures.ts'
import { openAdmin } from './admin-fixtures.ts'
import { axeViolations } from '../support/axe.ts'
import { site } from '#site'

declare global {
  interface Window {
    conversations: number
    looks: number
    load: () => void
  }
}

const chat = (page: Page) => page.getByRole('button', { name: `Chat with ${site.name}` })
const agent = (page: Page) => page.locator('aside').getByRole('button', { name: 'Start AI Conversation' })

/** A fake agent. Its global is set by `load()`; it counts the look-ups of the global and the starts. */
const lateWidget = (page: Page) =>
  page.addInitScript(() => {
    window.conversations = 0
    window.looks = 0
    let widget: Window['voiceAgent']
    Object.defineProperty(window, 'voiceAgent', {
      get: () => {
        window.looks += 1
        return widget
      },
      // Keeps the site's own agent, which registers itself once the page is idle, out of the way.
      set: () => {},
    })
    window.load = () => {
      widget = { start: () => (window.conversations += 1), end: () => {} }
    }
  })
const load = (page: Page) => page.evaluate(() => window.load())
const looks = (page: Page) => page.evaluate(() => window.looks)

test('only the home page has the chat button, from the start', async ({ page }) => {
  await lateWidget(page)
  await page.goto('/', { waitUntil: 'load' })
  await expect(chat(page)).toBeInViewport()
  await expect(agent(page)).toBeHidden()
  await page.goto('/pricing')
  await expect(chat(page)).toHaveCount(0)
})

test('the agent’s button appears with the agent, and starts the conversation', async ({ page }) => {
  await lateWidget(page)
  await page.goto('/', { waitUntil: 'load' })
  await expect(agent(page)).toBeHidden()
  await load(page)
  await expect(agent(page)).toBeVisible()
  await agent(page).click()
  expect(await page.evaluate(() => window.conversations)).toBe(1)
  await chat(page).click()
  expect(await page.evaluate(() => window.conversations)).toBe(2)
})

test('the agent is looked up every 100 ms, except while the page is hidden or after it was found', async ({
  page,
}) => {
  await page.clock.install()
  await lateWidget(page)
  // The site's own agent never arrives: its arrival is one look more, at any time.
  await page.route(/register/, () => {})
  await page.goto('/pricing', { waitUntil: 'load' })
  await expect.poll(() => page.locator('aside').count()).toBe(1)
  const advance = async (milliseconds: number) => {
    const before = await looks(page)
    await page.clock.runFor(milliseconds)
    return (await looks(page)) - before
  }
  await page.clock.pauseAt(Date.now() + 3_600_000)
  expect(await advance(1_000)).toBe(10)

  const setHidden = (hidden: boolean) =>
    page.evaluate((hidden) => {
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden })
      document.dispatchEvent(new Event('visibilitychange'))
    }, hidden)
  await setHidden(true)
  expect(await advance(1_000)).toBe(0)
  await setHidden(false)
  expect(await advance(1_000)).toBe(10)

  await load(page)
  await page.clock.runFor(100)
  await expect(agent(page)).toBeVisible()
  await setHidden(true)
  await setHidden(false)
  expect(await advance(1_000)).toBe(0)
})

const pages = [
  '/',
  '/pricing',
  '/terms',
  '/industries/hotels-resorts',
  '/checkout?plan=growth',
  '/login',
  '/signup?token=waiting',
  '/new-password?token=waiting',
  '/404.html',
]

for (const path of pages) {
  test(`on ${path} the buttons cover nothing at the end of the page, and nothing moves`, async ({ page }) => {
    await lateWidget(page)
    await page.route('**/auth/v1/verify', () => new Promise(() => undefined))
    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto(path, { waitUntil: 'load' })
    await expect(page.getByRole('contentinfo')).toBeVisible()
    const height = () => page.evaluate(() => document.documentElement.scrollHeight)
    const before = await height()
    await load(page)
    await expect(agent(page)).toBeVisible()
    expect(await height()).toBe(before)
    for (const width of [360, 768, 1280, 1440, 1920]) {
      await page.setViewportSize({ width, height: 740 })
      expect(await covered(page), `${width} pixels`).toEqual([])
    }
  })
}

/**
 * Returns what the buttons cover at the end of the page, or, if they are in the margin, wherever it is scrolled to. Their rings are
 * drawn six pixels outside them.
 */
const covered = (page: Page) =>
  page.evaluate(() => {
    scrollTo(0, document.documentElement.scrollHeight)
    const rings = [...document.querySelectorAll('[data-ring]')].map((ring) => ring.getBoundingClientRect())
    const isInMargin = innerWidth >= 1280
    const isUnder = (box: DOMRect): boolean =>
      rings.some(
        (ring) =>
          box.left < ring.right + 6 &&
          ring.left - 6 < box.right &&
          (isInMargin || (box.top < ring.bottom + 6 && ring.top - 6 < box.bottom)),
      )
    const found: string[] = []
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      if (text.parentElement?.closest('[data-ring], script, style')) continue
      const range = document.createRange()
      range.selectNodeContents(text)
      if ([...range.getClientRects()].some((box) => box.width > 0 && isUnder(box)))
        found.push(text.textContent ?? '')
    }
    for (const control of document.querySelectorAll('main :is(a, button, input), footer a')) {
      const box = control.getBoundingClientRect()
      if (!control.matches('[data-ring]') && box.width > 0 && isUnder(box)) found.push(control.outerHTML)
    }
    const meets = (a: DOMRect, b: DOMRect, gap: number) =>
      a.left < b.right + gap && b.left < a.right + gap && a.top < b.bottom + gap && b.top < a.bottom + gap
    const [first, second] = rings
    if (first && second && meets(first, second, 12)) found.push('each other')
    if (rings.some(({ width, height }) => Math.min(width, height) < 44)) found.push('too small')
    return found
  })

test('the button does not lie over what buys, and a first visitor reads its name', async ({ page }) => {
  await lateWidget(page)
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/checkout?plan=growth', { waitUntil: 'load' })
  const subscribe = page.getByRole('button', { name: 'Subscribe Securely' })
  await expect(subscribe).toBeVisible()
  await load(page)
  const name = agent(page).locator('span')
  await expect(name).toBeVisible()
  /** Scrolls until the button to buy ends so far above the window's end. */
  const leave = (below: number) =>
    subscribe.evaluate((each, below) => {
      document.body.style.padding = '1000px 0'
      scrollBy(0, each.getBoundingClientRect().bottom - innerHeight + below)
    }, below)
  await leave(20)
  await expect(agent(page)).toBeHidden()
  await leave(200)
  await expect(agent(page)).toBeVisible()
  await expect(name).toBeHidden()
  await page.reload()
  await load(page)
  await expect(agent(page)).toBeVisible()
  await expect(name).toBeHidden()
})

test('the portal has the button too', async ({ page, customer }) => {
  await lateWidget(page)
  await openSignedIn(page, await customer({ onboarded: true }))
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await load(page)
  await expect(agent(page)).toBeVisible()
})

test('the admin area has none', async ({ page }) => {
  await lateWidget(page)
  await openAdmin(page)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await load(page)
  await expect(page.locator('[data-ring]')).toHaveCount(0)
})

test('a button that is hovered over or focused shows its name, until Escape', async ({ page }) => {
  await page.goto('/', { waitUntil: 'load' })
  const name = chat(page).locator('span')
  await expect(name).toBeHidden()
  await chat(page).focus()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Tab')
  await expect(name).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(name).toBeHidden()
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the buttons have no axe violation, ${colorScheme}`, async ({ page }) => {
    await lateWidget(page)
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.goto('/', { waitUntil: 'load' })
    await load(page)
    await chat(page).hover()
    await expect(agent(page)).toBeVisible()
    expect(await axeViolations(page)).toEqual([])
  })
}

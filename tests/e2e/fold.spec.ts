import type { Page } from '@playwright/test'
import { listedPages } from '../support/public-pages.ts'
import { notedShifts, noteShifts, twoFrames } from '../support/shifts.ts'
import { expect, test } from './fixtures.ts'

type Seen = typeof window & { drawn: string[] }

/** Writes down what is drawn after the first frame, in its order. */
async function watch(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const drawn: string[] = []
    addEventListener('animationend', ({ animationName, target }) => {
      const { tagName, parentElement, id } = target as HTMLElement
      if (animationName !== 'below-the-fold') return
      const place =
        parentElement?.tagName === 'MAIN' ? [...parentElement.children].indexOf(target as Element) : ''
      drawn.push(`${id || tagName.toLowerCase()}${place}`)
    })
    Object.assign(window, { drawn })
  })
}
const drawnLater = (page: Page) => page.evaluate(() => (window as Seen).drawn)
/** What of the page is not displayed, of what is meant to be. */
const missing = (page: Page) =>
  page
    .locator('main > :not(script), main + footer')
    .evaluateAll((parts) =>
      parts.flatMap((part) => (part.checkVisibility() ? [] : [part.outerHTML.slice(0, 80)])),
    )

test.describe('on a phone', () => {
  const screen = { width: 412, height: 823 }
  test.use({ screen, viewport: screen })

  test('a page draws what the screen shows, then the rest, a section at a time', async ({ page }) => {
    await watch(page)
    await page.goto('/')
    await expect
      .poll(() => drawnLater(page))
      .toEqual(['voices1', 'section2', 'section3', 'section4', 'section5', 'footer'])
    expect(await missing(page)).toEqual([])
  })

  test('who comes back, reloads or follows a link into a page has all of it at once', async ({ page }) => {
    await watch(page)
    const scrolled = () => page.evaluate(() => scrollY)
    await page.goto('/')
    await expect.poll(() => drawnLater(page)).toContain('footer')
    await page.evaluate(() => scrollTo(0, 3000))
    await page.reload()
    expect(await scrolled()).toBe(3000)
    expect(await drawnLater(page)).toEqual([])

    await page.goto('/contact')
    await page.goBack()
    expect(await scrolled()).toBe(3000)
    expect(await missing(page)).toEqual([])

    await page.goto('/pricing#calculator')
    await expect(page.locator('#calculator')).toBeInViewport()
    expect(await drawnLater(page)).toEqual([])
  })

  test('the menu knows who is signed in', async ({ page }) => {
    await page.addInitScript(() => {
      const user = { email: 'guest@hotel.example' }
      localStorage.setItem('deskbell_auth', JSON.stringify({ refresh_token: 'r', user }))
    })
    await page.goto('/')
    await expect(page.locator('html')).toHaveAttribute('data-fresh')
    await page.getByText('Menu', { exact: true }).click()
    const menu = page.getByRole('navigation', { name: 'Menu' })
    await expect(menu.getByRole('link', { name: 'Portal' })).toBeVisible()
    await expect(menu.getByRole('link', { name: 'Choose Plan' })).toBeHidden()
  })

  test('nothing is held back from who wants no motion', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await watch(page)
    await page.goto('/')
    expect(await missing(page)).toEqual([])
    expect(await drawnLater(page)).toEqual([])
  })

  for (const path of listedPages) {
    test(`${path} does not move as the rest follows`, async ({ page }) => {
      await page.addInitScript(noteShifts)
      await page.goto(path)
      await expect.poll(() => missing(page)).toEqual([])
      await twoFrames(page)
      expect(await notedShifts(page)).toEqual([])
    })
  }
})

test('a wide screen has all of it at once', async ({ page }) => {
  await watch(page)
  await page.goto('/')
  expect(await missing(page)).toEqual([])
  expect(await drawnLater(page)).toEqual([])
})

// The largest phone that the rest is held back on (src/layouts/fresh-visit.ts), upright and on its side.
for (const path of listedPages) {
  test(`${path} holds back nothing that a phone's screen shows`, async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    for (const { width, height } of [
      { width: 320, height: 1100 },
      { width: 412, height: 1100 },
      { width: 479, height: 1100 },
      { width: 1100, height: 479 },
    ]) {
      await page.setViewportSize({ width, height })
      await page.goto(path)
      const tops = await page
        .locator(
          `:is([data-fold='1'] > :nth-child(n + 2), [data-fold='2'] > :nth-child(n + 3)):is(section, div)`,
        )
        .or(page.locator('[data-fold] + footer'))
        .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().top))
      for (const top of tops) expect(top, `${width} × ${height}`).toBeGreaterThanOrEqual(height)
    }
  })
}

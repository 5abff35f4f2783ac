import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { idle } from '../support/scripts.ts'
import { axeViolations } from '../support/axe.ts'

const play = (page: Page, what: string) => page.getByRole('button', { name: `Play the ${what}` })
const pause = (page: Page, what: string) => page.getByRole('button', { name: `Pause the ${what}` })
const recording = (page: Page, title: string) => page.getByRole('article').filter({ hasText: title })

/** Some seconds of the whole. */
const elapsed = /0:(0[1-9]|1\d) \/ 0:\d\d/

/** Returns the recordings that the page requests, in order. */
function asked(page: Page): string[] {
  const list: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/audio/')) list.push(pathname)
  })
  return list
}

test('a voice is fetched when it is played, and shows its position', async ({ page }) => {
  const list = asked(page)
  await page.goto('/')
  for (const voice of ['friendly', 'professional', 'energetic']) await play(page, `${voice} voice`).hover()
  await idle(page)
  expect(list).toEqual([])

  await page.getByRole('button', { name: 'Play the friendly voice, 10 seconds' }).click()
  await expect(recording(page, 'Friendly')).toContainText(elapsed)
  const lit = () =>
    recording(page, 'Friendly').evaluate((card) =>
      Number(getComputedStyle(card).getPropertyValue('--played')),
    )
  const before = await lit()
  expect(before).toBeGreaterThan(0)
  const colours = await recording(page, 'Friendly').evaluate((card) => [
    getComputedStyle(card.querySelector('[data-played]')!).stroke,
    getComputedStyle(card.querySelector('button')!).backgroundColor,
    getComputedStyle(card.querySelector('path:has(+ [data-played])')!).stroke,
  ])
  expect(colours[0], 'played dots are lit like the button').toBe(colours[1])
  expect(colours[0]).not.toBe(colours[2])
  await expect.poll(lit).toBeGreaterThan(before)
  expect(new Set(list)).toEqual(new Set(['/audio/friendly.mp3']))
})

test('Hear it talk plays the example call of the hero, and stops it', async ({ page }) => {
  const list = asked(page)
  await page.goto('/')
  const hear = page.getByRole('link', { name: 'Hear it talk' })
  await hear.click()
  await expect(pause(page, 'example call')).toBeInViewport()
  await expect(recording(page, 'Example call')).toContainText(elapsed)
  await hear.press('Enter')
  await expect(play(page, 'example call')).toBeVisible()
  expect(new Set(list)).toEqual(new Set([(await hear.getAttribute('href'))!]))
})

test('one recording plays at a time, also by keyboard, and resets at its end', async ({ page }) => {
  await page.goto('/')
  await play(page, 'energetic voice').press('Enter')
  await expect(pause(page, 'energetic voice')).toBeFocused()
  await play(page, 'professional voice').press('Space')
  await expect(pause(page, 'professional voice')).toBeFocused()
  await expect(play(page, 'energetic voice')).toBeVisible()
  await expect(recording(page, 'Professional')).toContainText(elapsed)
  await pause(page, 'professional voice').press('Space')
  await expect(play(page, 'professional voice')).toBeFocused()

  await play(page, 'energetic voice').click()
  await expect(pause(page, 'energetic voice')).toBeVisible()
  await expect(play(page, 'energetic voice')).toBeVisible({ timeout: 30_000 })
  await expect(recording(page, 'Energetic')).not.toContainText(' / ')
  await play(page, 'energetic voice').click()
  await expect(recording(page, 'Energetic')).toContainText(elapsed)
})

test.describe('a recording that cannot be loaded', () => {
  test.use({ allowedConsole: /Failed to load resource/ })

  test('is reported, and can be tried again', async ({ page }) => {
    await page.goto('/')
    await page.route('/audio/*', (route) => route.abort())
    await play(page, 'friendly voice').click()
    const status = recording(page, 'Friendly').getByRole('status')
    await expect(status).toHaveText('We could not load the recording. Check your connection and try again.')
    await expect(play(page, 'friendly voice')).toBeFocused()
    expect(await axeViolations(page, { only: '#voices' })).toEqual([])

    await page.unroute('/audio/*')
    await play(page, 'friendly voice').click()
    await expect(status).toBeHidden()
    await expect(recording(page, 'Friendly')).toContainText(elapsed)
  })
})

test('transcripts open, and the section has no axe violation while it plays', async ({ page }) => {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [360, 1440]) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 900 })
      await page.goto('/')
      await page.getByText('Transcript of the professional voice').click()
      await expect(page.getByText('I will confirm the details')).toBeVisible()
      await play(page, 'professional voice').click()
      await expect(recording(page, 'Professional')).toContainText(elapsed)
      expect(await axeViolations(page, { only: '#voices' }), `${colorScheme} ${width}`).toEqual([])
    }
  }
})

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false })

  test('a recording is a link to its file', async ({ page, request }) => {
    for (const [path, what, file] of [
      ['/', 'friendly voice', '/audio/friendly.mp3'],
      ['/industries/hotels-resorts', 'hotel call', '/audio/hotel.mp3'],
    ] as const) {
      await page.goto(path)
      const link = page.getByRole('link', { name: `Play the ${what}` })
      await expect(link).toHaveAttribute('href', file)
      expect((await request.get(file)).headers()['content-type']).toMatch(/^audio\//)
    }
  })
})

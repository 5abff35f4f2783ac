import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { axeViolations } from '../support/axe.ts'
import { cheapestFor, offerName } from '#plans/domain/minutes-offer.ts'
import { currencySign, priceLabel, wholePrice, planChoice } from '#plans/domain/plans.ts'

const calculator = (page: Page) => page.locator('#calculator')
const fader = (page: Page, name: string) => calculator(page).getByRole('slider', { name })
const typed = (page: Page, name: string) => calculator(page).getByRole('textbox', { name })
const said = (page: Page, what: string) => calculator(page).locator(`[data-roi=${what}]`)

const recommended = (minutes: number) => `Recommended: ${offerName(cheapestFor(minutes))}`

/** Opens a page and waits until its faders work. */
async function open(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await calculator(page).scrollIntoViewIfNeeded()
  await expect(fader(page, 'Calls a day')).toBeEnabled()
}

test('a fader changes the result at once, and the URL when it stops', async ({ page }) => {
  await open(page, '/pricing')
  await expect(said(page, 'plan')).toHaveText(recommended(600))
  await fader(page, 'Calls a day').fill('60')
  await expect(typed(page, 'Calls a day')).toHaveValue('60')
  await expect(said(page, 'minutes')).toContainText('3,600 minutes a month')
  await expect(said(page, 'plan')).toHaveText(recommended(3_600))
  await expect(page).toHaveURL(/\?calls=60#calculator$/)
  await expect(calculator(page).getByRole('status')).toContainText(`${recommended(3_600)}.`)

  await fader(page, 'Calls a day').fill('10')
  await expect(page).toHaveURL(/\/pricing\/?#calculator$/)
  await expect(calculator(page).getByRole('status')).toContainText(`${recommended(600)}.`)
})

test('the faders work if the browser tells at once that the calculator was out of sight and has come into it', async ({
  page,
}) => {
  await page.addInitScript(() => {
    const held: IntersectionObserverEntry[] = []
    window.IntersectionObserver = class extends IntersectionObserver {
      constructor(callback: IntersectionObserverCallback) {
        super((entries, observer) => {
          held.push(...entries)
          if (entries.some(({ isIntersecting }) => isIntersecting)) callback(held, observer)
        })
      }
    }
  })
  await open(page, '/pricing')
})

test('a shared URL restores the numbers, and keeps its other parameters', async ({ page }) => {
  await open(page, '/pricing?utm_source=mail&calls=5&minutes=1&missed=0#calculator')
  await expect(typed(page, 'Calls a day')).toHaveValue('5')
  await expect(fader(page, 'Share you miss today')).toHaveValue('0')
  await expect(said(page, 'plan')).toHaveText(recommended(150))
  const plan = cheapestFor(150).plan
  await expect(said(page, 'verdict')).toContainText(
    `${plan.name} costs ${priceLabel(plan)} a month more than it saves`,
  )
  await expect(said(page, 'figure')).toHaveText(`−${priceLabel(plan)}`)
  await fader(page, 'Minutes a call').fill('0.5')
  await expect(page).toHaveURL(/\?utm_source=mail&calls=5&minutes=0\.5&missed=0#calculator$/)
})

test('a device with a share sheet of its own shows that, and saves only if the sheet fails', async ({
  page,
}) => {
  await page.addInitScript(() => {
    const ends = [null, 'AbortError', 'NotAllowedError']
    navigator.canShare = ({ files }: ShareData) => files?.[0]?.type === 'image/png'
    navigator.share = ({ files, url }: ShareData) => {
      const end = ends.shift()
      document.title = `${files?.[0]?.name} ${url} ${end}`
      return end ? Promise.reject(new DOMException('', end)) : Promise.resolve()
    }
  })
  await open(page, '/pricing?calls=4')
  const status = calculator(page).getByRole('status')
  const share = calculator(page).getByRole('button', { name: 'Share' })
  let saved = 0
  page.on('download', () => (saved += 1))
  for (const end of ['null', 'AbortError']) {
    await share.click()
    await expect(page).toHaveTitle(new RegExp(`^calculation\\.png http.*calls=4.* ${end}$`))
    await expect(share).toBeEnabled()
    await expect(status).not.toHaveText('Picture saved')
  }
  const file = page.waitForEvent('download')
  await share.click()
  await expect(status).toHaveText('Picture saved')
  const picture = await readFile(await (await file).path())
  expect(picture.subarray(12, 24)).toEqual(Buffer.from('IHDR\0\0\x04\xb0\0\0\x02\x76', 'latin1'))
  expect(saved).toBe(1)
})

test('it works by keyboard alone', async ({ page }) => {
  await open(page, '/pricing')
  await typed(page, 'Calls a day').focus()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('4')
  await page.keyboard.press('Tab')
  await expect(fader(page, 'Calls a day')).toBeFocused()
  await expect(fader(page, 'Calls a day')).toHaveValue('4')
  await page.keyboard.press('ArrowRight')
  await expect(typed(page, 'Calls a day')).toHaveValue('5')
  await page.keyboard.press('End')
  await expect(typed(page, 'Calls a day')).toHaveValue('100')
  await page.keyboard.press('Home')
  await expect(said(page, 'plan')).toHaveText(recommended(60))
  await expect(page).toHaveURL(/\?calls=1#calculator$/)
  // Skips the other four numbers and their faders.
  for (let stop = 0; stop < 9; stop += 1) await page.keyboard.press('Tab')
  await expect(
    calculator(page).getByRole('link', { name: planChoice(cheapestFor(60).plan).action }),
  ).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(planChoice(cheapestFor(60).plan).href)
})

test('an invalid number stays as typed, with a message, and the result does not change', async ({ page }) => {
  await open(page, '/pricing')
  const minutes = typed(page, 'Minutes a call')
  const before = await said(page, 'figure').textContent()
  // The announcement of an earlier result does not replace the message.
  await minutes.fill('2')
  await minutes.fill('two or three')
  await minutes.press('Enter')
  const sentence =
    'Type a number from 0.1 to 60, with at most one decimal. The result still uses your last number.'
  await expect(calculator(page).getByText(sentence).first()).toBeVisible()
  await expect(minutes).toHaveValue('two or three')
  await expect(minutes).toHaveAttribute('aria-invalid', 'true')
  await expect(minutes).toHaveAccessibleDescription(sentence)
  await expect(calculator(page).getByRole('status')).toHaveText(sentence)
  await expect(said(page, 'figure')).toHaveText(before ?? '')

  await minutes.fill('3.5')
  await expect(minutes).not.toHaveAttribute('aria-invalid')
  await expect(said(page, 'minutes')).toContainText('1,050 minutes a month')
  await expect(fader(page, 'Minutes a call')).toHaveValue('3.5')

  await typed(page, 'Value of one booking').fill(`${currencySign}1,200`)
  await expect(said(page, 'cost')).toHaveText(wholePrice(18_000_00))
  await expect(typed(page, 'Value of one booking')).toHaveValue(`${currencySign}1,200`)
  await expect(fader(page, 'Value of one booking')).toHaveAttribute('aria-valuetext', '1200')
})

test('Back restores the numbers of the URL before', async ({ page }) => {
  await open(page, '/pricing?calls=5')
  await page.evaluate(() => {
    location.hash = 'main'
  })
  await fader(page, 'Calls a day').fill('70')
  await expect(page).toHaveURL(/calls=70#calculator$/)
  await page.goBack()
  await expect(page).toHaveURL(/calls=5$/)
  await expect(typed(page, 'Calls a day')).toHaveValue('5')
  await page.goForward()
  await expect(typed(page, 'Calls a day')).toHaveValue('70')
})

test('an industry starts with its own numbers, which are kept on the way to the plans and back', async ({
  page,
}) => {
  await open(page, '/industries/hotels-resorts')
  await expect(typed(page, 'Calls a day')).toHaveValue('20')
  await expect(typed(page, 'Minutes a call')).toHaveValue('2.5')
  await fader(page, 'Calls a day').fill('10')
  await expect(page).toHaveURL(/hotels-resorts\/?\?calls=10#calculator$/)
  await calculator(page).getByRole('link', { name: 'Compare the plans' }).click()
  await expect(page).toHaveURL(/\/pricing\/?\?minutes=2\.5#calculator$/)
  await expect(typed(page, 'Calls a day')).toHaveValue('10')
  await expect(typed(page, 'Minutes a call')).toHaveValue('2.5')
  await expect(
    calculator(page).getByRole('link', { name: planChoice(cheapestFor(750).plan).action }),
  ).toBeVisible()
  await page.goBack()
  await expect(typed(page, 'Calls a day')).toHaveValue('10')
})

test('the link is copied, and the button says so until the numbers change', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await open(page, '/pricing')
  await fader(page, 'Value of one booking').fill('200')
  await calculator(page).getByRole('button', { name: 'Copy link' }).click()
  await expect(calculator(page).getByRole('button', { name: 'Link copied' })).toBeVisible()
  await expect(calculator(page).getByRole('status')).toHaveText('Link copied')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(
    /\/pricing\/?\?cost=200#calculator$/,
  )
  await fader(page, 'Value of one booking').fill('205')
  await expect(calculator(page).getByRole('button', { name: 'Copy link' })).toBeVisible()
})

test.describe('if the clipboard is blocked', () => {
  test.use({ allowedConsole: /Clipboard API has been blocked/ })

  test('the URL is shown and selected', async ({ page }) => {
    await page.route('**/pricing?*', async (route) => {
      const response = await route.fetch()
      await route.fulfill({
        response,
        headers: { ...response.headers(), 'permissions-policy': 'clipboard-write=()' },
      })
    })
    await open(page, '/pricing?lost=40')
    await calculator(page).getByRole('button', { name: 'Copy link' }).click()
    const address = calculator(page).getByLabel(/Copy this address/)
    await expect(address).toBeFocused()
    await expect(address).toHaveValue(/\/pricing\/?\?lost=40#calculator$/)
    expect(await page.evaluate(() => getSelection()?.toString())).toMatch(/lost=40#calculator$/)
  })
})

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false })

  test('it shows an example that can be read', async ({ page }) => {
    await page.goto('/industries/hotels-resorts')
    await expect(fader(page, 'Calls a day')).toBeDisabled()
    await expect(fader(page, 'Calls a day')).toHaveValue('20')
    await expect(typed(page, 'Calls a day')).toHaveCount(0)
    await expect(calculator(page).locator('[data-field=calls] data')).toHaveText('20')
    await expect(said(page, 'plan')).toHaveText(recommended(1_500))
    await expect(calculator(page).getByRole('button')).toHaveCount(0)
    await expect(calculator(page).getByRole('link', { name: 'Compare the plans' })).toBeVisible()
  })
})

test('no axe violation and nothing cut off in use, light and dark, narrow and wide', async ({ page }) => {
  await open(page, '/pricing?calls=1000&minutes=60&missed=100&lost=100&cost=10000')
  await typed(page, 'Minutes a call').fill('many')
  await typed(page, 'Minutes a call').blur()
  await expect(typed(page, 'Minutes a call')).toHaveAttribute('aria-invalid', 'true')
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [360, 1440]) {
      await test.step(`${colorScheme} ${width}`, async () => {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await page.setViewportSize({ width, height: 900 })
        expect(await axeViolations(page, { only: '#calculator' })).toEqual([])
        const figure = await said(page, 'figure').evaluate((each) => each.scrollWidth - each.clientWidth)
        expect(figure).toBeLessThanOrEqual(0)
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        )
        expect(overflow).toBeLessThanOrEqual(0)
      })
    }
  }
})

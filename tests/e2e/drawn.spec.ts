import type { Locator } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { exactPrice, minutePackage, plans, priceAmount, priceLabel } from '#plans/domain/plans.ts'
import { site } from '#site'
import { planName, priceText } from '../support/plan-facts.ts'

test.describe('with another font', () => {
  // The font is set by a style sheet of the test.
  test.use({ bypassCSP: true })

  // A machine has some of them; the wide ones come with most, and letters are set wider still.
  for (const font of ['DejaVu Sans', 'Liberation Sans', 'monospace'])
    test(`the lamp stays with the last word of the headline: ${font}`, async ({ page }) => {
      await page.goto('/')
      for (const spacing of ['-0.04em', '0.03em']) {
        await page.addStyleTag({
          content: `:root { --font-display: '${font}', ${font}; --tracking-hero: ${spacing} }`,
        })
        for (const width of [360, 768, 1024, 1440, 1920]) {
          await page.setViewportSize({ width, height: 900 })
          const { lamp, word } = await page.locator('h1').evaluate((headline) => {
            const lamp = headline.querySelector('i')!
            const range = document.createRange()
            range.selectNodeContents(lamp.previousSibling!)
            return { lamp: lamp.getBoundingClientRect(), word: [...range.getClientRects()].at(-1)! }
          })
          const at = `${spacing}, ${width} px`
          expect(word.width, `${at}: a word before the lamp`).toBeGreaterThan(lamp.width * 4)
          expect(lamp.left, `${at}: after the word`).toBeGreaterThanOrEqual(word.right)
          expect(lamp.left, `${at}: close to the word`).toBeLessThan(word.right + lamp.width)
          expect(lamp.top, `${at}: on its line`).toBeGreaterThan(word.top)
          expect(lamp.bottom, `${at}: on its line`).toBeLessThanOrEqual(word.bottom)
          expect(lamp.right, `${at}: in the window`).toBeLessThanOrEqual(width)
        }
      }
    })
})

test('every jack of the switchboard has a name that can be read, from 768 px on', async ({ page }) => {
  await page.goto('/')
  for (const width of [768, 900, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    const names = await page.locator('[role=img] li').evaluateAll((jacks) =>
      jacks.map((jack) => {
        const range = document.createRange()
        range.selectNodeContents(jack)
        const next = jack.nextElementSibling?.getBoundingClientRect().left ?? innerWidth
        return {
          size: parseFloat(getComputedStyle(jack).fontSize),
          isInside: range.getBoundingClientRect().right <= next,
        }
      }),
    )
    expect(names).toHaveLength(12)
    for (const { size, isInside } of names) {
      expect(size, `${width} px`).toBeGreaterThanOrEqual(11)
      expect(isInside, `${width} px`).toBe(true)
    }
  }
})

test('the headline is set tight, in the grotesque of each platform', async ({ page }) => {
  await page.goto('/')
  const { family, tracking } = await page.locator('h1').evaluate((headline) => {
    const { fontFamily, fontSize, letterSpacing } = getComputedStyle(headline)
    return { family: fontFamily, tracking: parseFloat(letterSpacing) / parseFloat(fontSize) }
  })
  expect(family).toBe('"Helvetica Neue", Helvetica, Arial, "Liberation Sans", Roboto, sans-serif')
  expect(tracking).toBeCloseTo(-0.04, 3)
})

test('the home page sells the plans of the catalogue, from the cheapest price on', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByText(`Monthly plans from ${priceText('starter')}.`)).toBeVisible()
  for (const plan of plans) {
    const card = page
      .getByRole('article')
      .filter({ has: page.getByRole('heading', { name: plan.name, exact: true }) })
    await expect(card).toContainText(priceLabel(plan))
    await expect(card.locator('svg')).toBeVisible()
    await expect(card.locator('svg path').last()).toHaveAttribute('d', /^M4 4/)
  }
  await page.getByRole('link', { name: `Choose ${planName('starter')}` }).click()
  await expect(page).toHaveURL(/\/checkout\/?\?plan=starter$/)
})

test('a plan’s card has its subtitle, its features and what a minute costs', async ({ page }) => {
  await page.goto('/pricing')
  for (const plan of plans) {
    const card = page
      .getByRole('article')
      .filter({ has: page.getByRole('heading', { name: plan.name, exact: true }) })
    await expect(card).toContainText(plan.subtitle)
    for (const { term, value } of plan.features)
      await expect(
        card.locator('div').filter({ hasText: term }).getByText(value, { exact: true }),
      ).toBeVisible()
    if (plan.priceCents !== null) await expect(card).toContainText(exactPrice(plan.priceCents / plan.minutes))
  }
  await expect(
    page.getByText(`${minutePackage.minutes} minutes for ${priceAmount(minutePackage.cents)}`),
  ).toBeVisible()
})

test('an industry’s coloured head names the brand and leads to the plans, on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/industries/hotels-resorts')
  const head = page.locator('section').first()
  await expect(head.getByRole('link', { name: site.name })).toBeInViewport()
  await head.getByRole('link', { name: 'View Plans' }).click()
  await expect(page).toHaveURL(/\/pricing\/?$/)
})

test('the log-in pages use the half beside the form, and Back to Home stands in a column of the page', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  const left = (element: Locator) =>
    element.evaluate((each) => {
      const range = document.createRange()
      range.selectNodeContents(each)
      return range.getBoundingClientRect().left
    })
  await page.goto('/industries/hotels-resorts')
  const column = await left(page.getByText(/What callers say, and/))
  const backToHome = page.getByRole('link', { name: 'Back to Home' })
  expect(await left(backToHome)).toBeCloseTo(column, 0)
  for (const path of ['/login', '/forgot-password', '/resend']) {
    await page.goto(path)
    const drawing = (await page.locator('main div[aria-hidden=true]').boundingBox())!
    const form = (await page.getByRole('main').locator('form').boundingBox())!
    expect(drawing.width, path).toBeGreaterThan(1440 * 0.4)
    expect(drawing.x, path).toBeGreaterThan(form.x + form.width)
    expect(await left(backToHome), path).toBeCloseTo(column, 0)
  }
})

test('on a phone the prices of all plans are within three screens', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/pricing')
  for (const plan of plans) {
    const card = page
      .getByRole('article')
      .filter({ has: page.getByRole('heading', { name: plan.name, exact: true }) })
    const box = (await card.first().boundingBox())!
    expect(box.y + box.height, plan.name).toBeLessThan(3 * 740)
  }
})

test.describe('on the narrowest phone', () => {
  test.use({ bypassCSP: true })

  test('no page scrolls sideways at 320 px, also with wide letters', async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 800 })
    for (const path of ['/', '/pricing', '/industries', '/industries/hotels-resorts', '/sub-processors']) {
      await page.goto(path)
      await page.addStyleTag({ content: "* { font-family: 'DejaVu Sans', Verdana, sans-serif !important }" })
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect(overflow, path).toBeLessThanOrEqual(0)
    }
  })
})

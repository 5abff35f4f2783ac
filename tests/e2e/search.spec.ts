import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { axeViolations } from '../support/axe.ts'

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Search' })
const field = (page: Page) => dialog(page).getByRole('textbox')
const results = (page: Page) => dialog(page).locator('[data-at=found] a')
const says = (page: Page) => dialog(page).getByRole('status')

/** Waits until the page's scripts have added their handlers. */
async function open(page: Page, path = '/'): Promise<void> {
  await page.goto(path, { waitUntil: 'load' })
  await page.keyboard.press('/')
  await expect(field(page)).toBeFocused()
}

async function searchFor(page: Page, query: string): Promise<void> {
  await field(page).fill(query)
  await expect(says(page)).not.toBeEmpty()
}

test('the keyboard leads from any page to an answer of the FAQ', async ({ page }) => {
  await open(page, '/pricing')
  await page.keyboard.type('hipaa')
  await expect(results(page).first()).toContainText('Is it ready for GDPR and HIPAA?')
  await expect(results(page).first()).toContainText('FAQ')
  await expect(results(page).first().locator('mark')).toHaveText(['HIPAA'])
  await expect(says(page)).toHaveText('3 results')

  await page.keyboard.press('ArrowDown')
  await expect(results(page).nth(0)).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(results(page).nth(1)).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await expect(field(page)).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')

  await expect(page).toHaveURL(/\/faq#compliance$/)
  await expect(page.locator('#compliance')).toBeVisible()
})

test('words that a visitor uses find what is answered in other words', async ({ page }) => {
  await open(page)
  for (const [query, title] of [
    ['refund', 'Do I get my money back?'],
    ['is it hipaa compliant', 'Is it ready for GDPR and HIPAA?'],
    ['What is the notice period?', 'Is there a minimum contract?'],
  ] as const) {
    await searchFor(page, query)
    await expect(results(page).first()).toContainText(title)
  }
})

test('Enter opens the best result, even before it is listed', async ({ page }) => {
  await open(page)
  await page.keyboard.type('liability')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/terms#liability$/)
})

test('a result on the same page closes the dialog and opens the question', async ({ page }) => {
  await open(page, '/faq')
  await searchFor(page, 'which languages')
  await results(page).first().click()
  await expect(dialog(page)).toBeHidden()
  await expect(page.locator('#languages')).toBeVisible()
})

test('the button opens it, Escape closes it; the focus returns and the query is kept', async ({ page }) => {
  await page.goto('/', { waitUntil: 'load' })
  const button = page.getByRole('button', { name: 'Search', exact: true })
  await button.click()
  await searchFor(page, 'voice cloning')
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toBeHidden()
  await expect(button).toBeFocused()

  await page.keyboard.press('Enter')
  await expect(field(page)).toBeFocused()
  await expect(field(page)).toHaveValue('voice cloning')
  await expect(results(page).first()).toContainText('Can the agent use my own voice?')
  await dialog(page).getByRole('button', { name: 'Close' }).click()
  await expect(dialog(page)).toBeHidden()
})

test('an empty field offers the pages', async ({ page }) => {
  await open(page)
  await field(page).fill('   ')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/how-it-works$/)
})

test('in a field / is an ordinary character, and the shortcut can be turned off', async ({ page }) => {
  await page.goto('/faq', { waitUntil: 'load' })
  await page.getByLabel('Search the questions').focus()
  await page.keyboard.type('24/7')
  await expect(page.getByLabel('Search the questions')).toHaveValue('24/7')
  await expect(dialog(page)).toHaveCount(0)

  await page.keyboard.press('Control+k')
  await dialog(page).getByLabel('Open with /').uncheck()
  await page.reload({ waitUntil: 'load' })
  await page.keyboard.press('/')
  await expect(dialog(page)).toHaveCount(0)
  await page.keyboard.press('Control+k')
  await expect(dialog(page).getByLabel('Open with /')).not.toBeChecked()
  await dialog(page).getByLabel('Open with /').check()
  await page.keyboard.press('Escape')
  await page.keyboard.press('/')
  await expect(dialog(page)).toBeVisible()
})

test('without a result it says what to do', async ({ page }) => {
  await open(page)
  await searchFor(page, 'xyzzy')
  await expect(says(page)).toHaveText('No results for “xyzzy”.')
  await expect(dialog(page).getByRole('link', { name: 'FAQ', exact: true })).toHaveAttribute('href', '/faq')
  await dialog(page).getByRole('button', { name: 'Start AI Conversation' }).click()
  await expect(dialog(page)).toBeHidden()
  await expect(page.getByRole('dialog', { name: 'agent' })).toBeVisible()
})

test('any query is harmless, and markup is shown as text', async ({ page }) => {
  await open(page)
  const title = await page.title()
  for (const query of [
    'minutes '.repeat(1_250),
    '☎️👩‍💻🛎️',
    String.raw`\ " ' * ( ) [ ] { } + ? ^ $ | % # & ; -- "" "'" ${'\u0000'}`,
    'التقارير 電話 שלום',
  ]) {
    await field(page).fill(query)
    await expect(says(page)).toHaveText(/result|No results/)
    await field(page).fill('hipaa')
    await expect(results(page).first()).toContainText('HIPAA')
  }
  const markup = '<img src=xyzzy><script>xyzzy</script>'
  await field(page).fill(markup)
  await expect(says(page)).toHaveText(`No results for “${markup}”.`)
  expect(await dialog(page).locator('img, script').count()).toBe(0)
  expect(await page.title()).toBe(title)
})

test.describe('without a connection', () => {
  test.use({ allowedConsole: /ERR_|Failed to load|Failed to fetch/ })

  test('an open dialog says so, and continues by itself afterwards', async ({ page, context }) => {
    await open(page)
    await expect(dialog(page).getByRole('heading', { name: 'Go to' })).toBeVisible()
    await page.keyboard.press('Escape')
    await page.reload()
    await page.route('**/pagefind/**', (route) => route.abort())
    await page.keyboard.press('/')
    await expect(says(page)).toHaveText('Search did not load. Try again in a moment.')
    await context.setOffline(true)
    await field(page).fill('minutes')
    await expect(says(page)).toHaveText('You are offline. Search needs a connection.')
    await page.unroute('**/pagefind/**')
    // The first request still fails.
    await page.route('**/pagefind/**', (route) => route.abort(), { times: 1 })
    await context.setOffline(false)
    await expect(results(page).first()).toContainText('minutes')
  })

  test('a visitor can try again', async ({ page }) => {
    await page.route('**/pagefind/**', (route) => route.abort())
    await open(page)
    await field(page).fill('minutes')
    await expect(says(page)).toHaveText('Search did not load. Try again in a moment.')
    await page.unroute('**/pagefind/**')
    await dialog(page).getByRole('button', { name: 'Try again' }).click()
    await expect(results(page).first()).toContainText('minutes')
    await expect(field(page)).toBeFocused()
  })
})

test('it says that it waits for a slow engine', async ({ page }) => {
  let release = () => {}
  const held = new Promise<void>((done) => (release = done))
  await page.route('**/pagefind/pagefind.js', async (route) => {
    await held
    await route.continue()
  })
  await open(page)
  await field(page).fill('minutes')
  await expect(says(page)).toHaveText('Searching')
  release()
  await expect(results(page).first()).toContainText('minutes')
})

test('the open dialog has no axe violation, light and dark, narrow and wide', async ({ page }) => {
  await open(page)
  await searchFor(page, 'minutes')
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [360, 1440]) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.setViewportSize({ width, height: 740 })
      await expect(results(page).first()).toBeVisible()
      expect(await axeViolations(page, { only: 'dialog' }), `${colorScheme} ${width}`).toEqual([])
    }
  }
})

test('on a phone it fills the screen, and the page behind does not scroll', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await open(page)
  await searchFor(page, 'voice')
  await expect(results(page).first()).toBeVisible()
  expect(await dialog(page).boundingBox()).toEqual({ x: 0, y: 0, width: 360, height: 740 })
  for (const link of await results(page).all())
    expect((await link.boundingBox())?.height).toBeGreaterThanOrEqual(44)
  await results(page).last().scrollIntoViewIfNeeded()
  await page.mouse.move(180, 400)
  await page.mouse.wheel(0, 2_000)
  await expect(results(page).last()).toBeInViewport()
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).overflowY)).toBe('hidden')
  expect(await page.evaluate(() => scrollY)).toBe(0)
})

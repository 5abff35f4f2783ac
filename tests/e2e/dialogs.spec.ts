import type { Locator, Page } from '@playwright/test'
import { openAdmin } from './admin-fixtures.ts'
import { expect, expectToast, openSignedIn, test, toast } from './fixtures.ts'
import { site } from '#site'

// A toast that is still moving in has a box of broken pixels.
test.use({ contextOptions: { reducedMotion: 'reduce' } })

const sizes = [
  { width: 360, height: 640 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
  { width: 1920, height: 1080 },
]

/** Expects a button that a finger can press, whole in the window, and on top of everything else. */
async function expectPressable(button: Locator, width: number): Promise<void> {
  await expect(button).toBeInViewport({ ratio: 1 })
  const box = (await button.boundingBox())!
  expect(box.width, `at ${width} pixels`).toBeGreaterThanOrEqual(44)
  expect(box.height, `at ${width} pixels`).toBeGreaterThanOrEqual(44)
  const isOnTop = await button.evaluate((each) => {
    const { x, y, width, height } = each.getBoundingClientRect()
    return each.contains(document.elementFromPoint(x + width / 2, y + height / 2))
  })
  expect(isOnTop, `covered at ${width} pixels`).toBe(true)
}

/** Expects a visible cross of 16 pixels in the button. */
async function expectCross(button: Locator): Promise<void> {
  const cross = button.locator('svg')
  expect(await cross.boundingBox()).toMatchObject({ width: 16, height: 16 })
  const { stroke, strokeWidth } = await cross.locator('path').evaluate((path) => ({
    ...getComputedStyle(path),
    stroke: getComputedStyle(path).stroke,
    strokeWidth: getComputedStyle(path).strokeWidth,
  }))
  expect(stroke).toMatch(/^rgb\(/)
  expect(parseFloat(strokeWidth)).toBeGreaterThan(1)
}

async function expectCloseButton(page: Page, button: Locator): Promise<void> {
  for (const size of sizes) {
    await page.setViewportSize(size)
    await expectPressable(button, size.width)
    await expectCross(button)
  }
}

test('search can be closed by its button in every width', async ({ page }) => {
  await page.goto('/')
  await page.keyboard.press('/')
  const dialog = page.getByRole('dialog', { name: 'Search' })
  const close = dialog.getByRole('button', { name: 'Close' })
  await expectCloseButton(page, close)
  await close.click()
  await expect(dialog).toBeHidden()
})

test('a toast can be closed by its button in every width', async ({ page }) => {
  await page.goto('/signup')
  await expectToast(page, 'Missing Token')
  // It stays while the pointer is over it or the focus is in it.
  await page.keyboard.press('F8')
  const dismiss = toast(page).getByRole('button', { name: 'Dismiss' })
  await expectCloseButton(page, dismiss)
  for (const { width } of sizes) {
    await page.setViewportSize({ width, height: 740 })
    const box = (await toast(page).boundingBox())!
    expect(width - box.x - box.width, 'beside the right edge').toBeLessThanOrEqual(24)
  }
})

test('a question before a deletion can be cancelled in every width', async ({ page, customer }) => {
  await openSignedIn(page, await customer({ onboarded: true }), '/portal/settings')
  await page.getByRole('button', { name: 'Delete account' }).click()
  const cancel = page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' })
  for (const size of sizes) {
    await page.setViewportSize(size)
    await expectPressable(cancel, size.width)
  }
})

test('what a block does can be read from its heading to its end, above its buttons, in every width', async ({
  page,
  customer,
}) => {
  const { email } = await customer({ onboarded: true })
  await openAdmin(page)
  await page.getByLabel('Find by email').fill(email)
  const dialog = page.getByRole('alertdialog', { name: 'Block this account?' })
  for (const size of sizes) {
    await page.setViewportSize(size)
    await page.getByRole('button', { name: `Block ${email}` }).click()
    await expect(dialog.getByRole('heading')).toBeInViewport({ ratio: 1 })
    for (const name of ['Cancel', 'Block'])
      await expectPressable(dialog.getByRole('button', { name }), size.width)
    const isEndFree = await dialog.evaluate((each) => {
      each.scrollTo(0, each.scrollHeight)
      const end = each.querySelector('[data-body] dl')!.getBoundingClientRect().bottom
      return end <= each.querySelector('footer')!.getBoundingClientRect().top
    })
    expect(isEndFree, `at ${size.width} pixels`).toBe(true)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog).toHaveCount(0)
  }
})

const agent = (page: Page) => page.getByRole('dialog', { name: `${site.name} agent` })
const ring = (page: Page) => page.getByRole('button', { name: /Start AI Conversation|Chat with/ })

async function ask(page: Page, question: string): Promise<void> {
  await page.getByRole('main').getByRole('button', { name: 'Start AI Conversation' }).click()
  await expect(agent(page).getByRole('listitem')).toHaveCount(1)
  await agent(page).getByLabel('Your words').fill(question)
  await page.keyboard.press('Enter')
  await expect(agent(page).getByRole('listitem')).toHaveCount(3)
}

test('the agent can be hung up in every width', async ({ page }) => {
  await page.goto('/contact')
  await ask(page, 'How do I log in?')
  await expect(agent(page).getByRole('listitem').last()).toContainText('On the log-in page')
  for (const size of sizes) {
    await page.setViewportSize(size)
    await expectPressable(agent(page).getByRole('button', { name: 'Hang up' }), size.width)
    await expectPressable(agent(page).getByRole('button', { name: 'Minimise' }), size.width)
  }
})

test('on the next page of a phone the agent is a bar of one line that leaves the focus and the page alone', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 640 })
  await page.goto('/contact')
  await ask(page, 'What does it cost?')
  await page.goto('/')
  const open = agent(page).getByRole('button', { name: 'Open' })
  await expect(open).toHaveAttribute('aria-expanded', 'false')
  await expectPressable(agent(page).getByRole('button', { name: 'Hang up' }), 360)
  expect((await agent(page).boundingBox())!.height).toBeLessThan(64)
  await expect(page.locator('body')).toBeFocused()
  await expect(ring(page).locator('visible=true')).toHaveCount(0)
  const isEndFree = await page.evaluate(() => {
    scrollTo(0, document.documentElement.scrollHeight)
    const bar = document.querySelector('dialog[open]')!.getBoundingClientRect()
    return document.querySelector('footer')!.getBoundingClientRect().bottom <= bar.top
  })
  expect(isEndFree, 'the end of the page is above the bar').toBe(true)
  await open.click()
  await expect(agent(page).getByLabel('Your words')).toBeVisible()
  await expect(agent(page).getByRole('listitem')).toHaveCount(3)
  await agent(page).getByRole('button', { name: 'Minimise' }).click()
  await expect(agent(page).getByLabel('Your words')).toBeHidden()
  await agent(page).getByRole('button', { name: 'Hang up' }).click()
  await expect(agent(page)).toBeHidden()
})

for (const size of sizes) {
  test(`at ${size.width} pixels the agent does not cover what its own link leads to`, async ({ page }) => {
    await page.setViewportSize(size)
    await page.goto('/contact')
    await ask(page, 'Which languages can the agent speak?')
    // Its first paragraph: a long answer goes on below the agent's bar.
    const meets = () =>
      page.evaluate(() => {
        const bar = document.querySelector('dialog[open]')!.getBoundingClientRect()
        const target = document.querySelector('#languages p')!.getBoundingClientRect()
        return (
          target.top < bar.bottom &&
          bar.top < target.bottom &&
          target.left < bar.right &&
          bar.left < target.right
        )
      })
    await agent(page).getByRole('link', { name: 'Which languages can the agent speak?' }).click()
    await expect(page).toHaveURL('/faq#languages')
    await expect(agent(page)).toBeVisible()
    await expect(agent(page).locator(':focus')).toHaveCount(0)
    await expect(page.locator('#languages')).toBeInViewport()
    expect(await meets()).toBe(false)
    // The link also leads to a place on the same page.
    await agent(page).getByRole('button', { name: 'Open' }).click()
    await agent(page).getByRole('link', { name: 'Which languages can the agent speak?' }).click()
    await expect(agent(page).getByRole('button', { name: 'Open' })).toBeVisible()
    expect(await meets()).toBe(false)
  })
}

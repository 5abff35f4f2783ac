import { readFileSync } from 'node:fs'
import { listedPages, unlistedPages } from '../support/public-pages.ts'
import { expect, expectToast, openSignedIn, test } from './fixtures.ts'
import { expectSound, inEveryDress } from './dress.ts'
import { expectFocusInOrder, expectSkipLink, open, toTheStart } from './keyboard-fixtures.ts'

/** Paths that lead to pricing, and what they say there. */
const detours = [
  { path: '/signup', says: 'Missing Token' },
  { path: '/checkout?plan=nope', says: 'Invalid Plan' },
]

const colourOf = (path: string): string =>
  /^colour: (\w+)/m.exec(readFileSync(`content${path}.md`, 'utf8'))?.[1] ?? ''
const isIndustry = (path: string): boolean => path.startsWith('/industries/')
/** The pages of industries have one form: one page stands for all of its colour. */
const isSeenByAnother = (path: string): boolean =>
  isIndustry(path) &&
  listedPages.find((other) => isIndustry(other) && colourOf(other) === colourOf(path)) !== path

for (const path of [...listedPages, ...unlistedPages].filter((each) => !isSeenByAnother(each))) {
  test(`${path} can be walked by keyboard, and has no axe violation, no console message and no sideways scroll`, async ({
    page,
  }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await open(page, path)
    await expectSkipLink(page)
    for (const width of [360, 1440]) {
      await test.step(`${width} px`, async () => {
        await page.setViewportSize({ width, height: 800 })
        await toTheStart(page)
        await expectFocusInOrder(page)
      })
    }
    await toTheStart(page)
    await inEveryDress(page, (dress) => expectSound(page, dress))
  })
}

test('the login that follows a signup has no axe violation and no sideways scroll', async ({ page }) => {
  await page.goto('/login?email=a%40hotel.example&from=signup')
  await inEveryDress(page, (dress) => expectSound(page, dress))
})

for (const { path, says } of detours) {
  test(`${path} leads to pricing, and the toast that says why passes the same checks`, async ({ page }) => {
    await inEveryDress(page, async (dress) => {
      // A toast stays for seconds, not for all of these.
      await page.goto(path)
      await expect(page).toHaveURL(/\/pricing\/?$/)
      await expectToast(page, says)
      await expectSound(page, dress, '[data-toaster]')
    })
  })
}

test('the portal’s tabs and the onboarding can be walked by keyboard, and have no axe violation and no sideways scroll', async ({
  page,
  customer,
}) => {
  await openSignedIn(page, await customer({ onboarded: true }))
  for (const path of [
    '/portal',
    '/portal/bookings',
    '/portal/agent',
    '/portal/voice',
    '/portal/billing',
    '/portal/connections',
    '/portal/settings',
    '/onboarding',
  ]) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await inEveryDress(page, (dress) => expectSound(page, dress))
    await page.keyboard.press('Shift')
    await expect(page.locator('[data-voice-loaded][hidden]')).toHaveCount(0)
    await toTheStart(page)
    await expectFocusInOrder(page)
  }
})

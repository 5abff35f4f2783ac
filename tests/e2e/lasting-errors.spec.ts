import type { Locator, Page } from '@playwright/test'
import {
  answerChallenge,
  expect,
  expectToast,
  freshEmail,
  openSignedIn,
  subscribe,
  test,
  toast,
  typeCard,
} from './fixtures.ts'
import { axeViolations } from '../support/axe.ts'

test.use({ allowedConsole: /status of (400|402|406|422|429)|net::ERR_FAILED/ })

const widths = [360, 768, 1440, 1920]

/** Returns whether two elements share a part of the window. */
async function overlap(one: Locator, other: Locator): Promise<boolean> {
  const [a, b] = await Promise.all([one.boundingBox(), other.boundingBox()])
  if (!a || !b) throw new Error('An element has no box')
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
}

/** Expects a border and a sentence with a lamp at the field, as its description. */
async function expectProblem(field: Locator, frame: Locator, sentence: string): Promise<void> {
  await expect(field).toHaveAccessibleDescription(new RegExp(`^${RegExp.escape(sentence)}`))
  await expect(frame).toHaveCSS('border-top-width', '2px')
  const problem = field.page().locator('[id$=-problem]', { hasText: sentence })
  await expect(problem).toBeVisible()
  const lamp = await problem.evaluate((each) => getComputedStyle(each, '::before').width)
  expect(lamp).toBe('10px')
}

/** Expects that the sentence is still there when the toast is not. */
async function expectToStay(page: Page, sentence: string): Promise<void> {
  await toast(page).getByRole('button', { name: 'Dismiss' }).click()
  await expect(toast(page)).toHaveCount(0)
  await expect(page.locator('[id$=-problem]', { hasText: sentence })).toBeVisible()
}

test('a wrong password stays at its field until something is corrected', async ({ page }) => {
  await page.goto('/login')
  const email = page.getByLabel('Email')
  const password = page.getByLabel('Password', { exact: true })
  const submit = page.getByRole('button', { name: 'Log in' })
  await email.fill('nobody@hotel.example')
  await password.fill('not-this-one')
  await expect(submit).toBeEnabled()
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of widths) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.setViewportSize({ width, height: 740 })
      await password.press('Enter')
      await expectToast(page, 'Sign in Failed', 'Invalid login credentials')
      // Under the pointer a toast stays longer than its five seconds.
      await toast(page).hover()
      await expectProblem(password, password, 'Invalid login credentials.')
      await expect(password).toHaveAttribute('aria-invalid', 'true')
      await expect(password).toBeFocused()
      for (const each of [email, password, submit])
        expect(await overlap(toast(page), each), `${width}`).toBe(false)
      expect(await axeViolations(page)).toEqual([])
    }
  await expectToStay(page, 'Invalid login credentials.')
  await password.press('Enter')
  await expectToast(page, 'Sign in Failed')
  await email.press('End')
  await page.keyboard.type('x')
  await expect(toast(page)).toHaveCount(0)
  await expect(page.locator('[id$=-problem]')).toHaveCount(0)
  await expect(password).toHaveAttribute('aria-invalid', 'false')
})

test('if the provider asks to wait, no field is wrong, and a link stays valid', async ({ page }) => {
  const message = 'Request rate limit reached'
  await page.route(/auth\/v1\/(token|verify)/, (route) =>
    route.fulfill({ status: 429, json: { code: 429, error_code: 'over_request_rate_limit', msg: message } }),
  )
  await page.goto('/login')
  const password = page.getByLabel('Password', { exact: true })
  const submit = page.getByRole('button', { name: 'Log in' })
  await page.getByLabel('Email').fill('nobody@hotel.example')
  await password.fill('front-desk-1')
  await expect(submit).toBeEnabled()
  await password.press('Enter')
  await expectToast(page, 'Sign in Failed', message)
  await expect(submit).toBeFocused()
  await expect(submit).toHaveAccessibleDescription(`${message}.`)
  await expect(password).toHaveAttribute('aria-invalid', 'false')

  await page.goto('/signup?token=a-good-one')
  await expect(page.getByRole('alert')).toContainText('The link is still valid.')
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
  await expect(page).toHaveURL('/signup')

  // The token is out of the URL, and yet the page has it after a reload and after Back.
  const verified = () =>
    page.waitForRequest(/auth\/v1\/verify/).then((request) => request.postDataJSON() as object)
  const [again] = await Promise.all([verified(), page.reload()])
  expect(again).toMatchObject({ token_hash: 'a-good-one' })
  await page.getByRole('link', { name: 'Get a new one' }).click()
  await expect(page).toHaveURL('/resend')
  await page.goBack()
  await page.getByRole('button', { name: 'Try again' }).click()
  const [asked] = await Promise.all([verified(), page.getByRole('button', { name: 'Try again' }).click()])
  expect(asked).toMatchObject({ token_hash: 'a-good-one' })
})

test('a declined card and a failed 3-D Secure stay at the card until it is changed', async ({ page }) => {
  await page.goto('/checkout?plan=growth')
  const card = page.getByRole('group', { name: 'Card details' })
  const submit = page.getByRole('button', { name: 'Subscribe Securely' })
  await subscribe(page, freshEmail(), { number: '4000 0000 0000 0002' })
  await expectToast(page, 'Your card was declined.')
  await expectProblem(card, page.locator('#card'), 'Your card was declined.')
  await expect(page.locator('#card iframe')).toBeFocused()
  await expect(submit).toBeEnabled()
  for (const width of widths) {
    await page.setViewportSize({ width, height: 740 })
    await submit.scrollIntoViewIfNeeded()
    if (await toast(page).isVisible()) expect(await overlap(toast(page), submit)).toBe(false)
  }
  await page.emulateMedia({ colorScheme: 'dark' })
  const ink = await page.locator('#card').evaluate((each) => getComputedStyle(each).color)
  await expect(page.frameLocator('#card iframe').locator('input[name=cardnumber]')).toHaveCSS('color', ink)
  // The provider reports a change of the card's state, as deleting a digit is.
  await typeCard(page, { number: '4000 0025 0000' })
  await typeCard(page, { number: '4000 0025 0000 3155' })
  await expect(toast(page)).toHaveCount(0)
  await expect(page.locator('[id$=-problem]')).toHaveCount(0)
  await submit.click()
  await answerChallenge(page, 'Fail')
  await expectToast(page, 'Payment Failed')
  await expectProblem(card, page.locator('#card'), 'We are unable to authenticate your payment method')
  await expectToStay(page, 'We are unable to authenticate')
})

test('a link that cannot be requested says so above its button', async ({ page }) => {
  await page.route('**/.netlify/functions/resend-link', (route) =>
    route.fulfill({ status: 422, json: { error: { code: 'invalid_request', message: 'Not today.' } } }),
  )
  await page.goto('/resend')
  const email = page.getByLabel('Email')
  const submit = page.getByRole('button', { name: 'Send the link' })
  await email.fill('nobody@')
  await submit.click()
  await expectProblem(email, email, 'Enter a complete email address')
  await email.fill('nobody@hotel.example')
  await expect(page.locator('[id$=-problem]')).toHaveCount(0)
  await submit.click()
  await expect(page.getByRole('alert')).toHaveText('Not today.')
  await expect(submit).toBeFocused()
  await expect(submit).toHaveAccessibleDescription('Not today.')
})

test('in the set-up a toast never covers Next, and leaves with the step or the choice', async ({
  page,
  customer,
}) => {
  await openSignedIn(page, await customer({ plan: 'starter' }), '/onboarding')
  const next = page.getByRole('button', { name: 'Next' })
  await next.click()
  await next.click()
  for (const width of widths) {
    await page.setViewportSize({ width, height: 740 })
    await next.click()
    await expectToast(page, 'Please select an industry template.')
    expect(await overlap(toast(page), next), `${width} pixels`).toBe(false)
  }
  const choose = (name: RegExp) => page.getByRole('radio', { name }).check()
  await choose(/^Retail Shops/)
  await expect(toast(page)).toHaveCount(0)
  await page.route('**/rest/v1/agent_settings*', (route) =>
    route.request().method() === 'GET' ? route.continue() : route.abort(),
  )
  await choose(/^Healthcare/)
  await expectToast(page, 'Your choice was not saved')
  // The five seconds of a toast stop while its window is not the active one.
  await page.evaluate(() => window.dispatchEvent(new Event('blur')))
  await page.unrouteAll()
  await choose(/^Retail Shops/)
  await expect(toast(page)).toHaveCount(0)
})

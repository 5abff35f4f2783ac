import { expect, expectToast, freshEmail, logIn, openSignedIn, subscribe, test, toast } from './fixtures.ts'
import { centsOf } from '../support/plan-facts.ts'
import { exactPrice } from '#plans/domain/plans.ts'

test.use({ allowedConsole: /status of (400|401|403|406|422)/ })

const invalidLink =
  'This account creation link is invalid or has expired. Please start over from the pricing page.'

test('signup without a token leads to pricing', async ({ page }) => {
  await page.goto('/signup')
  await expect(page).toHaveURL(/\/pricing\/?$/)
  await expectToast(page, 'Missing Token', 'Account creation link is incomplete. Please try again.')
})

test('signup with an invalid token leads to pricing', async ({ page }) => {
  await page.goto('/signup?token=garbage')
  await expect(page).toHaveURL(/\/pricing\/?$/)
  await expectToast(page, 'Invalid Link', invalidLink)
})

test('a signup link works once', async ({ page, browser }) => {
  let link = ''
  page.on('framenavigated', (frame) => {
    if (frame.url().includes('token=')) link = frame.url()
  })
  await page.goto('/checkout?plan=starter')
  await subscribe(page, freshEmail(), { number: '4242 4242 4242 4242' })
  await expect(page.getByRole('heading', { name: 'Create Your Account' })).toBeVisible()
  const stranger = await browser.newPage()
  await stranger.goto(link)
  await expect(stranger).toHaveURL(/\/pricing\/?$/)
  await expectToast(stranger, 'Invalid Link', invalidLink)
  await stranger.close()
})

test('passwords must match and be long enough, and typed values are kept', async ({ page }) => {
  await page.goto('/checkout?plan=starter')
  await subscribe(page, freshEmail(), { number: '4242 4242 4242 4242' })
  const password = page.getByLabel('Password', { exact: true })
  const confirm = page.getByLabel('Confirm Password', { exact: true })
  const create = page.getByRole('button', { name: 'Create My Account' })
  await password.fill('front-desk-1')
  await confirm.fill('front-desk-2')
  await create.click()
  await expectToast(page, 'Passwords do not match', 'Please re-enter your password.')
  await expect(password).toHaveValue('front-desk-1')
  await password.fill('short')
  await confirm.fill('short')
  await create.click()
  await expectToast(page, 'Password too short', 'Password must be at least 6 characters.')
})

test('if setting the password fails, the button is enabled again without a message', async ({ page }) => {
  await page.goto('/checkout?plan=starter')
  await subscribe(page, freshEmail(), { number: '4242 4242 4242 4242' })
  await page.getByLabel('Password', { exact: true }).fill('front-desk-1')
  await page.getByLabel('Confirm Password', { exact: true }).fill('front-desk-1')
  await page.route('**/auth/v1/user', (route) =>
    route.request().method() === 'PUT'
      ? route.fulfill({ status: 422, json: { code: 422, error_code: 'weak_password', msg: 'Weak' } })
      : route.continue(),
  )
  await page.getByRole('button', { name: 'Create My Account' }).click()
  await expect(page.getByRole('button', { name: 'Create My Account' })).toBeEnabled()
  await expect(page).toHaveURL(/\/signup/)
  await expect(toast(page)).toHaveCount(0)
})

test('a forgotten password is reset by the link in the mail', async ({ page, request, customer }) => {
  const { email } = await customer({ onboarded: true })
  await page.goto('/login')
  await page.getByRole('link', { name: /forgot/i }).click()
  // The log-in page has such a field, too.
  await expect(page).toHaveURL('/forgot-password')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: /send|reset/i }).click()
  await expect(
    page.getByText(`If there is an account for ${email}, a link to set a new password`),
  ).toBeVisible()

  const mailTo = async () => {
    const mails = (await (await request.get('/local/mail')).json()) as { to: string; links: string[] }[]
    return mails.find((mail) => mail.to === email)?.links[0] ?? ''
  }
  await expect.poll(mailTo).toContain('/new-password')
  await page.goto(await mailTo())
  const fields = page.locator('input[autocomplete=new-password]')
  await fields.nth(0).fill('another-desk-2')
  await fields.nth(1).fill('another-desk-2')
  await page.locator('button[type=submit]').click()
  await expect(page).toHaveURL(/\/login/)
  await logIn(page, { id: '', email, password: 'another-desk-2' })
  await expect(page).toHaveURL(/\/portal/)
})

test('the portal changes the password, and shows what is wrong with a new one', async ({
  page,
  customer,
}) => {
  const account = await customer({ onboarded: true })
  await openSignedIn(page, account)
  await page.getByRole('link', { name: 'Settings' }).click()
  await expect(page).toHaveURL(/\/portal\/settings/)
  const fields = page.locator('input[autocomplete=new-password]')
  const save = page.getByRole('button', { name: 'Update password' })
  await fields.nth(0).fill('one-password')
  await fields.nth(1).fill('two-password')
  await save.click()
  await expectToast(page, 'Passwords do not match')
  await fields.nth(0).fill('tiny')
  await fields.nth(1).fill('tiny')
  await save.click()
  await expectToast(page, 'Password too short')
  await fields.nth(0).fill('one-password')
  await fields.nth(1).fill('one-password')
  await save.click()
  await expectToast(page, 'Password updated')
  await expect(page.getByText('At least 6 characters.')).toBeVisible()
})

test('billing opens the provider’s portal, and shows the changes made there', async ({ page, customer }) => {
  await openSignedIn(page, await customer({ onboarded: true }))
  await page.getByRole('link', { name: 'Billing', exact: true }).click()
  await page.getByRole('button', { name: /manage billing/i }).click()
  await expect(page).toHaveURL(/\/local\/stripe\/portal\//)
  await expect(page.getByText(`${exactPrice(centsOf('growth'))} a month`)).toBeVisible()
  await page.getByRole('button', { name: 'Cancel at the end of the period' }).click()
  await expect(page.getByText('Ends on')).toBeVisible()
  await page
    .getByRole('link', { name: /return|back/i })
    .first()
    .click()
  await expect(page).toHaveURL(/\/portal\/billing/)
  await expect(async () => {
    await page.reload()
    await expect(page.getByText('Ends', { exact: true })).toBeVisible({ timeout: 2_000 })
  }).toPass()
  await expect(page.getByText('Renews', { exact: true })).toBeHidden()
})

import { local, mounts } from '../../local/environment.ts'
import {
  answerChallenge,
  expect,
  expectToast,
  freshEmail,
  openSignedIn,
  subscribe,
  test,
  typeCard,
} from './fixtures.ts'
import { minutesOf, planName, priceText } from '../support/plan-facts.ts'
import { grouped } from '#platform/domain/text/numbers.ts'

test.use({ allowedConsole: /status of (400|402|406|409|500|502)|net::ERR_FAILED/ })

test('failed 3-D Secure is reported, the form stays, and the next try leads to the account', async ({
  page,
}) => {
  const email = freshEmail()
  await page.goto('/checkout?plan=growth')
  await subscribe(page, email, { number: '4000 0025 0000 3155' })
  await answerChallenge(page, 'Fail')
  await expectToast(page, 'Payment Failed', 'We are unable to authenticate your payment method')
  await expect(page.getByLabel('Email Address (for your account)')).toHaveValue(email)
  await typeCard(page, { number: '4000 0025 0000 3155' })
  await page.getByRole('button', { name: 'Subscribe Securely' }).click()
  await expect(page.getByRole('button', { name: 'Processing...' })).toBeDisabled()
  await answerChallenge(page, 'Complete')
  await expect(page).toHaveURL(/\/signup/)
  await expect(page.getByRole('heading', { name: 'Create Your Account' })).toBeVisible()
})

test.describe('while scripts do not load', () => {
  test.use({ allowedConsole: /ERR_FAILED|Error hydrating/ })
  test('the amount is there', async ({ page }) => {
    await page.route('**/_astro/*.js', (route) => route.abort())
    await page.goto('/checkout?plan=pro')
    const terms = page.getByText('your card will be charged')
    await expect(terms).toContainText(`charged ${priceText('pro')} today`, { useInnerText: true })
  })
})

test('both empty fields are marked at once, each until it is filled in', async ({ page }) => {
  await page.goto('/checkout?plan=pro')
  await expect(page.getByText('Loading the secure card field')).toBeHidden()
  await page.getByRole('button', { name: 'Subscribe Securely' }).click()
  const card = page.getByText('Enter your card details.')
  await expect(card).toBeVisible()
  const email = page.getByLabel('Email Address (for your account)')
  await expect(email).toHaveAccessibleDescription(/^Enter your email address\./)
  await email.fill('desk@hotel.example')
  await expect(email).toHaveAccessibleDescription('You will log in with this address.')
  await expect(card).toBeVisible()
  await expect(email).toBeFocused()
})

test('an existing account is sent to the login page', async ({ page, customer }) => {
  const { email } = await customer()
  await page.goto('/checkout?plan=growth')
  await subscribe(page, email, { number: '4242 4242 4242 4242' })
  await expect(page).toHaveURL(`/login?email=${encodeURIComponent(email)}`)
  await expectToast(
    page,
    'Account Exists',
    'An account with this email already exists. Please log in to manage your subscription.',
  )
  await expect(page.getByLabel('Email')).toHaveValue(email)
})

test('a customer whose subscription runs is led from pricing to the preview of the plan that was chosen there', async ({
  page,
  customer,
}) => {
  const account = await customer({ onboarded: true })
  await openSignedIn(page, account, '/pricing')
  await page
    .getByRole('link', { name: `Choose ${planName('pro')}` })
    .first()
    .click()
  await expect(page).toHaveURL('/portal/billing')
  await expect(page.getByRole('alertdialog')).toContainText(`Upgrade to ${planName('pro')}`)
  await expectToast(page, 'Account Exists')
})

test('a customer whose subscription has ended buys again from the portal', async ({
  page,
  customer,
  secret,
  request,
}) => {
  const account = await customer({ onboarded: true })
  const row = async () =>
    (
      await secret
        .from('user_subscriptions')
        .select('status, plan, stripe_customer_id, stripe_subscription_id, onboarding_completed')
        .eq('user_id', account.id)
        .single()
        .throwOnError()
    ).data
  const before = await row()
  const ended = await request.delete(`${mounts.stripe}/v1/subscriptions/${before.stripe_subscription_id}`, {
    headers: { authorization: `Bearer ${local.stripeSecretKey}` },
  })
  expect(ended.status()).toBe(200)
  await expect.poll(async () => (await row()).status, { timeout: 30_000 }).toBe('canceled')

  await openSignedIn(page, account)
  await page.getByRole('link', { name: 'Choose a plan' }).click()
  await expect(page.getByText('canceled')).toBeVisible()
  await page.getByRole('link', { name: `Choose ${planName('pro')}` }).click()
  const email = page.getByLabel('Email Address (for your account)')
  await expect(email).toHaveValue(account.email)
  await expect(email).not.toBeEditable()
  await typeCard(page, { number: '4000 0000 0000 0341' })
  await page.getByRole('button', { name: 'Subscribe Securely' }).click()
  await expectToast(page, 'Your card was declined.')
  await typeCard(page, { number: '4000 0025 0000 3155' })
  await page.getByRole('button', { name: 'Subscribe Securely' }).click()
  await answerChallenge(page, 'Complete')
  await expect(page).toHaveURL('/portal')
  await expectToast(page, 'Payment successful!')
  await expect(page.getByText('Active', { exact: true })).toBeVisible()
  await expect(page.getByRole('heading', { name: planName('pro'), exact: true })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Choose a plan' })).toHaveCount(0)
  const after = await row()
  expect(after).toMatchObject({
    status: 'active',
    plan: 'pro',
    stripe_customer_id: before.stripe_customer_id,
    onboarding_completed: true,
  })
  expect(after.stripe_subscription_id).not.toBe(before.stripe_subscription_id)
})

test('a customer who owes minutes is told so before paying, and in the portal afterwards', async ({
  page,
  customer,
}) => {
  const account = await customer({ onboarded: true })
  // More than one month of the smallest plan, less than two.
  const debt = minutesOf('starter') + 50
  let shown = {
    status: 'canceled',
    minutes_limit: 0,
    minutes_used: debt,
    minutes_taken: 0,
    minutes_owed: debt,
  }
  await page.route('**/rest/v1/subscription_overview*', async (route) => {
    const response = await route.fetch()
    const rows = (await response.json()) as object[]
    await route.fulfill({ response, json: rows.map((row) => ({ ...row, ...shown })) })
  })
  await openSignedIn(page, account)
  await page.getByRole('link', { name: 'Choose a plan' }).click()
  const owed = `${grouped(debt)} minutes that your last plan used without payment are taken from`
  await expect(page.getByText(`${owed} the first minutes of your next plan.`)).toBeVisible()
  await page.getByRole('link', { name: `Choose ${planName('starter')}` }).click()
  await expect(page.getByText(`${owed} the first 2 months.`)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Subscribe Securely' })).toBeEnabled()
  // The card field has loaded before the page is left.
  await typeCard(page, { number: '4242 4242 4242 4242' })

  const rest = minutesOf('growth') - debt
  shown = { status: 'active', minutes_limit: rest, minutes_used: 0, minutes_taken: debt, minutes_owed: 0 }
  await page.goto('/portal')
  const taken = `${grouped(debt)} minutes that were used without payment before have been taken from this period.`
  await expect(page.getByText(taken)).toBeVisible()
  await expect(page.getByText(`0 of ${grouped(rest)} minutes`)).toBeVisible()
  await page.goto('/portal/billing')
  await expect(page.getByText(taken)).toBeVisible()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

test('a payment script that does not load within 15 seconds can be tried again, and the e-mail stays', async ({
  page,
}) => {
  await page.clock.install()
  await page.route('**/stripe.js', () => new Promise(() => undefined), { times: 1 })
  const asked = page.waitForRequest('**/stripe.js')
  await page.goto('/checkout?plan=growth', { waitUntil: 'commit' })
  await asked
  const email = page.getByLabel('Email Address (for your account)')
  // The toaster is loaded with the first key.
  const toaster = page.waitForResponse(/\/toaster\./)
  await email.fill('frontdesk@hotel.example')
  // It has loaded once its imports have, too: else the page says that it is late, as it does of any file.
  await page.evaluate((file) => import(file) as Promise<unknown>, (await toaster).url())
  await page.clock.fastForward(15_000)
  await expect(page.getByRole('alert')).toContainText('The card field did not load.')
  await page.getByRole('button', { name: 'Try again' }).click()
  await typeCard(page, { number: '4242 4242 4242 4242' })
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expect(email).toHaveValue('frontdesk@hotel.example')
  await expect(page.getByRole('button', { name: 'Subscribe Securely' })).toBeEnabled()
})

test('an invalid e-mail stays in its field with a message', async ({ page }) => {
  await page.goto('/checkout?plan=growth')
  const email = page.getByLabel('Email Address (for your account)')
  await email.fill('frontdesk@')
  await typeCard(page, { number: '4242 4242 4242 4242' })
  await page.getByRole('button', { name: 'Subscribe Securely' }).click()
  await expect(email).toHaveAttribute('aria-invalid', 'true')
  await expect(email).toBeFocused()
  await expect(email).toHaveValue('frontdesk@')
})

test('a double click buys once', async ({ page }) => {
  const posts: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('create-stripe-subscription')) posts.push(request.url())
  })
  await page.goto('/checkout?plan=growth')
  await page.getByLabel('Email Address (for your account)').fill(freshEmail())
  await typeCard(page, { number: '4242 4242 4242 4242' })
  await page.getByRole('button', { name: 'Subscribe Securely' }).dblclick()
  await expect(page).toHaveURL(/\/signup/)
  expect(posts).toHaveLength(1)
})

test('price, note and links are as specified', async ({ page }) => {
  await page.goto('/checkout?plan=pro')
  await expect(page.getByText(priceText('pro')).first()).toBeVisible()
  await expect(page.getByRole('link', { name: 'Terms of Service' })).toHaveAttribute('href', /\/terms/)
  await expect(page.getByText(`your card will be charged ${priceText('pro')}`)).toBeVisible()
})

import type { APIRequestContext, Page, Route } from '@playwright/test'
import { local, mounts } from '../../local/environment.ts'
import { expect, expectToast, freshEmail, openSignedIn, subscribe, test, typeCard } from './fixtures.ts'

test.use({ allowedConsole: /status of (406|409|504)|net::ERR_/ })

const paying = { number: '4242 4242 4242 4242' }
const payment = '**/.netlify/functions/create-stripe-subscription'
const press = (page: Page) => page.getByRole('button', { name: 'Subscribe Securely' }).click()

/** Loses the server's answer on its way to the browser. */
const cutConnection = async (route: Route): Promise<void> => {
  await route.fetch()
  await route.abort('connectionreset')
}
/** Puts a proxy's error page in the place of the server's answer. */
const timeOutAtProxy = async (route: Route): Promise<void> => {
  await route.fetch()
  await route.fulfill({ status: 504, contentType: 'text/html', body: '<h1>504 Gateway Time-out</h1>' })
}

const stripeList = async <Row>(request: APIRequestContext, path: string): Promise<Row[]> => {
  const answer = await request.get(`${mounts.stripe}/v1/${path}`, {
    headers: { authorization: `Bearer ${local.stripeSecretKey}` },
  })
  return ((await answer.json()) as { data: Row[] }).data
}
const chargesOf = async (request: APIRequestContext, email: string): Promise<number> => {
  const customers = await stripeList<{ id: string }>(request, `customers?email=${encodeURIComponent(email)}`)
  const charges = customers.map(({ id }) => stripeList<{ paid: boolean }>(request, `charges?customer=${id}`))
  return (await Promise.all(charges)).flat().filter(({ paid }) => paid).length
}

test('180. Without any answer the page says that nobody knows, and the next press leads to the account', async ({
  page,
  request,
  secret,
}) => {
  const email = freshEmail()
  await page.route(payment, timeOutAtProxy, { times: 1 })
  await page.route(payment, cutConnection, { times: 1 })
  await page.goto('/checkout?plan=growth')
  await subscribe(page, email, paying)
  await expectToast(page, 'We do not know yet', 'Your card may have been charged.')
  const account = async () => (await secret.from('users').select('email').eq('email', email)).data
  await expect.poll(account).toEqual([{ email }])

  // The way to the link is at the button too, where it stays.
  const link = page.locator('form').getByRole('link', { name: 'Get the link to my account' })
  await expect(link).toHaveAttribute('href', `/resend?email=${encodeURIComponent(email)}`)
  await expect(page.getByRole('button', { name: 'Subscribe Securely' })).toBeFocused()

  await press(page)
  await expect(page).toHaveURL(/\/signup/)
  await expect(page.getByLabel('Email')).toHaveValue(email)
  expect(await chargesOf(request, email)).toBe(1)
})

test('180. After a reload another card is led to the link, and is not charged', async ({
  page,
  request,
  secret,
}) => {
  const email = freshEmail()
  await page.route(payment, cutConnection, { times: 2 })
  await page.goto('/checkout?plan=growth')
  await subscribe(page, email, paying)
  await expectToast(page, 'We do not know yet')
  const account = async () => (await secret.from('users').select('email').eq('email', email)).data
  await expect.poll(account).toEqual([{ email }])
  await page.reload()
  await subscribe(page, email, { number: '5555 5555 5555 4444' })
  await expect(page).toHaveURL(`/resend?email=${encodeURIComponent(email)}`)
  await expectToast(page, 'Your payment may have gone through')
  await expect(page.getByLabel('Email')).toHaveValue(email)
  await page.getByRole('button', { name: 'Send the link' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Check your email')
  const links = async () => {
    const mails = (await (await request.get('/local/mail')).json()) as { to: string; links: string[] }[]
    return mails.find(({ to }) => to === email)?.links[0]
  }
  await expect.poll(links).toContain('/new-password?token=')
  expect(await chargesOf(request, email)).toBe(1)
})

test.describe('a customer who buys again', () => {
  /** Opens the checkout with an account whose subscription has ended, and loses both answers after the charge. */
  const loseAnswers = async (
    page: Page,
    request: APIRequestContext,
    account: { email: string; password: string },
  ): Promise<void> => {
    const [customer] = await stripeList<{ id: string }>(
      request,
      `customers?email=${encodeURIComponent(account.email)}`,
    )
    const [subscription] = await stripeList<{ id: string }>(request, `subscriptions?customer=${customer?.id}`)
    await request.delete(`${mounts.stripe}/v1/subscriptions/${subscription?.id}`, {
      headers: { authorization: `Bearer ${local.stripeSecretKey}` },
    })
    await openSignedIn(page, account)
    await page.getByRole('link', { name: 'Choose a plan' }).click()
    await page.route(payment, cutConnection, { times: 2 })
    await page.goto('/checkout?plan=pro')
    await typeCard(page, paying)
    await press(page)
    await expectToast(page, 'We do not know yet', 'your portal shows the plan within minutes')
    const link = page.locator('form').getByRole('link', { name: 'Look in the portal' })
    await expect(link).toHaveAttribute('href', '/portal/billing')
  }

  test('180. She reloads the page after two lost answers, and is told that she has paid', async ({
    page,
    customer,
    secret,
    request,
  }) => {
    const account = await customer({ onboarded: true })
    await loseAnswers(page, request, account)
    const plan = async () =>
      (await secret.from('user_subscriptions').select('plan, status').eq('user_id', account.id)).data
    await expect.poll(plan).toEqual([{ plan: 'pro', status: 'active' }])
    await page.reload()
    await expect(page).toHaveURL('/portal')
    await expectToast(page, 'Payment successful!')
    expect(await chargesOf(request, account.email)).toBe(2)
  })
})

import { axeViolations } from '../support/axe.ts'
import { reportCall } from '../support/call-report.ts'
import { expect, openSignedIn, test } from './fixtures.ts'

test('a customer makes a key that works, tests a webhook, and revokes the key', async ({
  page,
  customer,
  request,
  baseURL,
}) => {
  const account = await customer({ onboarded: true })
  await reportCall(baseURL ?? '', account.id, { about: 'A room with a view' })
  await openSignedIn(page, account, '/portal/connections')
  const integrations = page.getByRole('main')
  await expect(integrations.getByRole('region')).toHaveCount(3)
  await integrations.getByRole('heading', { name: 'My own program' }).click()
  await expect(integrations.getByText('No keys yet.')).toBeVisible()

  await integrations.getByRole('button', { name: 'Create API key' }).click()
  await expect(integrations.getByRole('alert')).toHaveText(
    'Enter a name, so that you can tell it from others.',
  )
  await integrations.getByLabel('Name of the key').fill('Front desk')
  await integrations.getByRole('button', { name: 'Create API key' }).click()
  const key = await integrations.getByRole('group', { name: 'Your API key' }).getByText(/^key_/).textContent()
  const read = () =>
    request.get('/.netlify/functions/api-calls', { headers: { authorization: `Bearer ${key}` } })
  expect(await (await read()).json()).toMatchObject({ items: [{ about: 'A room with a view' }] })

  await integrations.getByRole('heading', { name: 'My customer system' }).click()
  await integrations.getByLabel('Address', { exact: true }).fill('https://127.0.0.1/hook')
  await integrations.getByRole('button', { name: 'Add webhook' }).click()
  await expect(integrations.getByText(/^whsec_/)).toBeVisible()
  await integrations.getByRole('button', { name: 'Send a test to 127.0.0.1' }).click()
  await expect(integrations.getByText('The test did not arrive: not a public address.')).toBeVisible()
  await integrations.getByText('Latest messages').click()
  await expect(integrations.getByText('Failed, not a public address')).toBeVisible()
  expect(await axeViolations(page)).toEqual([])

  await page.reload()
  await integrations.getByRole('heading', { name: 'My own program' }).click()
  await expect(integrations.getByText(`ends in ${key?.slice(-4)}`)).toBeVisible()
  await expect(integrations.getByText(/^key_/)).toHaveCount(0)
  await integrations.getByRole('button', { name: 'Revoke Front desk' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
  await expect(integrations.getByText('No keys yet.')).toBeVisible()
  expect((await read()).status()).toBe(401)
})

test.describe('a calendar', () => {
  test.use({ allowedConsole: /status of 400/ })

  test('is found on a server, connected and tested, by keyboard', async ({ page, customer }) => {
    const account = await customer({ onboarded: true })
    await openSignedIn(page, account, '/portal/connections')
    const integrations = page.getByRole('main')
    await integrations.locator('summary').filter({ hasText: 'My calendar' }).press('Enter')
    await integrations.getByRole('radio', { name: /^By invitation/ }).press('ArrowDown')
    const find = integrations.getByRole('button', { name: 'Find calendars' })
    await integrations.getByLabel('Address of the calendar server').fill('https://127.0.0.1/')
    await find.press('Enter')
    await expect(integrations.getByRole('alert')).toHaveText(
      'Enter the name that you log in to your calendar with.',
    )
    await integrations.getByLabel('User name').fill('ada')
    await integrations.getByLabel('App password').fill('secret')
    await find.press('Enter')
    await expect(integrations.getByRole('alert')).toContainText('not the address of a public calendar server')
    await expect(integrations.getByLabel('App password')).toHaveValue('secret')

    // The function reaches the public internet alone, where no test server is.
    const calendars = ['Bookings', 'Private'].map((name) => ({ name, url: `https://127.0.0.1/${name}/` }))
    await page.route('**/find-calendars', (route) => route.fulfill({ json: { calendars } }))
    await find.press('Enter')
    await expect(integrations.getByRole('radio', { name: 'Bookings' })).toBeFocused()
    expect(await axeViolations(page)).toEqual([])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(integrations.getByText('Logged in as ada at 127.0.0.1')).toBeVisible()
    const title = integrations.getByRole('heading', { name: 'Write bookings into my calendar' })
    await expect(title).toBeFocused()
    await expect(integrations.getByLabel('App password')).toHaveValue('')
    await integrations.getByRole('button', { name: 'Send a test to Private' }).press('Enter')
    await expect(integrations.getByText('The test did not arrive: not a public address.')).toBeVisible()
    await integrations.getByRole('button', { name: 'Remove Private', exact: true }).press('Enter')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).press('Enter')
    await expect(integrations.getByText('No calendar yet.')).toBeVisible()
    await expect(title).toBeFocused()
  })
})

test('bookings come as invitations to the account’s own address', async ({ page, customer }) => {
  const account = await customer({ onboarded: true })
  await openSignedIn(page, account, '/portal/connections')
  const integrations = page.getByRole('main')
  await integrations.locator('summary').filter({ hasText: 'My calendar' }).press('Enter')
  await expect(integrations.getByRole('radio', { name: `By invitation to ${account.email}` })).toBeChecked()
  expect(await axeViolations(page)).toEqual([])
  await integrations.getByRole('button', { name: 'Send invitations' }).press('Enter')
  await expect(integrations.getByText('Invitations by email')).toBeVisible()
  await integrations.getByRole('button', { name: 'Send a test to my address' }).press('Enter')
  await expect(integrations.getByText('The test was sent to your address.')).toBeVisible()
  await page.goto('/local')
  const mail = page.getByRole('row').filter({ hasText: account.email }).filter({ hasText: 'Test: Test from' })
  await mail.locator('summary').click()
  await expect(mail.getByText('booking.ics (text/calendar; charset=utf-8; method=REQUEST)')).toBeVisible()
})

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
  await openSignedIn(page, account, '/portal/settings')
  const integrations = page.getByRole('region', { name: 'Integrations' })
  await expect(integrations.getByText('No keys yet.')).toBeVisible()

  await integrations.getByRole('button', { name: 'Create API key' }).click()
  await expect(integrations.getByRole('alert')).toHaveText('Enter a name, so that you know it again.')
  await integrations.getByLabel('Name of the key').fill('Front desk')
  await integrations.getByRole('button', { name: 'Create API key' }).click()
  const key = await integrations.getByRole('group', { name: 'Your API key' }).getByText(/^key_/).textContent()
  const read = () =>
    request.get('/.netlify/functions/api-calls', { headers: { authorization: `Bearer ${key}` } })
  expect(await (await read()).json()).toMatchObject({ items: [{ about: 'A room with a view' }] })

  await integrations.getByLabel('Address').fill('https://127.0.0.1/hook')
  await integrations.getByRole('button', { name: 'Add webhook' }).click()
  await expect(integrations.getByText(/^whsec_/)).toBeVisible()
  await integrations.getByRole('button', { name: 'Send a test to 127.0.0.1' }).click()
  await expect(integrations.getByText('The test did not arrive: not a public address.')).toBeVisible()
  await integrations.getByText('Latest messages').click()
  await expect(integrations.getByText('Failed, not a public address')).toBeVisible()
  expect(await axeViolations(page)).toEqual([])

  await page.reload()
  await expect(integrations.getByText(`ends in ${key?.slice(-4)}`)).toBeVisible()
  await expect(integrations.getByText(/^key_/)).toHaveCount(0)
  await integrations.getByRole('button', { name: 'Revoke Front desk' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
  await expect(integrations.getByText('No keys yet.')).toBeVisible()
  expect((await read()).status()).toBe(401)
})

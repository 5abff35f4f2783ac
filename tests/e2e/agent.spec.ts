import { expect, openSignedIn, test } from './fixtures.ts'

test('a customer teaches the agent, and two tabs do not overwrite each other', async ({
  page,
  context,
  customer,
  secret,
}) => {
  const account = await customer({ onboarded: true, plan: 'growth' })
  await openSignedIn(page, account, '/portal/agent')
  const status = page.locator('.saving').getByRole('status')
  await expect(status).toHaveText('Everything you enter is saved by itself.')
  await page.getByLabel('Name of your business').fill('Hotel Lindgren')
  await page.getByLabel('What it does').fill('A hotel by the lake.')
  await page.getByRole('button', { name: 'Enter opening hours' }).click()
  await page.getByLabel('Monday from').fill('07:30')
  await page.getByRole('button', { name: 'Add a question' }).click()
  await page.getByLabel('Question', { exact: true }).fill('Are dogs welcome?')
  await page.getByLabel('Answer', { exact: true }).fill('Yes, for $10 a night.')
  await page.getByLabel('Number of a person').fill('0800 123')
  await expect(page.getByText('Write the number with its country code')).toBeVisible()
  await page.getByLabel('Number of a person').fill('+46 8 123 45 67')
  await expect(status).toHaveText(/^Saved/)

  const stored = async () =>
    (await secret.from('agent_knowledge').select('knowledge').eq('user_id', account.id).single()).data!
      .knowledge
  expect(await stored()).toMatchObject({
    about: 'A hotel by the lake.',
    answers: [{ question: 'Are dogs welcome?', answer: 'Yes, for $10 a night.', origin: 'written' }],
    transfer: { number: '+4681234567', first: 'agent' },
    hours: { mon: [{ from: '07:30', until: '17:00' }], sun: [] },
  })

  const other = await context.newPage()
  // The name arrives last, and is not overwritten by an empty field.
  const taught = other.waitForResponse(/\/agent_knowledge\?/)
  await other.route('**/rest/v1/agent_settings*', async (route) => {
    await taught
    await route.continue()
  })
  await other.goto('/portal/agent')
  await expect(other.getByLabel('Name of your business')).toHaveValue('Hotel Lindgren')
  await expect(other.getByLabel('What it does')).toHaveValue('A hotel by the lake.')
  await page.getByLabel('What it does').fill('One hotel.')
  await expect.poll(async () => (await stored()).about).toBe('One hotel.')
  await other.getByLabel('What it does').fill('Two hotels.')
  await expect(other.getByText('This was changed in another tab')).toBeVisible()
  await expect(other.getByLabel('What it does')).toHaveValue('Two hotels.')
  await other.getByRole('button', { name: 'Keep what is on this page' }).click()
  await expect.poll(async () => (await stored()).about).toBe('Two hotels.')
})

import { reportCall } from '../support/call-report.ts'
import { expect, openParts, openSignedIn, test } from './fixtures.ts'

test('a customer teaches the agent, and two tabs do not overwrite each other', async ({
  page,
  context,
  customer,
  secret,
}) => {
  const account = await customer({ onboarded: true, plan: 'growth' })
  await openSignedIn(page, account, '/portal/agent')
  const status = page.locator('[data-saving]').getByRole('status')
  await expect(status).toHaveText('Everything you enter is saved automatically.')
  await openParts(page, 'The business', 'Opening hours', 'Questions and answers', 'People and numbers')
  await page.getByLabel('Name of your business').fill('Hotel Lindgren')
  await page.getByLabel('What it does').fill('A hotel by the lake.')
  await page.getByRole('button', { name: 'Enter opening hours' }).click()
  await page.getByLabel('Monday from').fill('07:30')
  await page.getByRole('button', { name: 'Copy to weekdays' }).click()
  await expect(page.getByLabel('Friday from')).toHaveValue('07:30')
  await page.getByRole('button', { name: 'Open 24 hours on Saturday' }).click()
  await page.getByRole('button', { name: 'Add a question' }).click()
  await page.getByLabel('Question', { exact: true }).fill('Are dogs welcome?')
  await page.getByLabel('Answer', { exact: true }).fill('Yes, for $10 a night.')
  await page.getByLabel('Transfer calls to').fill('0800 123')
  await expect(page.getByText('Write the number with its country code')).toBeVisible()
  await page.getByLabel('Transfer calls to').fill('+1 900 555 0123')
  await expect(page.getByText('not put through to premium rates')).toBeVisible()
  await page.getByLabel('Transfer calls to').fill('(202) 555-0181')
  await expect(status).toHaveText(/^Saved/)

  const stored = async () =>
    (await secret.from('agent_knowledge').select('knowledge').eq('user_id', account.id).single()).data!
      .knowledge
  expect(await stored()).toMatchObject({
    about: 'A hotel by the lake.',
    answers: [{ question: 'Are dogs welcome?', answer: 'Yes, for $10 a night.', origin: 'written' }],
    transfer: { number: '+12025550181', first: 'agent' },
    hours: {
      mon: [{ from: '07:30', until: '17:00' }],
      fri: [{ from: '07:30', until: '17:00' }],
      sat: [{ from: '00:00', until: '24:00' }],
      sun: [],
    },
  })

  const other = await context.newPage()
  // The name arrives last, and is not overwritten by an empty field.
  const taught = other.waitForResponse(/\/agent_knowledge\?/)
  await other.route('**/rest/v1/agent_settings*', async (route) => {
    await taught
    await route.continue()
  })
  await other.goto('/portal/agent')
  await expect(other.getByText('Hotel Lindgren, A hotel by the lake.')).toBeVisible()
  await openParts(other, 'The business')
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

test('a pasted text proposes entries, and a question that callers asked in vain becomes one', async ({
  page,
  customer,
  secret,
  baseURL,
}) => {
  const account = await customer({ onboarded: true, plan: 'growth' })
  const asked = ['Is there a pool?', 'Do you sell stamps?']
  await reportCall(baseURL ?? '', account.id, {
    transcript: asked.flatMap((text) => [
      { who: 'caller' as const, text },
      { who: 'agent' as const, text: 'I do not have that information.' },
    ]),
  })
  await openSignedIn(page, account, '/portal/agent')
  await openParts(page, 'Import from your website')
  await page.getByText('Paste a text instead').click()
  await page.getByLabel('Text', { exact: true }).fill(
    `Hotel Lindgren
A quiet hotel of forty rooms between the forest and the lake.
Mon-Sun 6am-11pm
Sauna, 60 minutes: $20
Are dogs welcome? Yes, for $10 a night.`,
  )
  await page.getByRole('button', { name: 'Get suggestions' }).click()
  await expect(page.getByText('5 suggestions. Check them')).toBeVisible()
  const proposals = page.locator('[data-proposals]').getByRole('listitem')
  await proposals.filter({ hasText: 'forty rooms' }).getByRole('button', { name: 'Leave out' }).click()
  await proposals.filter({ hasText: 'Sauna' }).getByRole('button', { name: 'Add' }).click()
  await expect(page.getByText('3 suggestions. Check them')).toBeFocused()
  await page.getByRole('button', { name: 'Add all' }).click()
  await expect(page.getByText('nothing more in it')).toBeFocused()
  await openParts(page, 'The business', 'Opening hours')
  await expect(page.getByLabel('Name of your business')).toHaveValue('Hotel Lindgren')
  await expect(page.getByLabel('Monday from')).toHaveValue('06:00')

  const pool = page.getByLabel('“Is there a pool?”')
  await pool.fill('There is one on the roof.')
  await pool.press('Tab')
  await page.getByRole('button', { name: 'Save answer to Is there a pool?' }).click()
  await expect(pool).toBeHidden()
  await page.getByRole('button', { name: 'Dismiss Do you sell stamps?' }).click()
  await expect(page.getByText('Every question of your callers has an answer now.')).toBeFocused()

  const stored = async () =>
    (await secret.from('agent_knowledge').select('knowledge').eq('user_id', account.id).maybeSingle()).data
      ?.knowledge
  await expect.poll(stored).toMatchObject({
    about: '',
    services: [{ name: 'Sauna', price: '$20', minutes: 60 }],
    answers: [
      { question: 'Are dogs welcome?', answer: 'Yes, for $10 a night.', origin: 'imported' },
      { question: 'Is there a pool?', answer: 'There is one on the roof.', origin: 'written' },
    ],
  })
  await page.reload()
  await expect(page.getByText('Hotel Lindgren', { exact: true })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Questions your agent could not answer' })).toBeHidden()
})

test.describe('170. What is typed', () => {
  test.use({ allowedConsole: /net::ERR_INTERNET_DISCONNECTED/ })

  test('170. and could not be saved stays over tabs, and is saved once there is a connection', async ({
    page,
    context,
    customer,
    secret,
  }) => {
    const account = await customer({ onboarded: true, plan: 'growth' })
    await openSignedIn(page, account, '/portal/agent')
    const name = page.getByLabel('Name of your business')
    const about = page.getByLabel('What it does')
    const fallback = page.getByLabel('Fallback number')
    const person = page.getByLabel('Transfer calls to')
    await openParts(page, 'The business', 'People and numbers', 'Import from your website')
    await page.getByText('Paste a text instead').click()
    await expect(about).toBeEditable()
    await context.setOffline(true)
    await about.fill('A hotel by the lake.')
    await person.fill('+46 8 12')
    await fallback.fill('+46 8 123 45 67')
    await name.fill('Hotel Lindgren')
    await page.getByLabel('Text', { exact: true }).fill('A leaflet.')
    await page.getByRole('link', { name: 'Voice', exact: true }).click()
    const notice = page.getByRole('alert').filter({ hasText: 'Not saved: ' })
    for (const what of ['What your agent knows', 'Fallback number', 'Name of your business'])
      await expect(notice).toContainText(what)
    await notice.getByRole('link', { name: 'Open Agent' }).click()
    await expect(notice).toBeHidden()
    await expect(about).toHaveValue('A hotel by the lake.')
    await expect(person).toHaveValue('+46 8 12')
    await expect(name).toHaveValue('Hotel Lindgren')
    await expect(fallback).toHaveValue('+46 8 123 45 67')
    await openParts(page, 'Import from your website')
    await expect(page.getByLabel('Text', { exact: true })).toHaveValue('A leaflet.')
    await expect(name.locator('..').getByRole('alert')).toContainText('Not saved.')
    await page.getByRole('link', { name: 'Voice', exact: true }).click()
    await context.setOffline(false)
    await expect(notice).toHaveText(/^Not saved: Transfer calls to/)

    const stored = async () => {
      const knows = await secret.from('agent_knowledge').select('knowledge').eq('user_id', account.id)
      const is = await secret.from('agent_settings').select('business_name').eq('user_id', account.id)
      return { ...knows.data?.[0], ...is.data?.[0] }
    }
    await expect.poll(stored).toMatchObject({
      knowledge: { about: 'A hotel by the lake.' },
      business_name: 'Hotel Lindgren',
    })
    const other = await context.newPage()
    await other.goto('/portal/agent')
    await openParts(other, 'People and numbers')
    await expect(other.getByLabel('Fallback number')).toHaveValue('+46 8 123 45 67')
  })
})

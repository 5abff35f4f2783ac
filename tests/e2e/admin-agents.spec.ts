import { openAdmin, openTab } from './admin-fixtures.ts'
import { expect, freshEmail, test } from './fixtures.ts'
import { axeViolations } from '../support/axe.ts'
import { wav } from '../support/audio.ts'
import { centsOf, minutesOf, priceText } from '../support/plan-facts.ts'
import { exactPrice } from '#plans/domain/plans.ts'

test.describe.configure({ timeout: 120_000 })

test('an agent is set up by hand: what was chosen is read, a number is entered and given, and it is live', async ({
  page,
  customer,
  secret,
  baseURL,
}) => {
  const account = await customer({ onboarded: true })
  const business = `Harbour House ${Date.now()}`
  const number = `+1555${String(Date.now()).slice(-7)}`
  // Nobody has opened this customer's portal, so the provider is not asked for the agent.
  await secret.rpc('want_voice_agent', { p_user_id: account.id }).throwOnError()
  await secret
    .from('agent_settings')
    .insert({
      user_id: account.id,
      business_name: business,
      industry_template: 'hotels-resorts',
      voice_sample_path: `${account.id}/sample.wav`,
      voice_sample_name: 'Front desk.wav',
    })
    .throwOnError()
  const stored = await secret.storage
    .from('voice-samples')
    .upload(`${account.id}/sample.wav`, wav(3), { contentType: 'audio/wav' })
  expect(stored.error).toBeNull()

  const asked = await page.request.post('/.netlify/functions/request-password-reset', {
    headers: { origin: baseURL ?? '' },
    data: { email: account.email },
  })
  expect(asked.status()).toBe(200)

  await openAdmin(page)
  await openTab(page, 'Agents')
  const entry = page.getByLabel('Numbers, one a line')
  await entry.fill('call us')
  await page.getByRole('button', { name: 'Enter numbers' }).click()
  await expect(page.getByRole('alert').filter({ hasText: '“call us” is not a number' })).toBeVisible()
  await expect(entry).toBeFocused()
  await entry.fill(number.replace('+1', '+1 '))
  await page.getByRole('button', { name: 'Enter numbers' }).click()
  await expect(page.getByRole('status').filter({ hasText: /^1 added$/ })).toBeVisible()

  await page.getByLabel('State').selectOption('waiting')
  await expect(page).toHaveURL(/\/admin\/agents\?state=waiting$/)
  // The list is made anew once the search has been answered.
  const searched = page.waitForResponse(
    (answer) => answer.request().postData()?.includes(business.toUpperCase()) ?? false,
  )
  await page.getByLabel('Find by email or business').fill(business.toUpperCase())
  await searched
  const queue = page.getByRole('table', { name: 'Queue' })
  await expect(queue.getByRole('row').filter({ hasText: account.email })).toContainText('to be set up')
  await expect(queue.getByRole('row')).toHaveCount(2)
  await page.getByRole('button', { name: `Open ${business}` }).click()
  const chosen = queue.getByRole('row').filter({ hasText: 'Knowledge' })
  await expect(chosen).toContainText('hotels resorts')
  await expect(chosen).toContainText('Nothing taught yet')
  await expect(chosen).toContainText('Front desk.wav')
  await chosen.getByRole('button', { name: `Play the voice of ${business}` }).click()
  await expect(chosen.getByRole('button', { name: `Pause the voice of ${business}` })).toBeVisible()
  await chosen.getByText('First words and prompt').click()
  await expect(chosen).toContainText(`You answer the phone for ${business}`)
  expect(await axeViolations(page)).toEqual([])
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(overflow, 'the page scrolls sideways').toBeLessThanOrEqual(0)

  const live = chosen.getByRole('button', { name: `Mark as live for ${business}` })
  await live.click()
  await expect(chosen.getByRole('alert')).toHaveText('Give the agent a number first.')
  await chosen.getByLabel('Free numbers').selectOption(number)
  await chosen.getByRole('button', { name: `Give the number to ${business}` }).click()
  await expect(chosen.getByRole('listitem')).toContainText(number)
  await expect(chosen).toContainText('1 of 2')
  await live.click()
  await expect(page.getByText('No agent matches.')).toBeVisible()
  await page.getByLabel('State').selectOption('')
  await page.getByRole('button', { name: `Open ${business}` }).click()
  await page.getByRole('link', { name: 'Plan, payments and emails' }).click()
  await expect(page.getByRole('heading', { level: 1, name: account.email })).toBeVisible()
  const price = exactPrice(centsOf('growth'))
  await expect(page.getByRole('table', { name: 'Payments' })).toContainText(
    `First payment paid, ${priceText('growth')}`,
  )
  const margin = page.getByRole('table', { name: 'Margin' })
  await expect(margin.getByRole('row').last()).toContainText(
    new RegExp(
      `Revenue: ${RegExp.escape(price)}\\s*Cost of calls: ${RegExp.escape(exactPrice(0))}\\s*Margin: ${RegExp.escape(price)}\\s*Calls: 0`,
    ),
  )
  await expect(page.getByRole('link', { name: /^cus_/ })).toHaveAttribute(
    'href',
    /^https:\/\/dashboard\.stripe\.com\/test\/customers\/cus_/,
  )
  await expect(page.getByRole('table', { name: 'Emails' })).toContainText('password link')
  await expect(page.getByRole('table', { name: 'Changes by admins' })).toContainText('changed the agent of')
  await expect(page.getByRole('link', { name: 'Plan, payments and emails' })).toHaveCount(0)
  await expect(page.locator('p:visible', { hasText: 'It answers the calls to its number.' })).toHaveCount(1)
  expect(await axeViolations(page)).toEqual([])
  const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(sideways, 'the account’s page scrolls sideways').toBeLessThanOrEqual(0)
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: 'Agents' })).toBeVisible()
  await expect(queue.getByRole('row').filter({ hasText: account.email })).toContainText('live')
})

test('the queue is read page by page, and searched as a whole', async ({ page, secret }) => {
  const group = `Guesthouse ${Date.now()}`
  for (let nth = 1; nth <= 21; nth++) {
    const made = await secret.auth.admin.createUser({ email: freshEmail(), email_confirm: true })
    const user_id = made.data.user?.id ?? ''
    const paid = {
      user_id,
      plan: 'growth',
      minutes_limit: minutesOf('growth'),
      billing_status: 'active',
      onboarding_completed: true,
    }
    await secret
      .from('user_subscriptions')
      .insert({ ...paid, stripe_customer_id: `cus_${user_id}`, first_paid_at: new Date().toISOString() })
      .throwOnError()
    await secret
      .from('agent_settings')
      .insert({ user_id, business_name: `${group}, house ${nth}.` })
      .throwOnError()
    await secret.rpc('want_voice_agent', { p_user_id: user_id }).throwOnError()
  }

  await openAdmin(page)
  await openTab(page, 'Agents')
  const queue = page.getByRole('table', { name: 'Queue' })
  const businesses = queue.locator('tbody tr').filter({ hasText: group })
  const search = page.getByLabel('Find by email or business')
  // The list is made anew once the search is sent.
  const searched = page.waitForResponse((answer) => answer.request().postData()?.includes(group) ?? false)
  await search.fill(group)
  await searched
  await expect(businesses).toHaveCount(20)
  await expect(businesses.first()).toContainText('house 21.')
  await expect(page.getByText('1 to 20', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Older entries of Queue' }).press('Enter')
  await expect(page.getByText('21 to 21', { exact: true })).toBeVisible()
  await expect(businesses).toHaveCount(1)
  await expect(businesses).toContainText('house 1.')
  await page.getByRole('button', { name: 'Newer entries of Queue' }).press('Enter')
  await expect(businesses).toHaveCount(20)
  await search.fill(`${group}, house 1.`)
  await expect(businesses).toHaveCount(1)
  await expect(page.getByRole('button', { name: 'Older entries of Queue' })).toHaveCount(0)
})

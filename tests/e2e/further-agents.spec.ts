import { mounts } from '../../local/environment.ts'
import { axeViolations } from '../support/axe.ts'
import { expect, openParts, openSignedIn, test } from './fixtures.ts'

test('a customer asks for a second number and a second agent, up to the limits of the plan, and gives them back', async ({
  page,
  customer,
  secret,
}) => {
  const account = await customer({ onboarded: true, plan: 'pro' })
  const numbers = ['+15550300091', '+15550300092', '+15550300093']
  for (const number of numbers) await page.request.post(`${mounts.voice}/test/number`, { data: { number } })
  await secret.rpc('want_voice_agent', { p_user_id: account.id }).throwOnError()
  const enter = async (agent: string, number: string) => {
    const row = { p_account: agent, p_id: number, p_number: number }
    await secret.rpc('add_bought_number', row).throwOnError()
  }
  // Other tests take free numbers, so this agent's are entered for it.
  for (const number of numbers.slice(0, 2)) await enter(account.id, number)
  await openSignedIn(page, account, '/portal/agent')
  await openParts(page, 'People and numbers')
  const section = page.getByRole('group', { name: 'Numbers and agents' })
  const agents = section.getByRole('list').first().locator('> li')
  await expect(agents).toHaveCount(1)
  await expect(agents.getByRole('listitem')).toHaveText([/^\+15550300091/, /^\+15550300092/])

  const name = section.getByLabel('Name of a further agent')
  await name.fill('Second desk')
  await name.press('Enter')
  await expect(section.getByRole('status')).toHaveText('Second desk gets its number within minutes.')
  await expect(section.getByRole('status')).toBeFocused()
  await expect(agents).toHaveCount(2)
  await expect(agents.last()).toContainText('Second desk')
  // The three lines are used, so nothing more can be asked for; the server says the same.
  await expect(section.getByRole('button', { name: /^Add/ })).toHaveCount(0)
  await page.reload()
  await openParts(page, 'People and numbers')
  await expect(section.getByRole('status')).toHaveText(
    'You use all phone numbers of your plan. A larger plan has more.',
  )

  await section.getByRole('button', { name: 'Give back +15550300092' }).click()
  await expect(section.getByRole('status')).toHaveText('Nobody is answered at +15550300092 any more.')
  await expect(section.getByRole('status')).toBeFocused()
  await expect(agents.first()).toContainText('It answers no calls, and is kept until')
  await expect(section.getByRole('button', { name: /^Give back \+/ }), 'one number stays').toHaveCount(0)
  await section.getByRole('button', { name: 'Give back Second desk' }).click()
  await expect(agents.last()).toContainText('It answers no calls, and is kept until')
  expect(await axeViolations(page)).toEqual([])
  await section.getByRole('button', { name: 'Take back +15550300092' }).click()
  await expect(section.getByRole('status')).toHaveText('+15550300092 is yours again.')
  await expect(agents.first()).not.toContainText('kept until')
  await section.getByRole('button', { name: 'Take back Second desk' }).click()
  await expect(section.getByRole('status')).toHaveText('Second desk is yours again.')

  // The dashboard helps to send calls to each number.
  await page.getByRole('link', { name: 'Dashboard' }).click()
  const dashboard = page.getByRole('region', { name: 'Your agent' })
  for (const number of numbers.slice(0, 2)) {
    const row = dashboard.getByRole('group', { name: number })
    await row.getByText('Send your calls to it', { exact: true }).click()
    await expect(row.getByText(`**61*${number}#`)).toBeVisible()
  }
})

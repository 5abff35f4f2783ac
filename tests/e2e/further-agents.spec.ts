import { mounts } from '../../local/environment.ts'
import { axeViolations } from '../support/axe.ts'
import { expect, openSignedIn, test } from './fixtures.ts'

test('a customer asks for a second number and a second agent, up to the limits of the plan', async ({
  page,
  customer,
  secret,
}) => {
  const account = await customer({ onboarded: true, plan: 'pro' })
  const numbers = ['+15550300091', '+15550300092', '+15550300093']
  for (const number of numbers) await page.request.post(`${mounts.voice}/test/number`, { data: { number } })
  await secret.rpc('want_voice_agent', { p_user_id: account.id }).throwOnError()
  const enter = async (agent: string, number: string) => {
    const row = { p_account: agent, p_provider: 'vapi', p_id: number, p_number: number }
    await secret.rpc('add_bought_number', row).throwOnError()
  }
  // Other tests take free numbers, so this agent's are entered for it.
  for (const number of numbers.slice(0, 2)) await enter(account.id, number)
  await openSignedIn(page, account, '/portal/agent')
  const section = page.getByRole('region', { name: 'Numbers and agents' })
  await expect(section.getByRole('listitem')).toHaveCount(1)
  await expect(section).toContainText('+15550300091, +15550300092')

  const name = section.getByLabel('Name of a further agent')
  await name.fill('Second desk')
  await name.press('Enter')
  await expect(section.getByRole('status')).toHaveText('Second desk gets its number within minutes.')
  await expect(section.getByRole('status')).toBeFocused()
  await expect(section.getByRole('listitem')).toHaveCount(2)
  await expect(section.getByRole('listitem').last()).toContainText('Second desk')
  // The three lines are used, so nothing more can be asked for; the server says the same.
  await expect(section.getByRole('button')).toHaveCount(0)
  await page.reload()
  await expect(section.getByRole('status')).toHaveText(
    'You use all phone numbers of your plan. A larger plan has more.',
  )
  expect(await axeViolations(page)).toEqual([])
})

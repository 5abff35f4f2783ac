import { mounts } from '../../local/environment.ts'
import { axeViolations } from '../support/axe.ts'
import { expect, openSignedIn, test } from './fixtures.ts'

test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

test('a fresh dashboard leads from the website to the ringing number in three presses, then to its forwarding', async ({
  page,
  customer,
  secret,
}) => {
  const account = await customer({ onboarded: true })
  const number = '+15550300061'
  const control = (name: string, data: object) => page.request.post(`${mounts.voice}/test/${name}`, { data })
  await control('number', { number })
  await secret.rpc('want_voice_agent', { p_user_id: account.id }).throwOnError()
  await secret
    .rpc('add_bought_number', { p_account: account.id, p_id: number, p_number: number })
    .throwOnError()
  // The function reaches the public internet alone, where no test server is.
  const text = 'A quiet hotel of forty rooms between the forest and the lake.\nMon-Sun 6am-11pm'
  await page.route('**/read-page', (route) => route.fulfill({ json: { text } }))
  await openSignedIn(page, account)

  const agent = page.getByRole('region', { name: 'Your agent' })
  await agent.getByLabel('Your website').fill('hotel.example')
  await agent.getByRole('button', { name: 'Get suggestions' }).click()
  await expect(agent.getByText('2 suggestions.')).toBeVisible()
  await agent.getByRole('button', { name: 'Add all' }).click()
  await expect(agent.getByLabel('Your website')).toBeHidden()
  await expect(agent.getByRole('link', { name: 'Ring it' })).toHaveAttribute('href', `tel:${number}`)
  const step = (name: string) => agent.getByRole('listitem').filter({ hasText: name })
  await expect(step('Teach your agent')).toContainText('Done')
  for (const name of ['Teach your agent', 'Make a test call', 'Send your calls to it'])
    expect((await step(name).locator('a, button').boundingBox())?.height).toBeGreaterThanOrEqual(44)
  const { data } = await secret.from('agent_knowledge').select('knowledge').eq('user_id', account.id).single()
  expect((data?.knowledge as { about: string }).about).toContain('forty rooms')

  expect((await control('ring', { number, caller: '+12025550143' })).status()).toBe(200)
  await page.reload()
  // Nothing has to be opened or typed.
  const unanswered = agent.getByRole('button', { name: 'Copy Calls that nobody answers', exact: true })
  await unanswered.click()
  await expect(agent.getByText('Copied.')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`**61*${number}#`)
  expect(await axeViolations(page)).toEqual([])
})

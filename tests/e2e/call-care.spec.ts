import { readFile } from 'node:fs/promises'
import { strFromU8, unzipSync } from 'fflate'
import { mounts } from '../../local/environment.ts'
import { emptyCall } from '../support/payloads.ts'
import { expect, openParts, openSignedIn, reloadUntil, test } from './fixtures.ts'
import { minutesOf } from '../support/plan-facts.ts'
import { grouped } from '#platform/domain/text/numbers.ts'

test('a customer has calls recorded, hears one, marks it as spam, is credited, and blocks the caller', async ({
  page,
  customer,
  secret,
}) => {
  const control = async (name: string, data: object) => {
    const response = await page.request.post(`${mounts.voice}/test/${name}`, { data })
    expect(response.status(), await response.text()).toBe(200)
    return (await response.json()) as Record<string, string>
  }
  const account = await customer({ onboarded: true, plan: 'starter' })
  const [own, caller] = ['+15550300002', '+12025550143']
  await control('number', { number: own })
  await secret.rpc('want_voice_agent', { p_user_id: account.id }).throwOnError()
  await secret.rpc('add_bought_number', { p_account: account.id, p_id: own, p_number: own }).throwOnError()
  await openSignedIn(page, account, '/portal/agent')
  const parts = ['The business', 'People and numbers', 'Answering calls']
  await openParts(page, ...parts, 'Languages and greeting', 'Recordings')
  const status = page.locator('[data-saving]').getByRole('status')
  const begins = page.locator('p', { hasText: 'Your agent begins:' })
  await expect(begins).not.toContainText('This call is recorded.')
  const published = page.waitForResponse(/update-my-agent/)
  await page.getByRole('checkbox', { name: /^Record my calls/ }).check()
  await expect(begins).toContainText('This call is recorded.')
  await expect(status).toHaveText('Saved.')
  await published

  await page.getByLabel('What it does').fill('We sell paper.')
  const fallback = page.getByLabel('Fallback number')
  await fallback.fill('08 123')
  await fallback.blur()
  await expect(page.getByRole('alert')).toHaveText(/with its country code/)
  await fallback.fill('+46 8 123 45 67')
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expect(status).toHaveText('Saved. Your agent knows it.')
  await page.getByRole('button', { name: 'Pause the agent' }).click()
  await expect(page.getByText('Your agent is paused.')).toBeVisible()
  await expect(status).toHaveText('Saved.')
  await page.reload()
  await openParts(page, ...parts)
  await expect(page.getByLabel('Fallback number')).toHaveValue('+46 8 123 45 67')
  await expect(page.getByLabel('What it does')).toHaveValue('We sell paper.')
  await expect.poll(() => control('ring', { number: own, caller })).toMatchObject({ to: '+4681234567' })
  await page.getByRole('button', { name: 'Resume the agent' }).click()
  await expect(status).toHaveText('Saved.')

  const { call } = await control('ring', { number: own, caller })
  await control('say', { call: call!, text: 'I sell ink.' })
  await control('hang-up', { call: call!, seconds: 0, findings: { about: 'Ink', outcome: 'Declined' } })
  // A call of no seconds costs nothing, so the plan is charged for a longer one.
  await secret
    .rpc('report_call', {
      p: {
        ...emptyCall,
        user_id: account.id,
        call_id: `long-${account.id}`,
        kind: 'call',
        direction: 'inbound',
        phone_number: caller,
        started_at: new Date(Date.now() - 80_000).toISOString(),
        seconds: 80,
        about: 'More ink',
      },
    })
    .throwOnError()
  await page.goto('/portal')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    `${grouped(minutesOf('starter') - 2)} minutes left`,
  )
  const player = page.getByRole('group', { name: 'Recording: Ink' })
  const listen = player.getByRole('button', { name: 'Listen' })
  await reloadUntil(page, listen, () => page.getByRole('button', { name: 'Ink', exact: true }).click())
  await listen.press('Enter')
  await expect(player.getByRole('button', { name: 'Pause' })).toBeVisible()
  await player.getByLabel('Speed').selectOption('2')
  await expect.poll(() => player.getByLabel('Position').inputValue()).not.toBe('0')

  await page.getByRole('button', { name: 'More ink' }).click()
  const details = page.locator('tr:has(td[colspan])').filter({ hasText: 'Marks the call' })
  await details.last().getByRole('button', { name: 'Spam' }).click()
  await expect(page.getByText('Marked as spam. 2 minutes credited.')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    `${grouped(minutesOf('starter'))} minutes left`,
  )
  await expect(page.getByRole('cell', { name: 'Spam, not counted' })).toBeVisible()
  await page.getByRole('button', { name: `Block ${caller}` }).click()
  await expect(page.getByText('Blocked. Your agent does not answer this number any more.')).toBeVisible()
  expect(await control('ring', { number: own, caller })).toMatchObject({ got: 'words' })

  await page.getByRole('link', { name: 'Settings' }).click()
  const addresses = page.getByLabel('Who is emailed')
  await addresses.fill('desk@hotel.example, manager')
  await addresses.blur()
  await expect(page.getByRole('alert')).toHaveText('“manager” is not an email address.')
  await page.getByRole('link', { name: 'Voice', exact: true }).click()
  await page.getByRole('alert').getByRole('link', { name: 'Open Settings' }).click()
  await addresses.fill('desk@hotel.example')
  await addresses.blur()
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expect(addresses).toHaveAccessibleDescription(/^Saved\./)
  await page.getByLabel('How often').selectOption('Once a day')
  await expect(page.getByText('Saved.', { exact: true })).toBeVisible()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export my data' }).click()
  const files = unzipSync(await readFile(await (await download).path()))
  const [recording] = Object.keys(files).filter((name) => name.startsWith('recordings/'))
  expect(recording).toMatch(/\.wav$/)
  expect(strFromU8(files[recording!]!.subarray(0, 4))).toBe('RIFF')
  expect(JSON.parse(strFromU8(files['data.json']!))).toMatchObject({
    knowledge: { about: 'We sell paper.' },
    callSettings: { record_calls: true, summaries: 'daily', summaries_to: ['desk@hotel.example'] },
    blockedCallers: [{ phone_number: caller }],
  })

  await page.getByRole('link', { name: 'Agent', exact: true }).click()
  await openParts(page, 'People and numbers')
  await page.getByRole('button', { name: `Unblock ${caller}` }).click()
  await expect(page.getByText('Nobody is blocked.')).toBeVisible()
  expect(await control('ring', { number: own, caller })).toMatchObject({ got: 'agent' })
})

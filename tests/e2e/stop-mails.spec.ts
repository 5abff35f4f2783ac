import { createClient } from '@supabase/supabase-js'
import { local, mounts } from '../../local/environment.ts'
import type { Mail } from '../../local/mail/mailbox.ts'
import { axeViolations } from '../support/axe.ts'
import { reportCall } from '../support/call-report.ts'
import { expect, freshEmail, test } from './fixtures.ts'

// A link that is wrong.
test.use({ allowedConsole: /status of 404/ })

test('the link in a mail about calls ends these mails, on a page in the site’s identity', async ({
  page,
  customer,
  request,
  baseURL,
}) => {
  const owner = await customer({ onboarded: true })
  const reader = freshEmail()
  const client = createClient(`${baseURL}${mounts.supabase}`, local.publishableKey)
  await client.auth.signInWithPassword(owner)
  await client
    .from('call_settings')
    .upsert({ user_id: owner.id, summaries_to: [reader] })
    .throwOnError()
  await reportCall(baseURL ?? '', owner.id, { about: 'A room' })
  const stopLink = async () =>
    ((await (await request.get('/local/mail')).json()) as Mail[])
      .find(({ to }) => to === reader)
      ?.links.find((link) => link.includes('stop-call-mails'))
  await expect.poll(stopLink).toBeTruthy()
  const link = (await stopLink()) ?? ''

  await page.goto(link)
  await expect(page.getByRole('heading', { level: 1, name: 'No more mails about calls?' })).toBeVisible()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await axeViolations(page)).toEqual([])
  }
  for (const width of [360, 768, 1440]) {
    await page.setViewportSize({ width, height: 800 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
  }
  const button = page.getByRole('button', { name: 'Send me no more of them' })
  expect(
    (await button.boundingBox())?.height,
    'its style is not stopped by the policy',
  ).toBeGreaterThanOrEqual(48)
  await page.keyboard.press('Tab')
  await expect(button).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'You get no more mails about calls' })).toBeVisible()
  await page.goto(link)
  await expect(page.getByText('You have ended them before.')).toBeVisible()
  await page.goto(link.replace(/.{12}$/, '000000000000'))
  await expect(page.getByRole('heading', { name: 'This link is not valid' })).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
})

import { wav } from '../support/audio.ts'
import { expect, expectToast, freshEmail, subscribe, test } from './fixtures.ts'
import { centsOf, minutesOf, planName, priceText } from '../support/plan-facts.ts'
import { exactPrice } from '#plans/domain/plans.ts'
import { site } from '#site'
import { grouped } from '#platform/domain/text/numbers.ts'

// The look-up of an e-mail without an account gets status 406 (PGRST116), which browsers log.
test.use({ allowedConsole: /status of 406/, timezoneId: 'Asia/Tokyo' })

test('a visitor buys Growth and reaches the portal @phone', async ({ page, secret }) => {
  const email = freshEmail()
  await page.goto('/pricing')
  await page.locator('a[href*="plan=growth"]').first().click()

  await expect(page.getByRole('heading', { name: 'Secure Checkout' })).toBeVisible()
  await expect(
    page.getByText(`${site.name} ${planName('growth')}, ${priceText('growth')} a month`),
  ).toBeVisible()
  await subscribe(page, email, { number: '4242 4242 4242 4242' })

  await expect(page).toHaveURL(/\/signup/)
  await expect(page.getByText('Payment successful! Just one more step.')).toBeVisible()
  const paid = `${exactPrice(centsOf('growth'))} for ${site.name} ${planName('growth')}.`
  await expect(page.getByText(paid)).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Create Your Account' })).toBeVisible()
  await expect(page.getByLabel('Email')).toHaveValue(email)
  await expect(page.getByLabel('Email')).not.toBeEditable()
  expect(page.url(), 'the token has left the address bar').not.toContain('token')
  await page.getByLabel('Password', { exact: true }).fill('front-desk-1')
  await expect(page.getByText(/^(Weak: easy to guess|Fair|Strong)\./)).toBeVisible()
  await page.getByLabel('Confirm Password', { exact: true }).fill('front-desk-1')
  await page.getByRole('button', { name: 'Create My Account' }).click()

  await expect(page).toHaveURL(/\/login\?email=.*&from=signup$/)
  await expectToast(page, 'Account Created!', 'Please log in to continue to onboarding.')
  await expect(page.getByLabel('Email')).toHaveValue(email)
  await page.getByLabel('Password', { exact: true }).fill('front-desk-1')
  await page.getByRole('button', { name: 'Log in' }).click()

  await expect(page).toHaveURL(/\/onboarding/)
  const next = page.getByRole('button', { name: 'Next' })
  const step = (name: string) => expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await step('Welcome')
  await next.click()
  await step('Upload Your Voice Sample')
  await next.click()
  await expectToast(page, 'Please upload a voice sample to continue.')
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'front-desk.wav', mimeType: 'audio/wav', buffer: wav(2) })
  await page.getByRole('checkbox', { name: /The voice is mine/ }).check()
  await expect(page.getByText('front-desk.wav')).toBeVisible()
  await expect(page.getByText('Uploaded', { exact: true })).toBeVisible()
  await next.click()
  await step('Choose an Industry Template')
  await next.click()
  await expectToast(page, 'Please select an industry template.')
  await page.getByRole('radio', { name: /hospitality/i }).check()
  await next.click()
  await step('Connect Your First Channel')
  await next.click()
  await step('Test Your Callbot')
  await expect(page.getByLabel('Greeting')).toHaveCount(0)
  await page.getByRole('button', { name: 'Start AI Conversation' }).first().click()
  const agent = page.getByRole('dialog', { name: 'Your agent' })
  await expect(agent.getByRole('listitem')).toHaveText([/I am an AI assistant\. How can I help you\?/])
  await agent.getByRole('button', { name: 'Hang up' }).click()
  await next.click()
  await step('Setup Complete')
  await expect(page.getByText('Finish Later')).toHaveCount(0)
  await page.getByRole('button', { name: /finish|portal/i }).click()

  await expect(page).toHaveURL(/\/portal\/?$/)
  await expect(page.getByRole('heading', { name: 'Welcome, your setup is complete' })).toBeVisible()
  await expect(page.getByRole('heading', { name: planName('growth') })).toBeVisible()
  await expect(page.getByText('Active', { exact: true })).toBeVisible()
  const { data: user } = await secret.from('users').select('id').eq('email', email).single().throwOnError()
  const { data: taught } = await secret
    .from('agent_knowledge')
    .select('knowledge')
    .eq('user_id', String(user.id))
    .single()
    .throwOnError()
  expect(taught.knowledge, 'the agent goes by the clock of its business').toEqual({ timeZone: 'Asia/Tokyo' })
  await expect(page.getByText(`0 of ${grouped(minutesOf('growth'))} minutes`).first()).toBeVisible()
  await page.goto('/portal/voice')
  await expect(page.getByLabel('Greeting')).toHaveValue('')
})

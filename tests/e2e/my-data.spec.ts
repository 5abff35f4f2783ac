import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { strFromU8, unzipSync } from 'fflate'
import { currentConsent } from '#agent/domain/voice/voice-consent.ts'
import { requestBooking } from '../support/bookings.ts'
import { reportCall } from '../support/call-report.ts'
import { expect, expectToast, openSignedIn, test, type Customer } from './fixtures.ts'
import { axeViolations } from '../support/axe.ts'
import { minutesOf } from '../support/plan-facts.ts'

const openSettings = async (page: Page, account: Customer): Promise<void> => {
  await openSignedIn(page, account, '/portal/settings')
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
}
const dialog = (page: Page) => page.getByRole('alertdialog', { name: 'Delete your account?' })
const typed = (page: Page) => dialog(page).getByRole('textbox')
const confirm = (page: Page) => dialog(page).getByRole('button', { name: 'Delete account' })

test('a customer exports all data', async ({ page, customer, secret, baseURL }) => {
  const account = await customer({ onboarded: true })
  const path = `${account.id}/front desk.wav`
  const sample = new Blob(['RIFF, as heard'], { type: 'audio/wav' })
  expect((await secret.storage.from('voice-samples').upload(path, sample)).error).toBeNull()
  await secret
    .from('agent_settings')
    .upsert({ user_id: account.id, voice_sample_path: path, greeting: 'Good morning' })
    .throwOnError()
  await secret
    .rpc('record_voice_sample_check', {
      p_user_id: account.id,
      p_path: path,
      p_is_audio: true,
      p_consent_version: currentConsent,
    })
    .throwOnError()
  // More lines than the database returns at once, and more minutes than the plan has.
  const lines = Array.from({ length: 1_000 }, (_, nth) => ({
    user_id: account.id,
    minutes: nth === 0 ? minutesOf('growth') : 1,
    reason: 'call',
    provider_event_id: `${account.id}-${nth}`,
  }))
  await secret.from('minute_ledger').insert(lines).throwOnError()

  const words = [{ who: 'caller' as const, text: 'A room, please.' }]
  await reportCall(baseURL ?? '', account.id, { about: 'A room', transcript: words })
  await requestBooking(secret, account.id, 'Ada')

  await openSettings(page, account)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export my data' }).click()
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^my-data-\d{4}-\d\d-\d\d-\d{6}\.zip$/)
  await expect(page.getByText(`Saved as ${file.suggestedFilename()}`)).toBeVisible()

  const files = unzipSync(await readFile(await file.path()))
  expect(Object.keys(files)).toEqual(['data.json', 'voice-sample/front desk.wav'])
  expect(strFromU8(files['voice-sample/front desk.wav']!)).toBe('RIFF, as heard')
  const data = JSON.parse(strFromU8(files['data.json']!)) as Record<'minutes' | 'calls' | 'mails', object[]>
  expect(data.mails.at(-1)).toEqual({ kind: 'minutes used', sent_at: expect.any(String) })
  expect(data).toMatchObject({
    account: { id: account.id, email: account.email },
    subscription: { plan: 'growth', status: 'active', minutes_used: minutesOf('growth') + 1_001 },
    agent: { greeting: 'Good morning', voice_sample_path: path },
    voiceConsents: [{ path, consent_version: currentConsent }],
    bookings: [{ name: 'Ada', about: 'Check-up' }],
    keepDays: 90,
    keys: [],
    endpoints: [],
    calendars: [],
  })
  expect(data.minutes).toHaveLength(1_001)
  expect(data.calls).toMatchObject([{ about: 'A room', transcript: 'Caller: A room, please.' }])
})

test('a customer chooses how long callers’ data are kept, and forgets a caller', async ({
  page,
  customer,
  secret,
  baseURL,
}) => {
  const account = await customer({ onboarded: true })
  const caller = '+12025550181'
  const words = [{ who: 'caller' as const, text: 'I play the xylophone.' }]
  await reportCall(baseURL ?? '', account.id, {
    about: 'A xylophone',
    phone_number: caller,
    transcript: words,
  })
  await openSettings(page, account)
  const days = page.getByLabel('Delete it after')
  await expect(days).toHaveValue('90')
  const width = (label: string) =>
    page.getByLabel(label).evaluate((field) => field.getBoundingClientRect().width)
  expect(await width('Delete it after'), 'as wide as other fields').toBe(await width('How often'))
  await days.selectOption('365 days')
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  await days.selectOption('30 days')
  const shorter = page.getByRole('alertdialog', { name: 'Delete what is older than 30 days?' })
  await shorter.getByRole('button', { name: 'Cancel' }).click()
  await expect(days).toHaveValue('365')
  await days.selectOption('30 days')
  await shorter.getByRole('button', { name: 'Delete it' }).click()
  await expect(shorter).toBeHidden()
  await page.reload()
  await expect(days).toHaveValue('30')
  expect(await axeViolations(page)).toEqual([])

  await page.goto('/portal')
  await page.getByRole('button', { name: 'A xylophone' }).click()
  await page.getByRole('button', { name: 'Forget this caller: A xylophone' }).click()
  const question = page.getByRole('alertdialog', { name: 'Forget this caller?' })
  await expect(question).toContainText(caller)
  await expect(question.getByRole('listitem')).toHaveText([
    'What was said in 1 call, with number and summary',
  ])
  expect(await axeViolations(page)).toEqual([])
  await question.getByRole('button', { name: 'Forget' }).click()
  await expect(page.getByText(/^Deleted: What was said in 1 call/)).toBeFocused()
  await expect(page.getByRole('button', { name: 'What was said is deleted' })).toBeVisible()
  await expect(page.getByText('xylophone')).toHaveCount(0)
  const { data } = await secret
    .from('calls')
    .select('phone_number, transcript, seconds')
    .eq('user_id', account.id)
    .throwOnError()
  expect(data).toEqual([{ phone_number: null, transcript: null, seconds: 90 }])

  await requestBooking(secret, account.id, 'Ada')
  await page.goto('/portal/bookings')
  await page.getByRole('button', { name: 'Forget this caller: Check-up, Ada' }).first().click()
  await expect(question.getByRole('listitem')).toHaveText(['1 booking to come'])
  await question.getByRole('button', { name: 'Forget' }).click()
  await expect(page.getByText(/^Deleted: 1 booking to come/)).toBeVisible()
  await expect(page.getByText('Ada')).toHaveCount(0)
})

test.describe('without the server', () => {
  test.use({ allowedConsole: /ERR_FAILED|status of 401/ })

  test('an incomplete export is not saved, and can be tried again', async ({ page, customer }) => {
    await openSettings(page, await customer({ onboarded: true }))
    await page.route('**/rest/v1/minute_ledger*', (route) => route.abort())
    await page.getByRole('button', { name: 'Export my data' }).click()
    await expect(page.getByRole('alert').filter({ hasText: 'nothing was saved' })).toBeVisible()
    await page.unroute('**/rest/v1/minute_ledger*')
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export my data' }).click()
    await download
  })

  test('if the deletion fails or its answer is lost, it can be tried again', async ({ page, customer }) => {
    const account = await customer({ onboarded: true })
    await openSettings(page, account)
    await page.route('**/delete-account', (route) => route.abort())
    await page.getByRole('button', { name: 'Delete account' }).click()
    await typed(page).fill(account.email)
    await confirm(page).click()
    await expect(dialog(page).getByRole('alert')).toContainText('We could not reach the server')
    await expect(typed(page)).toHaveValue(account.email)
    await expect(typed(page)).toBeFocused()
    await page.unroute('**/delete-account')

    // The account is deleted, but the answer is lost.
    await page.route('**/delete-account', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await confirm(page).click()
    await expect(dialog(page).getByRole('alert')).toContainText('We could not reach the server')
    await page.unroute('**/delete-account')
    await confirm(page).click()
    await expectToast(page, 'Account deleted')
  })
})

test('a customer deletes the account, by keyboard', async ({ page, customer, context, secret }) => {
  const account = await customer({ onboarded: true })
  await openSettings(page, account)
  const other = await context.newPage()
  await other.goto('/portal')
  await expect(other.getByRole('heading', { level: 1 })).toBeVisible()

  const open = page.getByRole('button', { name: 'Delete account' })
  await open.press('Enter')
  await expect(typed(page)).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toBeHidden()
  await expect(open).toBeFocused()

  await open.press('Enter')
  await page.keyboard.type('somebody@else.example')
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByRole('alert')).toHaveText(`Type ${account.email} to delete this account.`)
  await expect(typed(page)).toBeFocused()
  await expect(typed(page)).toHaveValue('somebody@else.example')
  expect(await axeViolations(page)).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  expect(await axeViolations(page)).toEqual([])
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(account.email.toUpperCase())
  await page.keyboard.press('Enter')

  await expect(page).toHaveURL('/')
  await expectToast(page, 'Account deleted', 'Your subscription has ended. Nothing more will be charged.')
  await expect(other).toHaveURL(/\/pricing\/?$/)
  const kept = await page.evaluate(
    (id) => Object.entries(localStorage).filter((e) => e.join().includes(id)),
    account.id,
  )
  expect(kept).toEqual([])

  expect((await secret.auth.admin.getUserById(account.id)).error?.status).toBe(404)
})

test('further presses while the account is being deleted do nothing', async ({ page, customer }) => {
  const account = await customer({ onboarded: true })
  await openSettings(page, account)
  let asked = 0
  let release = (): void => {}
  const held = new Promise<void>((open) => (release = open))
  await page.route('**/delete-account', async (route) => {
    asked += 1
    await held
    await route.continue()
  })
  await page.getByRole('button', { name: 'Delete account' }).click()
  await typed(page).fill(account.email)
  await confirm(page).dblclick()
  await expect(dialog(page).getByRole('button', { name: 'Deleting...' })).toBeDisabled()
  // The first can be prevented by the page, further ones cannot.
  for (let nth = 0; nth < 3; nth++) await page.keyboard.press('Escape')
  await typed(page).press('Enter')
  await expect(dialog(page)).toBeVisible()
  release()
  await expectToast(page, 'Account deleted')
  expect(asked).toBe(1)
})

test.describe('blocked', () => {
  test.use({ allowedConsole: /status of 403/ })

  test('a blocked customer is told whom to ask', async ({ page, customer, secret }) => {
    const account = await customer({ onboarded: true })
    await openSettings(page, account)
    await secret
      .from('user_subscriptions')
      .update({ admin_status: 'blocked' })
      .eq('user_id', account.id)
      .throwOnError()
    await page.getByRole('button', { name: 'Delete account' }).click()
    await typed(page).fill(account.email)
    await confirm(page).click()
    await expect(dialog(page).getByRole('alert')).toContainText('Your account is blocked. Write to')
    await dialog(page).getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog(page)).toBeHidden()
  })
})

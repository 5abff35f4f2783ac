import type { Page } from '@playwright/test'
import type { CallReport } from '#calls/domain/call-report.ts'
import { reportCall } from '../support/call-report.ts'
import { expect, openSignedIn, test, type Customer } from './fixtures.ts'
import { axeViolations } from '../support/axe.ts'
import { minutesOf } from '../support/plan-facts.ts'
import { grouped } from '#platform/domain/text/numbers.ts'

/** Returns a report of a call of 61 seconds that has just ended. */
const report = (baseURL: string | undefined, { id }: Customer, nth: number, more: Partial<CallReport> = {}) =>
  reportCall(baseURL ?? '', id, {
    call_id: `${id}-${nth}`,
    phone_number: `(207) 555-01${String(nth % 100).padStart(2, '0')}`,
    started_at: new Date(Date.now() - 61_000).toISOString(),
    seconds: 61,
    about: `Table ${nth}`,
    outcome: 'Booked',
    sentiment: 'positive',
    succeeded: nth % 4 !== 0,
    transcript: [
      { who: 'agent', text: 'Harbour Hotel, good day.' },
      { who: 'caller', text: `A table, please, number ${nth}.` },
    ],
    ...more,
  })

const rows = (page: Page) => page.getByRole('table', { name: 'Calls of your agent' }).locator('tbody tr')

test('reported calls are on the dashboard, and use minutes', async ({ page, customer, baseURL }) => {
  const account = await customer({ onboarded: true })
  await openSignedIn(page, account)
  await expect(page.getByRole('heading', { name: 'No calls yet' })).toBeVisible()
  await expect(
    page.getByRole('heading', { level: 1, name: `${grouped(minutesOf('growth'))} minutes left` }),
  ).toBeVisible()

  const started_at = new Date(Date.now() - 61_000).toISOString()
  for (const nth of [1, 2, 3, 4]) await report(baseURL, account, nth, { started_at })
  await report(baseURL, account, 5, { kind: 'test', transcript: null })
  await page.reload()
  await expect(rows(page)).toHaveCount(5)
  await expect(
    page.getByRole('heading', { level: 1, name: `${grouped(minutesOf('growth') - 8)} minutes left` }),
  ).toBeVisible()
  await expect(rows(page).first()).toContainText(/Table 5\s*Test, not counted\s*1:01\s*Positive/)
  await expect(page.getByText('3 of 4 calls this period ended')).toBeVisible()
  await page.getByText('Show as a table').click()
  await expect(page.getByRole('row', { name: / 8$/ })).toBeVisible()
})

test('a call is found by a word of its transcript, and the list can be read to its end', async ({
  page,
  customer,
  secret,
  baseURL,
}) => {
  const account = await customer({ onboarded: true })
  const started = Date.now()
  // As reports are stored.
  const calls = Array.from({ length: 105 }, (_, index) => ({
    user_id: account.id,
    provider_call_id: `${account.id}-${index + 1}`,
    kind: 'call',
    direction: 'inbound',
    phone_number: '+12075550100',
    // Several calls begin at the same moment.
    started_at: new Date(started - 61_000 - Math.floor(index / 7) * 1000).toISOString(),
    seconds: 61,
    about: `Table ${index + 1}`,
    transcript: `Agent: Harbour Hotel, good day.\nCaller: A table, please, number ${index + 1}.`,
  }))
  await secret.from('calls').insert(calls).throwOnError()
  await openSignedIn(page, account)
  await expect(rows(page)).toHaveCount(6)
  await page.getByRole('button', { name: 'All 105 calls' }).click()
  await expect(page.getByLabel('Search your calls')).toBeFocused()
  const more = page.getByRole('button', { name: 'Show more' })
  for (const count of [40, 60, 80, 100, 105]) {
    await more.press('Enter')
    await expect(rows(page)).toHaveCount(count)
  }
  await expect(more).toBeHidden()
  await expect(page.getByText('105 of 105 calls')).toBeFocused()
  expect(new Set(await rows(page).locator('td:nth-child(3)').allTextContents()).size).toBe(105)

  // More calls than one request returns. Those at the end stay when a new call arrives.
  await report(baseURL, account, 106)
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await expect(page.getByText('106 of 106 calls')).toBeVisible()
  await expect(rows(page)).toHaveCount(106)

  await page.getByLabel('Search your calls').fill('NUMBER 17')
  await expect(rows(page)).toHaveCount(1)
  await page.getByRole('button', { name: 'Table 17', exact: true }).press('Enter')
  await expect(page.getByRole('list', { name: 'What was said: Table 17' })).toContainText('A table, please')
  await page.getByLabel('Search your calls').fill('100%_\\')
  await expect(page.getByText('No call matches.')).toBeVisible()

  // Another tab of the portal, and back.
  await page.getByRole('link', { name: 'Billing', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Billing' })).toBeVisible()
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await expect(page.getByLabel('Search your calls')).toHaveValue('100%_\\')
  await page.getByLabel('Search your calls').fill('')
  await expect(page.getByText('20 of 106 calls')).toBeVisible()
})

test.describe('in a time zone that the database does not know', () => {
  test.use({ allowedConsole: /status of 400/ })

  test('days are in UTC', async ({ page, customer, baseURL }) => {
    const account = await customer({ onboarded: true })
    await report(baseURL, account, 1)
    await page.addInitScript(() => {
      const { resolvedOptions } = Intl.DateTimeFormat.prototype
      Intl.DateTimeFormat.prototype.resolvedOptions = function () {
        return { ...resolvedOptions.call(this), timeZone: 'Mars/Olympus' }
      }
    })
    await openSignedIn(page, account)
    await page.getByText('Show as a table').click()
    await expect(page.getByRole('row', { name: / 2$/ })).toBeVisible()
  })
})

test('any report fits the screen and has no accessibility violations', async ({
  page,
  customer,
  baseURL,
}) => {
  const account = await customer({ onboarded: true })
  await report(baseURL, account, 1, {
    about: 'x'.repeat(200),
    outcome: '<script>alert(1)</script>'.padEnd(60, 'y'),
    phone_number: '0'.repeat(32),
    transcript: [
      { who: 'caller', text: 'z'.repeat(2000) },
      { who: 'agent', text: '😀\u0000' },
    ],
    seconds: 86_400,
    started_at: new Date(Date.now() - 86_400_000).toISOString(),
  })
  for (let nth = 2; nth <= 8; nth++) await report(baseURL, account, nth)
  await openSignedIn(page, account)
  await expect(rows(page)).toHaveCount(6)
  await page.getByRole('button', { name: 'All 8 calls' }).click()
  await page.getByRole('button', { name: /^xxx/ }).click()
  await page.getByText('Show as a table').click()
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [360, 768, 1440]) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.setViewportSize({ width, height: 900 })
      const broad = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect(broad, `${width} ${colorScheme}`).toBeLessThanOrEqual(0)
      expect(await axeViolations(page)).toEqual([])
    }
  }
})

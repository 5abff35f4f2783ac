import { readFile } from 'node:fs/promises'
import { local, mounts } from '../../local/environment.ts'
import { reportCall } from '../support/call-report.ts'
import { expectSound, inEveryDress } from './dress.ts'
import { answerChallenge, expect, openSignedIn, test } from './fixtures.ts'
import { centsOf } from '../support/plan-facts.ts'
import { currency, exactPrice, priceAmount } from '#plans/domain/plans.ts'

test('an open invoice is paid with another card, and its lines open to the calls', async ({
  page,
  customer,
  request,
  baseURL,
}) => {
  const owner = await customer({ onboarded: true })
  const stripe = async (path: string, form: Record<string, string>): Promise<{ id: string }> => {
    const headers = { authorization: `Bearer ${local.stripeSecretKey}` }
    const answer = await request.post(`${mounts.stripe}/v1/${path}`, { headers, form })
    expect(answer.status(), await answer.text()).toBe(200)
    return answer.json()
  }
  const found = await request.get(`${mounts.stripe}/v1/customers`, {
    headers: { authorization: `Bearer ${local.stripeSecretKey}` },
    params: { email: owner.email },
  })
  const { data } = (await found.json()) as { data: { id: string }[] }
  const id = data[0]?.id ?? ''
  await stripe('invoiceitems', {
    customer: id,
    amount: '12345',
    currency: currency.toLowerCase(),
    description: 'A service',
  })
  const draft = await stripe('invoices', { customer: id, pending_invoice_items_behavior: 'include' })
  await stripe(`invoices/${draft.id}/finalize`, { auto_advance: 'false' })

  await stripe(`customers/${id}`, { balance: '-5000' })
  await reportCall(baseURL ?? '', owner.id)

  await openSignedIn(page, owner)
  await page.goto('/portal/billing')
  const nextInvoice = page.getByRole('region', { name: 'Next invoice' })
  await expect(nextInvoice).toContainText(priceAmount(centsOf('growth') - 5_000))
  await expect(nextInvoice.getByText('Your credit')).toBeVisible()
  await expect(page.getByRole('heading', { name: `${exactPrice(12_345)} is to be paid` })).toBeVisible()
  await page.getByRole('button', { name: 'Use another card' }).click()
  await expect(page).toHaveURL(/\/local\/stripe\/portal\//)
  await page.getByLabel('Card number').fill('4000 0027 6000 3184')
  await page.getByLabel('Expiry').fill('12 / 40')
  await page.getByLabel('CVC').fill('123')
  await page.getByRole('button', { name: 'Replace the card' }).click()
  await expect(page).toHaveURL(/\/portal\/billing\?pay$/)
  await expect(page.getByRole('heading', { name: `${exactPrice(12_345)} is to be paid` })).toBeFocused()
  await expect(page.getByText('The card that is charged ends in 3184.')).toBeVisible()
  await page.getByRole('button', { name: 'Pay now' }).click()
  await answerChallenge(page, 'Fail')
  await expect(page.getByRole('alert')).toHaveText(/^We are unable to authenticate/)
  await expect(page.getByRole('button', { name: 'Pay now' })).toBeFocused()
  await page.keyboard.press('Enter')
  await answerChallenge(page, 'Complete')
  await expect(page.getByRole('heading', { name: 'Thank you, your invoice is paid' })).toBeFocused()

  const row = page.getByRole('row').filter({ hasText: exactPrice(12_345) })
  await expect(row).toContainText('Paid')
  await expect(row.getByRole('link', { name: /PDF/ })).toHaveAttribute('href', /\/pdf$/)
  const plan = page.getByRole('row').filter({ hasText: exactPrice(centsOf('growth')) })
  // By keyboard alone, from the line to its calls.
  await plan.getByRole('button', { name: /Show lines/ }).press('Enter')
  const calls = page.getByRole('button', { name: 'Show the calls of this period' })
  await expect(calls).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(plan.getByRole('link', { name: /PDF/ })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(plan.getByRole('button', { name: /CSV/ })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(calls).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Hide the calls' })).toBeFocused()
  await expect(
    page.getByRole('cell').filter({ hasText: /1:30\s*2 min\s*Minutes used\s*2 min/ }),
  ).toBeVisible()
  await expect(page.getByRole('columnheader', { name: 'Caller' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'No summary' })).toHaveAttribute('href', /^\/portal\?call=/)
  await inEveryDress(page, (dress) => expectSound(page, dress))
  const file = page.waitForEvent('download')
  await plan.getByRole('button', { name: /CSV/ }).click()
  expect((await file).suggestedFilename()).toMatch(/^invoice-.*\.csv$/)
  const [head = '', ...rows] = (await readFile(await (await file).path(), 'utf8')).trim().split(/\r?\n/)
  const column = (name: string) => rows.map((row) => row.split(',')[head.split(',').indexOf(name)])
  expect([column('kind'), column('minutes'), column('amount')]).toEqual([
    ['line', 'minutes'],
    ['', '2'],
    [(centsOf('growth') / 100).toFixed(2), ''],
  ])

  // The oldest two are on the second page then.
  await Promise.all(Array.from({ length: 100 }, () => stripe('invoices', { customer: id })))
  await page.reload()
  const older = page.getByRole('button', { name: 'Show older invoices' })
  await expect(page.getByText('The latest 100 are shown.')).toBeVisible()
  await expect(row).toHaveCount(0)
  await inEveryDress(page, (dress) => expectSound(page, dress))
  await page.route('**/list-invoices', (route) => route.fulfill({ json: {} }))
  await older.press('Enter')
  await expect(page.getByText('Older invoices could not be loaded. Please try again.')).toBeVisible()
  await page.unroute('**/list-invoices')
  await older.press('Enter')
  await expect(row.getByRole('button', { name: /Show lines/ })).toBeFocused()
  await expect(page.getByRole('button', { name: /Show lines/ })).toHaveCount(102)
  await expect(older).toHaveCount(0)
})

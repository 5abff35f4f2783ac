import { randomUUID } from 'node:crypto'
import { addFaq, allSaved, freshQuestion, openAdmin, openTab, rowOf, stored } from './admin-fixtures.ts'
import { mounts } from '../../local/environment.ts'
import { wav } from '../support/audio.ts'
import { expect, expectToast, openSignedIn, test } from './fixtures.ts'
import { axeViolations } from '../support/axe.ts'
import { minutesOf, planName, priceText } from '../support/plan-facts.ts'
import { currency, exactPrice } from '#plans/domain/plans.ts'
import { grouped } from '#platform/domain/text/numbers.ts'
import { site, storageKey } from '#site'

// Each test goes through several pages and forms.
test.describe.configure({ timeout: 120_000 })
test.use({ allowedConsole: /status of (400|401|403|404|406|409|501)/ })

test('after logging out, no customer’s e-mail address is left in the browser', async ({ page, customer }) => {
  const { email } = await customer()
  await openAdmin(page)
  await page.getByLabel('Find by email').fill(email)
  await expect(page.getByRole('row').filter({ hasText: email })).toHaveCount(1)

  // The answer with the list arrives after the logout, while the page is still open.
  let send = (): void => {}
  const asked = new Promise<void>((resolve) => (send = resolve))
  await page.route('**/rest/v1/rpc/list_users*', async (route) => {
    await asked
    await route.continue()
  })
  const waiting = page.waitForRequest('**/rest/v1/rpc/list_users*')
  await page.getByLabel('Find by email').fill('hotel.example')
  await waiting
  await page.route('/', async (route) => {
    const answered = page.waitForResponse('**/rest/v1/rpc/list_users*')
    send()
    await (await answered).finished()
    await route.continue()
  })
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Every call answered')
  const kept = await page.evaluate(() => JSON.stringify({ ...localStorage }))
  expect(kept).not.toContain('@hotel.example')
})

test('a customer who is blocked sees it and can change nothing, until activated again', async ({
  page,
  browser,
  customer,
  secret,
  baseURL,
}) => {
  const account = await customer({ onboarded: true })
  const context = await browser.newContext({ baseURL: baseURL ?? '' })
  const theirs = await context.newPage()
  await openSignedIn(theirs, account)
  await expect(theirs.getByText('Active', { exact: true })).toBeVisible()

  await openAdmin(page)
  await page.getByLabel('Find by email').fill(account.email)
  const row = page.getByRole('row').filter({ hasText: account.email })
  await expect(row.getByText('active', { exact: true })).toBeVisible()
  await expect(row).toContainText(planName('growth'))
  await row.getByRole('button', { name: `Block ${account.email}` }).press('Enter')
  const dialog = page.getByRole('alertdialog', { name: 'Block this account?' })
  await expect(dialog).toHaveAccessibleDescription(
    /Customer sees.*“Your account is blocked”.*Billing.*Goes on/,
  )
  expect(await axeViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(row.getByRole('button', { name: `Block ${account.email}` })).toBeFocused()
  await expect(row.getByText('active', { exact: true })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(dialog.getByLabel('Reason')).toBeFocused()
  await page.keyboard.type('A chargeback')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(dialog.getByRole('button', { name: 'Block' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(row.getByText('blocked by you, paid', { exact: true })).toBeVisible()
  await expect(row.getByRole('button')).toHaveText('Activate')
  await expect(row.getByRole('button')).toBeFocused()
  await allSaved(page)
  const status = async () =>
    (await secret.from('user_subscriptions').select('status').eq('user_id', account.id).single()).data
  expect(await status()).toEqual({ status: 'blocked' })

  await theirs.evaluate(() => window.dispatchEvent(new Event('focus')))
  await expect(theirs.getByRole('heading', { name: 'Your account is blocked' })).toBeVisible()

  await row.getByRole('button', { name: `Activate ${account.email}` }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Activate' }).click()
  await allSaved(page)
  expect(await status()).toEqual({ status: 'active' })
  await theirs.evaluate(() => window.dispatchEvent(new Event('focus')))
  await expect(theirs.getByRole('heading', { name: 'Your account is blocked' })).toHaveCount(0)
  await context.close()

  await openTab(page, 'Settings')
  const log = page.getByRole('table', { name: 'Audit log' })
  await expect(log.getByRole('row').filter({ hasText: account.email })).toHaveCount(2)
  await expect(log.getByRole('row').filter({ hasText: account.email }).first()).toContainText('activated')
})

test('somebody who cannot log in is helped in two presses, and what was done for them is noted', async ({
  page,
  customer,
  secret,
  request,
}) => {
  const { id, email } = await customer({ onboarded: true })
  const call = { user_id: id, minutes: 30, reason: 'call', provider_event_id: `call:${id}` }
  await secret.from('minute_ledger').insert(call).throwOnError()
  await openAdmin(page)
  await page.getByLabel('Order').selectOption('newest')
  await page.getByRole('link', { name: email }).click()
  await page.getByRole('button', { name: 'Send password link' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'It is on its way' })).toBeVisible()
  const mails = async () =>
    ((await (await request.get(mounts.mail)).json()) as { to: string; subject: string }[])
      .filter(({ to }) => to === email)
      .map(({ subject }) => subject)
  await expect.poll(mails).toContain(`Set a new ${site.name} password`)

  const notes = page.getByRole('table', { name: 'Notes' })
  await page.getByLabel('Note').fill('Called about the password.')
  await page.getByRole('button', { name: 'Save note' }).click()
  await expect(notes).toContainText('Called about the password.')
  await page.getByLabel('Give back minutes').fill('31')
  await page.getByLabel('Why').fill('Calls of ours')
  await page.getByRole('button', { name: 'Give back' }).click()
  await expect(page.getByRole('alert')).toHaveText('Enter a whole number from 1 to 30.')
  await page.getByLabel('Give back minutes').fill('12')
  await page.getByRole('button', { name: 'Give back' }).click()
  await expect(notes).toContainText('12 minutes given back: Calls of ours')
  await expect(page.getByText(`18 of ${grouped(minutesOf('growth'))}`)).toBeVisible()

  await page.getByRole('button', { name: 'Block' }).click()
  await page.getByRole('alertdialog').getByLabel('Reason').fill('A chargeback')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Block' }).click()
  await expect(page.getByText('blocked by you, paid')).toBeVisible()
  await expect(notes).toContainText('Blocked: A chargeback')
  await expect(page.getByRole('button', { name: 'Activate' })).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
})

test('the strip counts what waits, and leads to its list @mobile', async ({ page, customer, secret }) => {
  const { id, email } = await customer({ onboarded: true })
  await secret
    .from('user_subscriptions')
    .update({ billing_status: 'payment_failed' })
    .eq('user_id', id)
    .throwOnError()
  await openAdmin(page)
  await page.getByLabel('Find by email').fill('nobody at all')
  await expect(page.getByText('No user matches.')).toBeVisible()
  const strip = page.getByRole('navigation', { name: 'Waiting for you' })
  const failed = strip.getByRole('link', { name: /^Failed renewals [1-9]/ })
  await failed.press('Enter')
  await expect(page).toHaveURL(/\/admin\/users\?status=payment_failed$/)
  await expect(page.getByLabel('Status')).toHaveValue('payment_failed')
  await expect(page.getByRole('row').filter({ hasText: email })).toHaveCount(1)
  await expect(failed).toBeFocused()
  await page.reload()
  await expect(page.getByLabel('Status')).toHaveValue('payment_failed')
  await expect(page.getByRole('row').filter({ hasText: email })).toHaveCount(1)
  await strip.getByRole('link', { name: /^Over limit \d/ }).click()
  await expect(page.getByRole('row').filter({ hasText: email })).toHaveCount(0)
  await page.goBack()
  await expect(page.getByRole('row').filter({ hasText: email })).toHaveCount(1)

  // The admin's word settles it; the row and the log say both words.
  await page.getByRole('button', { name: `Activate ${email}` }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Activate this account?' })
  await expect(dialog).toContainText('What is owed stays owed.')
  await dialog.getByRole('button', { name: 'Activate' }).click()
  await expect(page.getByRole('row').filter({ hasText: email })).toContainText(
    'active by you, payment failed',
  )
  await allSaved(page)
  await strip.getByRole('link', { name: /^Leads \d/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Leads' })).toBeVisible()
  await page.goBack()
  await strip.getByRole('link', { name: /^Agents waiting \d/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Agents' })).toBeVisible()
  await page.goBack()
  await strip.getByRole('link', { name: /^Payments without an account \d/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Payments' })).toBeVisible()
  await openTab(page, 'Settings')
  const line = page.getByRole('table', { name: 'Audit log' }).getByRole('row').filter({ hasText: email })
  await expect(line).toContainText(`activated ${email}`)
  await expect(line.getByText(id)).toBeHidden()
  await line.getByText('Details').click()
  await expect(line.getByText(id)).toBeVisible()
})

test('on a phone, links jump to the parts of a long tab @mobile', async ({ page, isMobile }) => {
  await openAdmin(page)
  await openTab(page, 'Payments')
  const jumps = page.getByRole('navigation', { name: 'Parts of Payments' })
  await expect(jumps).toBeVisible({ visible: isMobile })
  await expect(page.getByText(/^As of /)).toBeVisible()
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page.getByText(/^As of /)).toBeVisible()
  if (!isMobile) return
  await jumps.getByRole('link', { name: 'Payment events' }).click()
  await expect(page.getByRole('heading', { name: 'Payment events' })).toBeInViewport()
  await expect(page.getByRole('heading', { level: 1, name: 'Payments' })).toBeVisible()
})

test('a demo is added with all required fields, played, and deleted', async ({ page, secret }) => {
  await openAdmin(page)
  await openTab(page, 'Demos')
  const title = freshQuestion('Spa desk').replace('?', '')
  await page.getByRole('button', { name: 'Add demo' }).click()
  await page.getByLabel('Industry').fill('spa')
  await page.getByLabel('Title').fill(title)
  const add = page.locator('form').getByRole('button', { name: 'Add demo' })
  await add.click()
  await expectToast(page, 'Missing Information', 'Please fill in all fields and select an audio file.')
  const file = page.getByLabel('Audio file')
  await expect(file).toHaveAttribute('accept', '.mp3,.wav')
  await expect(file).toHaveAccessibleDescription(/Above about 3 MB this browser cannot keep it/)
  await file.setInputFiles({ name: 'a.flac', mimeType: 'audio/flac', buffer: Buffer.from('fLaC') })
  await expect(page.getByText('Choose an .mp3 or .wav file.')).toBeVisible()
  await file.setInputFiles({ name: 'a.mp3', mimeType: 'audio/mpeg', buffer: Buffer.alloc(5_000, 'ID3') })
  await expect(page.getByText('This recording cannot be played.')).toBeVisible()
  await file.setInputFiles({ name: 'spa.wav', mimeType: 'audio/wav', buffer: wav(3) })
  await expect(page.getByText('spa.wav, 0:03')).toBeVisible()
  await add.click()

  const entry = page.getByRole('listitem').filter({ hasText: title })
  await expect(entry).toBeVisible()
  expect(await stored(page, 'demos')).toContainEqual(
    expect.objectContaining({ industry: 'spa', title, description: '' }),
  )
  await allSaved(page)
  const row = () =>
    secret.from('audio_demos').select('audio_url, seconds, deleted_at').eq('title', title).single()
  const url = (await row()).data?.audio_url as string
  expect((await row()).data?.seconds).toBe(3)
  expect(url).toContain('/storage/v1/object/public/demos/')
  expect((await page.request.get(url)).status()).toBe(200)
  await expect(entry.getByText('Not published', { exact: true })).toBeVisible()

  await entry.getByRole('button', { name: `Play ${title}` }).click()
  await expect(entry.getByText('of 0:03')).toBeVisible()
  await entry.getByRole('button', { name: `Edit ${title}` }).click()
  await expectToast(page, 'Feature not implemented yet')

  await entry.getByRole('button', { name: `Delete ${title}` }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Delete this demo?' })
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(entry.getByRole('button', { name: `Delete ${title}` })).toBeFocused()
  await entry.getByRole('button', { name: `Delete ${title}` }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(entry).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await allSaved(page)
  expect((await row()).data?.deleted_at).not.toBeNull()
})

test('an FAQ is added, viewed, edited and deleted', async ({ page, secret }) => {
  await openAdmin(page)
  await openTab(page, 'FAQs')
  await page.getByRole('button', { name: 'Add FAQ' }).click()
  await page.getByLabel('Question', { exact: true }).fill('Only a question?')
  await page.getByRole('button', { name: 'Add FAQ' }).click()
  await expectToast(page, 'Please fill in both question and answer.')
  await expect(page.getByLabel('Question', { exact: true })).toHaveValue('Only a question?')
  await page.getByRole('button', { name: 'Cancel' }).click()

  const question = freshQuestion('Do you answer at night')
  await addFaq(page, question, 'Yes, always.')
  const row = rowOf(page, question)
  const [added] = (await stored(page, 'faqs')).filter((each) => each.question === question)
  expect(String(added?.id)).toMatch(/^\d{13}$/)
  await allSaved(page)
  await expect(row.getByText('Yes, always.')).toHaveCount(0)
  await row.getByRole('button', { name: `View ${question}` }).click()
  await expect(row.getByText('Yes, always.')).toBeVisible()

  await row.getByRole('button', { name: `Edit ${question}` }).click()
  await page.getByLabel('Answer', { exact: true }).fill('Around the clock.')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(row.getByText('Around the clock.')).toBeVisible()
  await allSaved(page)
  const inDatabase = () =>
    secret.from('faqs').select('answer, deleted_at').eq('id', String(added?.id)).single()
  expect((await inDatabase()).data).toEqual({ answer: 'Around the clock.', deleted_at: null })

  await row.getByRole('button', { name: `Delete ${question}` }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Delete this FAQ?' })
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(row).toHaveCount(0)
  await allSaved(page)
  expect((await inDatabase()).data?.deleted_at).not.toBeNull()
})

test('typed texts are kept when the admin leaves a tab and returns', async ({ page }) => {
  await openAdmin(page)
  await openTab(page, 'FAQs')
  await page.getByRole('button', { name: 'Add FAQ' }).click()
  await page.getByLabel('Answer', { exact: true }).fill('Half an answ')
  await openTab(page, 'Settings')
  await page.getByLabel('Maintenance notice').fill('Half a not')
  await page.getByLabel('Contact email').fill('desk')
  await page.getByRole('button', { name: 'Save settings' }).click()
  await expect(page.getByLabel('Contact email')).toBeFocused()
  await expect(page.getByText('Enter an email address with an @')).toBeVisible()
  await page.goBack()
  await expect(page.getByLabel('Answer', { exact: true })).toHaveValue('Half an answ')
  await page.goForward()
  await expect(page.getByLabel('Maintenance notice')).toHaveValue('Half a not')

  // The session ends elsewhere, so a reload leads to the login.
  await page.evaluate((key) => localStorage.removeItem(key), storageKey('auth'))
  await page.reload()
  await expect(page).toHaveURL(/\/login\/?$/)
  await openAdmin(page)
  await openTab(page, 'FAQs')
  await expect(page.getByLabel('Answer', { exact: true })).toHaveValue('Half an answ')
})

test('two admins do not overwrite each other', async ({ page, secret }) => {
  await openAdmin(page)
  await openTab(page, 'FAQs')
  const question = freshQuestion('Whose version stays')
  await addFaq(page, question, 'First.')
  await allSaved(page)
  // A page counts what is not published once it has read all rows; it reads no more until it is told to.
  await page.reload()
  await expect(page.getByRole('heading', { name: /not on the site yet$/ })).toBeVisible()
  await page.getByLabel('Find in questions and answers').fill(question)
  const change = (answer: string) =>
    secret.from('faqs').update({ answer }).eq('question', question).throwOnError()
  const edit = async (answer: string) => {
    await page.getByRole('button', { name: `Edit ${question}` }).click()
    await page.getByLabel('Answer', { exact: true }).fill(answer)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
  }

  await change('Of another admin.')
  await edit('Mine.')
  const notice = page.getByRole('alert').filter({ hasText: 'Somebody else changed' })
  await expect(notice).toContainText('Of another admin.')
  await expect(notice).toContainText('Mine.')
  await notice.getByRole('button', { name: 'Keep mine' }).click()
  await expect(notice).toHaveCount(0)
  await allSaved(page)
  const answer = async () =>
    (await secret.from('faqs').select('answer').eq('question', question).single()).data
  expect(await answer()).toEqual({ answer: 'Mine.' })

  await change('Of another admin again.')
  await edit('Mine again.')
  await notice.getByRole('button', { name: 'Take theirs' }).click()
  await page.getByRole('button', { name: `View ${question}` }).click()
  await expect(rowOf(page, question)).toContainText('Of another admin again.')
  expect(await answer()).toEqual({ answer: 'Of another admin again.' })
})

test('two tabs see each other’s changes, also in the middle of an edit', async ({ page, context }) => {
  await openAdmin(page)
  await openTab(page, 'FAQs')
  const question = freshQuestion('Which tab wins')
  await addFaq(page, question, 'Neither.')
  await allSaved(page)
  const other = await context.newPage()
  await other.goto('/admin/faqs')
  await other.getByLabel('Find in questions and answers').fill(question)
  await other.getByRole('button', { name: `Edit ${question}` }).click()
  await other.getByLabel('Answer', { exact: true }).fill('The second.')

  await page.getByRole('button', { name: `Edit ${question}` }).click()
  await page.getByLabel('Answer', { exact: true }).fill('The first.')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await allSaved(page)
  await expect(other.getByText('This FAQ was changed elsewhere while you were editing it.')).toBeVisible()
  await expect(other.getByText('The first.')).toBeVisible()
  await expect(other.getByLabel('Answer', { exact: true })).toHaveValue('The second.')
  await other.getByRole('button', { name: 'Save mine instead' }).click()
  await allSaved(other)
  await page.getByRole('button', { name: `View ${question}` }).click()
  await expect(rowOf(page, question)).toContainText('The second.')
})

test('export and backup say that they need a bucket, and work once it is set', async ({ page }) => {
  await openAdmin(page)
  await openTab(page, 'FAQs')
  const question = freshQuestion('Is there a backup')
  await addFaq(page, question, 'There is.')
  await allSaved(page)
  await openTab(page, 'Settings')
  const bucket = page.getByLabel('Storage for exports and backups')
  const save = page.getByRole('button', { name: 'Save settings' })
  await page.getByRole('button', { name: 'Export data' }).click()
  await expectToast(page, 'Data export is not implemented yet', 'It needs a storage integration.')
  await page.getByRole('button', { name: 'Create backup' }).click()
  await expectToast(page, 'Data backup is not implemented yet', 'It needs a storage integration.')

  await bucket.fill('demos')
  await save.click()
  await expect(page.getByText('There is no private bucket of that name.')).toBeVisible()
  await bucket.fill('backups')
  await save.click()
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Export data' }).click()
  await expect(page.getByText(/^Stored export-.*\.json$/)).toBeVisible()
  await page.getByRole('button', { name: 'Create backup' }).click()
  await expect(page.getByText(/^Stored backup-.*\.zip$/)).toBeVisible()
  const download = page.waitForEvent('download')
  await page
    .getByRole('button', { name: /^Download export-/ })
    .first()
    .click()
  expect((await download).suggestedFilename()).toMatch(/^export-.*\.json$/)

  await openTab(page, 'FAQs')
  await page.getByLabel('Find in questions and answers').fill(question)
  await page.getByRole('button', { name: `Delete ${question}` }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await allSaved(page)
  await openTab(page, 'Settings')
  await page
    .getByRole('button', { name: /^Restore backup-/ })
    .first()
    .click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Restore' }).click()
  await expect(page.getByText(/^Restored backup-/)).toBeVisible()
  await allSaved(page)
  await openTab(page, 'FAQs')
  await page.getByLabel('Find in questions and answers').fill(question)
  await expect(rowOf(page, question)).toHaveCount(1)

  await openTab(page, 'Settings')
  await bucket.fill('')
  await save.click()
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
})

test('unpublished changes are counted, and Publish shows its progress', async ({ page, secret }) => {
  await openAdmin(page)
  await openTab(page, 'FAQs')
  const question = freshQuestion('Is it on the site')
  await addFaq(page, question, 'Soon.')
  await allSaved(page)
  await expect(rowOf(page, question).getByText('Not published', { exact: true })).toBeVisible()
  await expect(page.getByRole('heading', { name: /not on the site yet$/ })).toBeVisible()

  await page.route('**/.netlify/functions/publish', (route) =>
    route.fulfill({ status: 501, json: { error: { code: 'not_configured', message: 'No build hook.' } } }),
  )
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await expect(page.getByText('No build hook.')).toBeVisible()

  // The host accepts the request. The new pages appear later, with all rows of the database.
  await page.unroute('**/.netlify/functions/publish')
  await page.route('**/.netlify/functions/publish', (route) => route.fulfill({ json: { accepted: true } }))
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await expect(page.getByText(/The site is being built, \d+ s so far/)).toBeVisible()

  await secret.rpc('report_failed_publication', { p_problem: 'content/faq/pets.md\n  question: is empty.' })
  await expect(page.getByRole('heading', { name: 'Not published' })).toBeVisible()
  await expect(page.getByText('question: is empty.')).toBeVisible()
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  // From now on the page waits for another build than the one that it has just read.
  await expect(page.getByText(/The site is being built, \d+ s so far/)).toBeVisible()
  await page.route('**/build.json', async (route) => {
    const build = (await (await route.fetch()).json()) as { rows: object }
    const faqs = await stored(page, 'faqs')
    const rows = Object.fromEntries(faqs.map(({ id, updatedAt }) => [`faqs/${String(id)}`, updatedAt]))
    await route.fulfill({ json: { ...build, rows, builtAt: '2030-01-01T00:00:00Z' } })
  })
  await expect(rowOf(page, question).getByText('Not published', { exact: true })).toHaveCount(0)
})

test('a customer who paid and has no password is listed, and gets the link again', async ({
  page,
  purchase,
  request,
}) => {
  const { email } = await purchase()
  await openAdmin(page)
  await openTab(page, 'Payments')
  const row = page
    .getByRole('table', { name: 'Payments without an account' })
    .getByRole('row')
    .filter({ hasText: email })
  await expect(row).toContainText(planName('growth'))
  const mails = async () => {
    const answer = await request.get(mounts.mail)
    return ((await answer.json()) as { to: string }[]).filter(({ to }) => to.includes(email)).length
  }
  await expect.poll(mails).toBe(1)
  await row.getByRole('button', { name: `Resend the link to ${email}` }).click()
  await expect(row.getByRole('status')).toHaveText('Sent.')
  await expect(row.getByText('mailed', { exact: true })).toBeVisible()
  expect(await mails()).toBe(2)
})

test('an event names its payer and its amount, and is replayed; an unknown one is reported', async ({
  page,
  customer,
  secret,
}) => {
  const { id: user, email } = await customer()
  const unknown = `evt_${randomUUID().replaceAll('-', '')}`
  // Both stay on the first page, whatever other tests add.
  const received_at = '2999-01-01T00:00:00Z'
  await secret
    .from('webhook_events')
    .insert({ id: unknown, type: 'invoice.paid', received_at, error: 'test' })
    .throwOnError()
  const { data: subscription } = await secret
    .from('user_subscriptions')
    .select('stripe_customer_id')
    .eq('user_id', user)
    .single()
    .throwOnError()
  const { data: event } = await secret
    .from('webhook_events')
    .update({ received_at })
    .eq('stripe_customer_id', String(subscription.stripe_customer_id))
    .eq('type', 'invoice.paid')
    .select('id, attempts')
    .single()
    .throwOnError()
  await openAdmin(page)
  await openTab(page, 'Payments')
  const rows = page.getByRole('table', { name: 'Payment events' }).getByRole('row')
  const paid = rows.filter({ hasText: String(event.id) })
  await expect(paid).toContainText(email)
  await expect(paid).toContainText(`First payment paid, ${priceText('growth')}`)
  const lost = rows.filter({ hasText: unknown })
  await expect(lost.getByText('failed', { exact: true })).toBeVisible()
  await lost.getByRole('button', { name: `Replay ${unknown}` }).click()
  await expect(lost.getByRole('alert')).toHaveText('Stripe does not know this event.')
  await secret.from('webhook_events').delete().eq('id', unknown)

  await paid.getByRole('button', { name: `Replay ${String(event.id)}` }).click()
  await expect(paid.getByRole('status')).toHaveText('Replayed.')
  await paid.getByText('Details').click()
  await expect(paid.getByRole('definition').last()).toHaveText(String(Number(event.attempts) + 1))
})

test('failed events are counted, filtered and replayed together; what fails again is named', async ({
  page,
  purchase,
  secret,
}) => {
  const { email } = await purchase()
  const { data: bought } = await secret
    .from('checkouts')
    .select('stripe_subscription_id')
    .eq('email', email)
    .single()
    .throwOnError()
  const inbox = () => secret.from('webhook_events')
  const handled = async (): Promise<string[]> => {
    const { data } = await inbox()
      .select('id')
      .not('handled_at', 'is', null)
      .eq('stripe_subscription_id', String(bought.stripe_subscription_id))
      .throwOnError()
    return data.map(({ id }) => id)
  }
  await expect.poll(async () => (await handled()).length).toBeGreaterThan(1)
  const known = await handled()
  await inbox().update({ handled_at: null, error: 'test' }).in('id', known).throwOnError()
  // Stripe does not know these. They fail slowly enough to be watched, and outnumber a page.
  const lost = Array.from({ length: 30 }, () => `evt_${randomUUID().replaceAll('-', '')}`)
  await inbox()
    .insert(lost.map((id) => ({ id, type: 'invoice.paid', error: 'test' })))
    .throwOnError()

  await openAdmin(page)
  const strip = page.getByRole('navigation', { name: 'Waiting for you' })
  await strip.getByRole('link', { name: /^Failed events [1-9]/ }).press('Enter')
  await expect(page).toHaveURL(/\/admin\/payments\?events=failed#events$/)
  await expect(page.getByRole('heading', { name: 'Payment events' })).toBeFocused()
  const which = page.getByLabel('Outcome')
  await expect(which).toHaveValue('failed')
  const rows = page.getByRole('table', { name: 'Payment events' }).getByRole('row')
  await expect(rows.getByText('failed', { exact: true })).toHaveCount(20)

  await page.getByRole('button', { name: 'Replay all failed' }).press('Enter')
  await expect(page.getByText(/^Replaying: \d+ of \d+ events\.$/)).toBeVisible()
  await expect(page.getByText(/events? replayed, \d+ failed again:$/)).toBeVisible({ timeout: 60_000 })
  await expect(page.getByText(/^Stripe does not know this event\. .*evt_/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Replay all failed' })).toBeFocused()
  const { data: after } = await inbox().select('handled_at, error').in('id', known).throwOnError()
  expect(after.every((event) => event.handled_at !== null && event.error === null)).toBe(true)

  await inbox().delete().in('id', lost).throwOnError()
  await which.focus()
  await which.selectOption('All')
  await expect(page).toHaveURL(/\/admin\/payments$/)
  await expect(which).toBeFocused()
  // The first row has the names of the columns.
  await expect(rows.filter({ hasNot: page.getByText('failed', { exact: true }) }).nth(1)).toBeVisible()
})

test('a customer’s webhook that fails is counted and listed, without the path of its address', async ({
  page,
  customer,
  secret,
  request,
  clientOf,
}) => {
  const account = await customer({ onboarded: true })
  const theirs = await clientOf(account)
  await theirs
    .rpc('create_webhook', { p_url: 'https://127.0.0.1/services/hidden', p_events: ['message.taken'] })
    .throwOnError()
  const message = {
    name: 'Ada',
    phone_number: null,
    about: 'Keys',
    message: 'I lost them.',
    is_urgent: false,
  }
  await secret
    .rpc('take_message', { p: { user_id: account.id, call: `call_${account.id}`, ...message } })
    .throwOnError()
  expect((await request.post('/.netlify/functions/clock')).status()).toBe(200)
  await openAdmin(page)
  const strip = page.getByRole('navigation', { name: 'Waiting for you' })
  await strip.getByRole('link', { name: /^Failing webhooks [1-9]/ }).press('Enter')
  await expect(page.getByRole('heading', { name: 'Webhooks that fail' })).toBeFocused()
  const row = page
    .getByRole('table', { name: 'Webhooks that fail' })
    .getByRole('row')
    .filter({ hasText: account.email })
  await expect(row).toContainText('127.0.0.1')
  await expect(row).toContainText('not a public address')
  await expect(row).toContainText('is tried again')
  await expect(row).not.toContainText('hidden')
})

test('refunds, disputes and findings of the reconciliation are shown', async ({ page, secret }) => {
  const id = randomUUID()
  await secret.from('payment_flags').insert({
    kind: 'dispute',
    stripe_id: `dp_${id}`,
    charge: 'ch_1',
    amount: 50_000,
    currency: currency.toLowerCase(),
    status: 'needs_response',
    reason: 'fraudulent',
  })
  await secret.from('payment_findings').insert({ kind: 'payment_without_account', subject: `sub_${id}` })
  await openAdmin(page)
  await openTab(page, 'Payments')
  const flag = page
    .getByRole('table', { name: 'Refunds and disputes' })
    .getByRole('row')
    .filter({ hasText: id })
  await expect(flag).toContainText('Dispute')
  await expect(flag).toContainText(exactPrice(50_000))
  await expect(flag).toContainText('needs response, fraudulent')
  const finding = page.getByRole('table', { name: 'Differences from Stripe' }).getByRole('row')
  await expect(finding.filter({ hasText: id })).toContainText('Payment without an account')
})

test('each tab has its own URL and no accessibility violation, and an unknown one shows the users @mobile', async ({
  page,
}) => {
  await openAdmin(page)
  for (const [name, path, heading, open] of [
    ['Demos', 'demos', 'Audio demos', 'Add demo'],
    ['FAQs', 'faqs', 'FAQs', 'Add FAQ'],
    ['Leads', 'leads', 'Leads', null],
    ['Agents', 'agents', 'Agents', null],
    ['Payments', 'payments', 'Payments', null],
    ['Settings', 'settings', 'Settings', null],
    ['Users', 'users', 'Users', null],
  ] as const) {
    await openTab(page, name)
    await expect(page).toHaveURL(new RegExp(`/admin/${path}$`))
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
    // A tab that was left while it loaded is hidden, and loads once it is shown again.
    await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0)
    if (open) await page.getByRole('button', { name: open }).click()
    expect(await axeViolations(page)).toEqual([])
    const own = page.viewportSize()!
    for (const width of [own.width, 768]) {
      await page.setViewportSize({ ...own, width })
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect(overflow, `${name} scrolls sideways at ${width} px`).toBeLessThanOrEqual(0)
    }
    await page.setViewportSize(own)
  }
  await page.goto('/admin/payments')
  await expect(page.getByRole('heading', { level: 1, name: 'Payments' })).toBeVisible()
  await page.goto('/admin/nowhere')
  await expect(page).toHaveURL(/\/admin$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Users' })).toBeVisible()
})

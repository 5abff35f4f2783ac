import type { SupabaseClient } from '@supabase/supabase-js'
import type { Page, Route } from '@playwright/test'
import { requestBooking, setUpBookings } from '../support/bookings.ts'
import { axeViolations } from '../support/axe.ts'
import { reportCall } from '../support/call-report.ts'
import { expect, openSignedIn, test, type Customer } from './fixtures.ts'

const inboxOf = (page: Page) => page.getByRole('region', { name: 'Inbox' })
const entries = (page: Page) => inboxOf(page).getByRole('list').getByRole('listitem')

const takeMessage = (secret: SupabaseClient, { id }: Customer, call: string, more: object = {}) =>
  secret
    .rpc('take_message', {
      p: {
        user_id: id,
        call,
        name: 'Bob Lind',
        phone_number: '+12025550144',
        about: 'Parking',
        message: 'Is there any?',
        is_urgent: true,
        ...more,
      },
    })
    .throwOnError()

test('a caller is rung back with one press after signing in, and what waits is done, undone, confirmed and told', async ({
  page,
  customer,
  secret,
  baseURL,
}) => {
  const account = await customer({ onboarded: true })
  const call = `inbox-${account.id}`
  await takeMessage(secret, account, call)
  await reportCall(baseURL ?? '', account.id, {
    call_id: call,
    about: 'Parking',
    phone_number: '+12025550144',
  })
  await requestBooking(secret, account.id, 'Ada Meyer')

  await openSignedIn(page, account, '/portal')
  const message = entries(page).filter({ hasText: 'Bob Lind, Parking' })
  await expect(message.getByText('Is there any?')).toBeVisible()
  const number = message.getByRole('link', { name: '+1 202 555 0144' })
  await expect(number).toHaveAttribute('href', 'tel:+12025550144')
  await message.getByRole('button', { name: 'Done: Bob Lind, Parking' }).press('Enter')
  const undo = message.getByRole('button', { name: 'Undo: Bob Lind, Parking' })
  await expect(undo).toBeFocused()
  // The second click of a double click takes nothing back.
  await undo.dispatchEvent('click', { detail: 2 })
  await page.keyboard.press('Enter')
  await expect(message.getByRole('button', { name: 'Done: Bob Lind, Parking' })).toBeFocused()

  await inboxOf(page).getByRole('button', { name: 'Requests 1' }).click()
  await expect(entries(page)).toHaveCount(1)
  // Nothing can be booked here, so that no other time can be proposed.
  await expect(page.getByRole('link', { name: /^Propose another/ })).toHaveCount(0)
  await page.getByRole('button', { name: 'Confirm: Check-up, Ada Meyer' }).click()
  await expect(inboxOf(page).getByText('Nothing waits for you.')).toBeVisible()
  await inboxOf(page).getByRole('button', { name: 'Call-backs 1' }).click()
  await expect(entries(page).getByRole('link', { name: '+1 202 555 0143' })).toHaveAttribute(
    'href',
    'tel:+12025550143',
  )
  await page.getByRole('button', { name: 'Done: Check-up, Ada Meyer' }).click()
  await inboxOf(page).getByRole('button', { name: 'Done', exact: true }).click()
  await page.getByRole('button', { name: 'Undo: Check-up, Ada Meyer' }).click()
  await page.reload()
  await expect(inboxOf(page).getByRole('button', { name: 'All 2' })).toBeVisible()

  await message.getByRole('link', { name: /^Open the call/ }).click()
  await expect(page.getByRole('heading', { name: 'Parking', exact: true })).toBeFocused()
  await expect(page.getByRole('cell').getByRole('link', { name: '+1 202 555 0144' })).toHaveAttribute(
    'href',
    'tel:+12025550144',
  )
  await expect(page).toHaveURL(/\/portal\?call=[\da-f-]{36}$/)
})

test('a request that was cancelled meanwhile is not said to be confirmed', async ({
  page,
  customer,
  clientOf,
  secret,
}) => {
  const account = await customer({ onboarded: true })
  await requestBooking(secret, account.id, 'Ada Meyer')
  await openSignedIn(page, account, '/portal')
  const confirm = page.getByRole('button', { name: 'Confirm: Check-up, Ada Meyer' })
  await expect(confirm).toBeVisible()
  const client = await clientOf(account)
  const { data: booking } = await client.from('bookings').select('id').single().throwOnError()
  await client.rpc('cancel_my_booking', { p_booking: booking.id }).throwOnError()
  await confirm.click()
  await expect(
    inboxOf(page).getByText('This was changed meanwhile. You see how it stands now.'),
  ).toBeVisible()
  await expect(confirm).toHaveCount(0)
})

test('an inbox of many entries is searched and paged, fits each screen, and has only targets of full size', async ({
  page,
  customer,
  secret,
}) => {
  const account = await customer({ onboarded: true })
  for (let nth = 1; nth <= 110; nth++)
    await takeMessage(secret, account, `inbox-${account.id}-${nth}`, {
      name: `Guest ${nth} ${nth === 110 ? 'x'.repeat(80) : ''}`,
      about: `Key ${nth}`,
      is_urgent: nth === 110,
    })
  await requestBooking(secret, account.id, 'Ada Meyer')
  await openSignedIn(page, account, '/portal')
  await expect(entries(page)).toHaveCount(6)
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [360, 768, 1440]) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.setViewportSize({ width, height: 900 })
      const broad = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect(broad, `${width} ${colorScheme}`).toBeLessThanOrEqual(0)
      expect(await axeViolations(page)).toEqual([])
    }
  const heights = await inboxOf(page)
    .locator('a, button, input')
    .evaluateAll((targets) => targets.map((target) => target.getBoundingClientRect().height))
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(44)

  const more = inboxOf(page).getByRole('button', { name: 'Show more' })
  for (const count of [26, 46, 66, 86, 106, 111]) {
    await more.press('Enter')
    await expect(entries(page)).toHaveCount(count)
  }
  await expect(more).toBeHidden()
  await expect(inboxOf(page).getByText('111 are listed.')).toBeFocused()
  // More than one request returns: those at the end stay when the owner returns from a call.
  await takeMessage(secret, account, `inbox-${account.id}-111`)
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await expect(entries(page)).toHaveCount(112)
  await page.getByLabel('Search your inbox').fill('key 17')
  await expect(entries(page)).toHaveCount(1)
  await page.getByLabel('Search your inbox').fill('100%_')
  await expect(inboxOf(page).getByText('Nothing matches.')).toBeVisible()
})

test('a link to a call opens it, after signing in too, a mark is taken back, and a call of nobody is said to be gone', async ({
  page,
  customer,
  baseURL,
  secret,
}) => {
  const [account, other] = [await customer({ onboarded: true }), await customer({ onboarded: true })]
  const idOf = async (call: Promise<string>) => {
    const { data } = await secret
      .from('calls')
      .select('id')
      .eq('provider_call_id', await call)
      .single()
      .throwOnError()
    return String(data.id)
  }
  const mine = await idOf(
    reportCall(baseURL ?? '', account.id, {
      about: 'A table for six',
      promised: 'booked',
      transcript: [
        { who: 'caller', text: 'Hello. Is there a pool?' },
        { who: 'agent', text: 'I do not have that information.' },
      ],
    }),
  )
  const theirs = await idOf(reportCall(baseURL ?? '', other.id))

  await page.goto(`/portal?call=${mine}`)
  await page.waitForURL('/pricing')
  await openSignedIn(page, account, '/portal')
  const heading = page.getByRole('heading', { name: 'A table for six', exact: true })
  await expect(heading).toBeVisible()
  await expect(page).toHaveURL(`/portal?call=${mine}`)
  const opened = page.getByRole('region', { name: 'A table for six' })
  await opened.getByRole('button', { name: 'Spam' }).press('Enter')
  await expect(opened.getByText(/^Marked as spam\. 2 minutes credited/)).toBeFocused()
  await opened.getByRole('button', { name: 'Not spam' }).press('Enter')
  await expect(opened.getByText('The mark is taken back. 2 minutes are counted again.')).toBeVisible()
  await expect(opened.getByRole('button', { name: 'Spam', exact: true })).toBeVisible()
  expect(await axeViolations(page)).toEqual([])

  // What the agent has said and not done is to be heard.
  await expect(entries(page).getByText('no booking was made in this call')).toBeVisible()
  await opened.getByRole('link', { name: 'Teach this answer: Is there a pool?' }).press('Enter')
  const pool = page.getByLabel('“Is there a pool?”')
  await expect(pool).toBeFocused()
  await pool.fill('There is one on the roof.')
  await page.getByRole('button', { name: 'Save answer to Is there a pool?' }).click()
  await expect(page.getByText('Every question of your callers has an answer now.')).toBeVisible()
  await expect(page.locator('[data-saving]')).toContainText('Saved')
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await expect(inboxOf(page).getByRole('button', { name: 'All 1' })).toBeVisible()
  // What is taught already is changed, not taught twice.
  await page.goto(`/portal/agent?${new URLSearchParams({ teach: 'Is there a pool?' }).toString()}`)
  await expect(pool).toHaveValue('There is one on the roof.')
  await expect(page.getByText('Your agent answers this already.')).toBeVisible()
  await pool.fill('There is one in the cellar.')
  await page.getByRole('button', { name: 'Save answer to Is there a pool?' }).click()
  await expect(page.locator('[data-saving]')).toContainText('Saved')
  const { data: knows } = await secret
    .from('agent_knowledge')
    .select('knowledge')
    .eq('user_id', account.id)
    .single()
    .throwOnError()
  expect(knows.knowledge).toMatchObject({ answers: [{ answer: 'There is one in the cellar.' }] })

  for (const id of [theirs, '00000000-0000-4000-8000-000000000000', 'x']) {
    await page.goto(`/portal?call=${id}`)
    await expect(page.getByText(/^This call is not in your log\./)).toBeVisible()
  }
  await expect(inboxOf(page)).toBeVisible()
  await page.getByRole('link', { name: 'Close the call' }).press('Enter')
  await expect(page.getByText(/^This call is not in your log\./)).toBeHidden()
  await expect(page.getByRole('heading', { name: 'Inbox' })).toBeFocused()
})

/** Holds the next answer with the inbox back. Resolves once it is there, to what lets it come. */
async function holdInbox(page: Page): Promise<{ isThere: Promise<void>; release: () => void }> {
  const [there, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const answer = async (route: Route): Promise<void> => {
    const response = await route.fetch()
    there.resolve()
    await released.promise
    await route.fulfill({ response })
  }
  await page.route('**/rpc/list_inbox', answer, { times: 1 })
  return { isThere: there.promise, release: released.resolve }
}

test('what is done stays done if the inbox is read meanwhile, and a search says what it has found', async ({
  page,
  customer,
  secret,
}) => {
  const account = await customer({ onboarded: true })
  for (let nth = 1; nth <= 7; nth++)
    await takeMessage(secret, account, `inbox-${account.id}-${nth}`, { about: `Key ${nth}` })
  await openSignedIn(page, account, '/portal')
  await expect(entries(page)).toHaveCount(6)
  const returning = await holdInbox(page)
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await returning.isThere
  await page.getByRole('button', { name: 'Done: Bob Lind, Key 7' }).click()
  await expect(page.getByRole('button', { name: 'Undo: Bob Lind, Key 7' })).toBeVisible()
  returning.release()
  await expect(entries(page).filter({ hasText: 'Key 7' })).toHaveCount(0)
  await expect(inboxOf(page).getByRole('button', { name: 'All 6' })).toBeVisible()

  // Six are too few for a search, but nothing moves away under a thumb.
  const search = page.getByLabel('Search your inbox')
  await search.fill('nobody')
  await expect(inboxOf(page).getByText('Nothing matches.')).toBeVisible()
  const clearing = await holdInbox(page)
  await search.fill('')
  await clearing.isThere
  await expect(inboxOf(page).getByText('Nothing matches.')).toBeVisible()
  clearing.release()
  await expect(entries(page)).toHaveCount(6)
})

test.describe('without an answer', () => {
  test.use({ allowedConsole: /ERR_FAILED/ })

  test('an entry says itself that it was not saved, and can be tried again', async ({
    page,
    customer,
    secret,
  }) => {
    const account = await customer({ onboarded: true })
    for (const nth of [1, 2])
      await takeMessage(secret, account, `inbox-${account.id}-${nth}`, { about: `Key ${nth}` })
    await openSignedIn(page, account, '/portal')
    const entry = entries(page).filter({ hasText: 'Key 1' })
    await page.route('**/rpc/note_message_done', (route) => route.abort(), { times: 1 })
    await entry.getByRole('button', { name: /^Done/ }).press('Enter')
    await expect(entry.getByRole('alert')).toHaveText('Not saved. Check your connection and try again.')
    await page.keyboard.press('Enter')
    await expect(entry.getByRole('button', { name: /^Undo/ })).toBeFocused()
    await expect(page.getByRole('alert')).toHaveCount(0)
  })
})

test('a caller who is forgotten in an opened call leaves the inbox and the call as well', async ({
  page,
  customer,
  secret,
  baseURL,
}) => {
  const account = await customer({ onboarded: true })
  const call = `inbox-${account.id}`
  await takeMessage(secret, account, call)
  await reportCall(baseURL ?? '', account.id, {
    call_id: call,
    about: 'Parking',
    phone_number: '+12025550144',
  })
  await openSignedIn(page, account, '/portal')
  await entries(page)
    .getByRole('link', { name: /^Open the call/ })
    .click()
  await page
    .getByRole('region', { name: 'Parking' })
    .getByRole('button', { name: /^Forget this caller/ })
    .click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Forget' }).click()
  const opened = page.getByRole('region', { name: 'What was said is deleted' })
  await expect(opened.getByText('Deleted', { exact: true })).toBeVisible()
  await expect(opened.getByText(/^Deleted: What was said in 1 call/)).toBeFocused()
  await expect(entries(page)).toHaveCount(0)
})

test('what the owner has deleted or moved in the own calendar is put back, moved or cancelled', async ({
  page,
  clientOf,
  customer,
  secret,
}) => {
  const account = await customer({ onboarded: true })
  await requestBooking(secret, account.id, 'Ada Meyer')
  const client = await clientOf(account)
  await setUpBookings({ client, id: account.id })
  const login = { p_url: 'https://127.0.0.1/Bookings/', p_username: 'ada', p_password: 'secret' }
  await client.rpc('connect_calendar', login).throwOnError()
  const { data: endpoint } = await client.from('webhook_endpoints').select('id').single().throwOnError()
  const { data: booking } = await client.from('bookings').select('id').single().throwOnError()
  await client.rpc('decide_booking', { p_booking: booking.id, p_confirms: true }).throwOnError()
  await client.rpc('note_told', { p_booking: booking.id }).throwOnError()
  const change = async (problem: string, shown: string | null): Promise<void> => {
    const at = { p_starts_at: shown, p_ends_at: shown, p_etag: null, p_problem: problem }
    const of = { p_endpoint: endpoint.id, p_booking: booking.id }
    await secret.rpc('note_calendar_event', { ...of, ...at } as never).throwOnError()
  }
  await change('deleted', null)
  await takeMessage(secret, account, `inbox-${account.id}`)
  await openSignedIn(page, account, '/portal')
  const entry = entries(page).filter({ hasText: 'Check-up, Ada Meyer' })
  await expect(entry.getByText(/^You have deleted it in your calendar\. It is still booked/)).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
  await entry.getByRole('button', { name: /^Put it back/ }).press('Enter')
  await expect(inboxOf(page).getByText('Your calendar is changed: Check-up, Ada Meyer.')).toBeAttached()
  await expect(entry).toHaveCount(0)

  await change('clashing', '2030-05-07T09:00:00Z')
  await page.reload()
  await expect(entry.getByText(/^Your calendar shows it on .*7 May 2030/)).toBeVisible()
  await expect(entry.getByRole('link', { name: /^Move it/ })).toHaveAttribute('href', /move=/)
  await entry.getByRole('button', { name: /^Cancel booking/ }).press('Enter')
  const question = page.getByRole('alertdialog')
  await expect(question.getByText('The caller learns of it from you.')).toBeVisible()
  await question.getByRole('button', { name: 'Cancel booking' }).press('Enter')
  await expect(entry.getByText('The caller does not know yet what you have decided.')).toBeVisible()
  await expect(entry.getByText('Your calendar shows it')).toHaveCount(0)
})

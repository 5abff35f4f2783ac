import { momentOf } from '#bookings/domain/free-times.ts'
import { axeViolations } from '../support/axe.ts'
import { dayIn, requestBooking, setUpBookings, timeZone } from '../support/bookings.ts'
import { expect, openSignedIn, test } from './fixtures.ts'

test('an owner connects a private address by keyboard, says whose time it takes, and sees when it is busy', async ({
  page,
  clientOf,
  customer,
  secret,
}) => {
  const account = await customer({ onboarded: true })
  const client = await clientOf(account)
  await setUpBookings({ client, id: account.id })
  await openSignedIn(page, account, '/portal/connections')
  await page.locator('summary').filter({ hasText: 'My calendar' }).press('Enter')
  const own = page.getByRole('group', { name: 'Keep my own appointments free' })
  const address = own.getByLabel('Private address of a calendar')
  await address.fill('http://calendar.example.com/secret.ics')
  await address.press('Enter')
  await expect(own.getByRole('alert')).toHaveText('Enter an address that begins with https://')
  await address.fill('webcal://127.0.0.1/secret.ics')
  await own.getByLabel('Its name here (optional)').fill('Ada’s own')
  await address.press('Enter')
  const calendar = own.getByRole('group', { name: 'Ada’s own' })
  await expect(
    own.getByText(/^Not read yet\. It could not be read since .+: this is not a public address\.$/),
  ).toBeVisible()
  await expect(page.getByText('secret.ics')).toHaveCount(0)
  await calendar
    .getByLabel('If it does not answer during a call')
    .selectOption('Book, and mark the booking for me')
  await expect(own.getByText('Saved.')).toBeVisible()
  await calendar.getByRole('checkbox', { name: 'Book at once all the same' }).check()
  expect(await axeViolations(page)).toEqual([])

  const row = async () =>
    (await client.from('calendars').select('id, if_silent, accepts_delay').single().throwOnError()).data
  await expect.poll(row).toMatchObject({ if_silent: 'mark', accepts_delay: true })
  const at = (clock: string): string => new Date(momentOf(dayIn(0), clock, timeZone)!).toISOString()
  const busy = [`[${at('10:00')},${at('11:30')})`]
  const p = { calendar: (await row()).id, asked_at: new Date().toISOString(), problem: null, busy, own: [] }
  await secret.rpc('note_calendar', { p }).throwOnError()

  await own.getByRole('link', { name: 'Say whose time each takes' }).press('Enter')
  const whose = page.getByLabel('Ada’s own takes the time of')
  await whose.selectOption('Dr. Ada Lind')
  await expect(page.getByText('Saved.')).toBeVisible()
  await page.reload()
  await expect(whose.getByRole('option', { selected: true })).toHaveText('Dr. Ada Lind')
  const booked = page.getByRole('region', { name: 'Booked' })
  await booked.getByRole('button', { name: 'Day', exact: true }).press('Enter')
  await expect(
    booked.getByRole('group', { name: 'Dr. Ada Lind' }).getByText('10:00 – 11:30 Busy'),
  ).toBeVisible()
  await expect(booked.getByText('Busy')).toHaveCount(1)
  await booked.getByRole('button', { name: 'Week' }).press('Enter')
  await expect(booked.getByText('10:00 – 11:30 Busy')).toBeVisible()
  expect(await axeViolations(page)).toEqual([])

  await page.goto('/portal/connections')
  await page.locator('summary').filter({ hasText: 'My calendar' }).press('Enter')
  await expect(own.getByText(/^Read on .+\. What is published there may be hours older\.$/)).toBeVisible()
  await own.getByRole('button', { name: 'Remove Ada’s own' }).press('Enter')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).press('Enter')
  await expect(own.getByText('Removed.')).toBeVisible()
  await expect(own.getByRole('heading', { name: 'Keep my own appointments free' })).toBeFocused()
  await expect(calendar).toHaveCount(0)
})

test('a booking that was made while the calendar was silent, and clashes with it, waits in the inbox', async ({
  page,
  clientOf,
  customer,
  secret,
}) => {
  const account = await customer({ onboarded: true })
  const client = await clientOf(account)
  const { data: calendar } = await client
    .rpc('connect_calendar', { p_url: 'https://127.0.0.1/my.ics' })
    .throwOnError()
  await client.from('calendars').update({ if_silent: 'mark' }).eq('id', calendar).throwOnError()
  const answer = async (problem: string | null, busy: string[]): Promise<void> => {
    const p = { calendar, asked_at: new Date().toISOString(), problem, busy, own: [] }
    await secret.rpc('note_calendar', { p }).throwOnError()
  }
  await answer('unreachable', [])
  await requestBooking(secret, account.id, 'Ada Meyer')
  const { data: booking } = await client.from('bookings').select('id').single().throwOnError()
  await client.rpc('decide_booking', { p_booking: booking.id, p_confirms: true }).throwOnError()
  await answer(null, ['[2030-05-06T09:30:00Z,2030-05-06T10:30:00Z)'])
  await openSignedIn(page, account, '/portal')
  const inbox = page.getByRole('region', { name: 'Inbox' })
  const clash = inbox.getByRole('listitem').filter({ hasText: 'has something else at that time' })
  await expect(clash.getByRole('button', { name: /^Cancel booking/ })).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
  await clash.getByRole('button', { name: 'Keep it: Check-up, Ada Meyer' }).press('Enter')
  await expect(inbox.getByText('Kept: Check-up, Ada Meyer.')).toBeAttached()
  await expect(clash).toHaveCount(0)
})

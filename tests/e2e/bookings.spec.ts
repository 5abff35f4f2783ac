import { axeViolations } from '../support/axe.ts'
import { requestBooking } from '../support/bookings.ts'
import { expect, openSignedIn, test } from './fixtures.ts'

test('a customer confirms a request, tells the caller, cancels it, and answers a message', async ({
  page,
  customer,
  secret,
}) => {
  const account = await customer({ onboarded: true })
  await requestBooking(secret, account.id, 'Ada Meyer')
  const message = { name: 'Bob Lind', phone_number: '+12025550144', about: 'Parking', is_urgent: true }
  await secret
    .rpc('take_message', {
      p: { user_id: account.id, call: `bookings-${account.id}`, ...message, message: 'Is there any?' },
    })
    .throwOnError()

  await openSignedIn(page, account, '/portal')
  await page.getByRole('link', { name: 'Bookings' }).click()
  const part = (name: string) => page.getByRole('region', { name })
  await expect(part('Coming').getByText(/^Nothing is booked/)).toBeVisible()
  await expect(part('To confirm').getByText('Check-up, Ada Meyer, 2 people')).toBeVisible()
  await expect(page.getByRole('form', { name: 'What callers can book' })).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Confirm: Check-up, Ada Meyer' }).click()
  await expect(page.getByRole('status')).toHaveText('Confirmed: Check-up, Ada Meyer.')
  await expect(part('To confirm')).toHaveCount(0)
  await expect(part('Coming').getByRole('heading', { name: /^Monday,? 6 May 2030$/ })).toBeVisible()
  await expect(part('Ring the caller').getByRole('link')).toHaveAttribute('href', 'tel:+12025550143')
  await page.getByRole('button', { name: /^Told/ }).click()
  await expect(part('Ring the caller')).toHaveCount(0)

  await expect(part('Messages').getByText('Is there any?')).toBeVisible()
  await part('Messages').getByRole('button', { name: 'Done: Bob Lind, Parking' }).click()
  await part('Messages').getByRole('button', { name: 'Undo: Bob Lind, Parking' }).click()
  await expect(part('Messages').getByRole('button', { name: 'Done: Bob Lind, Parking' })).toBeVisible()

  await page.getByRole('button', { name: 'Cancel: Check-up, Ada Meyer' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel booking' }).click()
  await expect(page.getByRole('status')).toHaveText('Cancelled: Check-up, Ada Meyer.')
  await expect(part('Coming').getByText(/^Nothing is booked/)).toBeVisible()
  await expect(part('Ring the caller').getByText('Cancelled')).toBeVisible()
  await page.reload()
  await part('Coming').getByText('Past and cancelled (1)').click()
  await expect(part('Coming').getByText('Check-up, Ada Meyer, 2 people')).toBeVisible()
})

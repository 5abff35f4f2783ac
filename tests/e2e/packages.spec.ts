import { expectSound, inEveryDress } from './dress.ts'
import { expect, openSignedIn, test } from './fixtures.ts'

// The purchase beyond the cap.
test.use({ allowedConsole: /status of 409/ })

test('a package is bought in the billing tab: its minutes and its price are there at once, up to the cap', async ({
  page,
  customer,
}) => {
  const account = await customer({ plan: 'starter', onboarded: true })
  await openSignedIn(page, account, '/portal/billing')
  const section = page.getByRole('region', { name: 'Minutes' })
  await expect(section).toContainText('0 of 150 minutes are used')
  await section.getByRole('button', { name: 'Add 50 minutes for $40' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Add 50 minutes for $40?' })
  await expect(dialog).toContainText('$40 is added to your next invoice')
  await expect(dialog).toContainText('Packages are cheaper now')
  await expect(dialog).toContainText('Packages: 1 × $40, 50 minutes')
  await expect(dialog).toContainText(/Growth: \$\d+\.\d\d − \$\d+\.\d\d for unused time, (600|59\d) minutes/)
  await inEveryDress(page, (dress) => expectSound(page, dress))
  await dialog.getByRole('button', { name: 'Add 50 minutes' }).click()
  await expect(section.getByRole('status')).toHaveText('50 minutes have been added.')
  await expect(section).toContainText('0 of 200 minutes are used')
  await expect(section).toContainText('$40 for packages')
  await expect(section).toContainText('$40 of $100 spent in this period.')

  const cap = section.getByLabel('Cap on packages, in US dollars a period')
  await expect(cap).toHaveValue('100')
  // The rest by keyboard alone.
  await cap.focus()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type('50')
  await page.keyboard.press('Tab')
  await expect(section).toContainText('$40 of $50 spent in this period.')
  const add = section.getByRole('button', { name: 'Add 50 minutes for $40' })
  await add.focus()
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(dialog.getByRole('button', { name: 'Add 50 minutes' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('alert')).toContainText('Raise the cap first.')
  await expect(dialog.getByRole('button', { name: 'Add 50 minutes' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(add).toBeFocused()
  await page.reload()
  await expect(section).toContainText('0 of 200 minutes are used')
  await expect(cap).toHaveValue('50')
})

import { expectSound, inEveryDress } from './dress.ts'
import { expect, justUnder, openSignedIn, test } from './fixtures.ts'
import { centsOf, minutesOf, planName, priceText } from '../support/plan-facts.ts'
import { currencyName, currencySign, minutePackage, priceAmount, wholePrice } from '#plans/domain/plans.ts'
import { grouped } from '#platform/domain/text/numbers.ts'
import { reportCall } from '../support/call-report.ts'

const price = priceAmount(minutePackage.cents)
const more = `${minutePackage.minutes} minutes`
const amount = `${RegExp.escape(currencySign)}\\s?[\\d,]+\\.\\d\\d`
/** A cap for one package, not for two. */
const lower = String(Math.floor((minutePackage.cents * 1.5) / 100))

// The purchase beyond the cap.
test.use({ allowedConsole: /status of 409/ })

test('a package is bought in the billing tab: its minutes and its price are there at once, up to the cap', async ({
  page,
  customer,
  baseURL,
}) => {
  const account = await customer({ plan: 'starter', onboarded: true })
  await openSignedIn(page, account, '/portal/billing')
  const section = page.getByRole('region', { name: 'Minutes' })
  await expect(section).toContainText(`0 of ${grouped(minutesOf('starter'))} minutes are used`)
  await section.getByRole('button', { name: `Add ${more} for ${price}` }).click()
  const dialog = page.getByRole('alertdialog', { name: `Add ${more} for ${price}?` })
  await expect(dialog).toContainText(`${price} is added to your next invoice`)
  // Nobody whose minutes last is advised to buy.
  await expect(dialog).toContainText('At this pace your minutes last until')
  await expect(dialog).not.toContainText('cheaper')
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  const call = Math.floor(minutesOf('starter') / 2) + 1
  const used = 2 * call
  for (let nth = 0; nth < 2; nth++)
    await reportCall(baseURL ?? '', account.id, {
      seconds: call * 60,
      started_at: new Date(Date.now() - call * 60_000).toISOString(),
    })
  await page.reload()
  await section.getByRole('button', { name: `Add ${more} for ${price}` }).click()
  await expect(dialog).toContainText(
    `At this pace you need ${used - minutesOf('starter')} more minutes until`,
  )
  await expect(dialog).toContainText('Packages are cheaper now')
  await expect(dialog).toContainText(`Packages: 1 × ${price}, ${more}`)
  await expect(dialog).toContainText(
    new RegExp(
      `${RegExp.escape(planName('growth'))}: ${amount} − ${amount} for unused time, (${justUnder(minutesOf('growth') - minutesOf('starter'))}) minutes`,
    ),
  )
  await inEveryDress(page, (dress) => expectSound(page, dress))
  await dialog.getByRole('button', { name: `Add ${more}` }).click()
  await expect(section.getByRole('status')).toHaveText(`${more} have been added.`)
  await expect(section).toContainText(
    `${grouped(used)} of ${grouped(minutesOf('starter') + minutePackage.minutes)} minutes are used`,
  )
  await expect(section).toContainText(`${price} for packages`)
  await expect(section).toContainText(`${price} of ${priceText('starter')} spent in this period.`)

  const cap = section.getByLabel(`Spending limit for packages, in ${currencyName} per period`)
  await expect(cap).toHaveValue(String(centsOf('starter') / 100))
  // The rest by keyboard alone.
  await cap.focus()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type(lower)
  await page.keyboard.press('Tab')
  await expect(section).toContainText(`${price} of ${wholePrice(Number(lower) * 100)} spent in this period.`)
  const add = section.getByRole('button', { name: `Add ${more} for ${price}` })
  await add.focus()
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(dialog.getByRole('button', { name: `Add ${more}` })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('alert')).toContainText('Raise the limit first.')
  await expect(dialog.getByRole('button', { name: `Add ${more}` })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(add).toBeFocused()
  await page.reload()
  await expect(section).toContainText(
    `${grouped(used)} of ${grouped(minutesOf('starter') + minutePackage.minutes)} minutes are used`,
  )
  await expect(cap).toHaveValue(lower)
})

import { idle } from '../support/scripts.ts'
import { expect, expectToast, goOnline, test, toast } from './fixtures.ts'

test('a toast disappears when swiped right by more than 50 pixels, and stays for less', async ({ page }) => {
  await page.goto('/signup')
  await expectToast(page, 'Missing Token')
  const box = (await toast(page).boundingBox())!
  const swipe = async (distance: number) => {
    await page.mouse.move(box.x + 60, box.y + box.height / 2)
    await page.mouse.down()
    await page.mouse.move(box.x + 60 + distance, box.y + box.height / 2, { steps: 5 })
    await page.mouse.up()
  }
  await swipe(40)
  await expect(toast(page)).toHaveCount(1)
  await swipe(90)
  await expect(toast(page)).toHaveCount(0)
})

test.describe('without a connection', () => {
  test.use({ allowedConsole: /ERR_INTERNET_DISCONNECTED|status of 400/ })

  test('a form can still report that there is none', async ({ page, context }) => {
    await page.goto('/login')
    await expect(page.getByRole('button', { name: 'Log in' })).toBeEnabled()
    await idle(page)
    await page.getByLabel('Email').fill('nobody@hotel.example')
    await page.getByLabel('Password', { exact: true }).fill('front-desk-1')
    await context.setOffline(true)
    await page.getByRole('button', { name: 'Log in' }).click()
    await expectToast(page, 'Sign in Failed')
    await goOnline(page)
    await page.getByRole('button', { name: 'Log in' }).click()
    await expectToast(page, 'Sign in Failed', 'Invalid login credentials')
  })
})

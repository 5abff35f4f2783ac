import { open } from './keyboard-fixtures.ts'
import { expect, test } from './fixtures.ts'

test('the menu of a narrow screen can be opened, used and closed by keyboard', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 800 })
  await open(page, '/pricing')
  const menu = page.getByRole('banner').locator('summary')
  const nav = page.getByRole('navigation', { name: 'Menu' })
  await menu.focus()
  await page.keyboard.press('Enter')
  await expect(nav).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(nav.getByRole('link', { name: 'Home' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(nav).toBeHidden()
  await expect(menu).toBeFocused()
})

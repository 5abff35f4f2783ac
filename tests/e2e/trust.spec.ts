import { expect, test } from './fixtures.ts'

test('the trust page says how the service is, once a visitor has come to that line', async ({ page }) => {
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/health')) asked.push(request.url())
  })
  await page.goto('/trust')
  const line = page.getByRole('status').filter({ hasText: /Asking how|Right now/ })
  await expect(line).toHaveText('Asking how the service is...')
  expect(asked).toEqual([])
  await line.scrollIntoViewIfNeeded()
  await expect(line).toHaveText('Right now: everything is working.')
  expect(asked).toHaveLength(1)
})

import { expect, openSignedIn, test } from './fixtures.ts'
import { site } from '#site'

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  for (const path of ['/portal', '/admin', '/onboarding', '/checkout?plan=growth', '/login'])
    test(`${path} says that it needs it, and whom to write to`, async ({ page }) => {
      await page.goto(path)
      const notice = page.getByRole('complementary', { name: 'Missing scripts' })
      await expect(notice).toContainText('This page needs JavaScript')
      await expect(notice.getByRole('link')).toHaveAttribute('href', `mailto:${site.email}`)
      await expect(page.getByText(/^Loading/)).toBeHidden()
    })

  for (const path of ['/contact', '/industries/hotels-resorts'])
    test(`${path} shows the address`, async ({ page }) => {
      await page.goto(path)
      await expect(page.getByRole('main').getByRole('link', { name: site.email }).first()).toBeVisible()
    })
})

test.describe('with a failing script', () => {
  test.use({ allowedConsole: /ERR_FAILED|Failed to fetch|Error hydrating|hydrat/i })

  for (const [path, island] of [
    ['/portal', /Portal/],
    ['/login', /Login/],
  ] as const)
    test(`${path} says so instead of loading for ever`, async ({ page }) => {
      await page.route(island, (route) => route.abort())
      await page.goto(path)
      await expect(page.getByRole('complementary', { name: 'Missing scripts' })).toContainText(site.email)
      await expect(page.getByText(/^Loading/)).toBeHidden()
    })
})

test('in general nobody reads of missing scripts', async ({ page, customer }) => {
  await openSignedIn(page, await customer({ onboarded: true }))
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByText('This page needs JavaScript')).toBeHidden()
})

test('on paper: ink on white, addresses of links, no bars and no buttons', async ({ page }) => {
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await page.setViewportSize({ width: 1200, height: 900 })
  for (const path of ['/', '/integrations', '/industries/hotels-resorts']) {
    await page.goto(path)
    await expect(page.getByRole('button').locator('visible=true')).toHaveCount(0)
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden()
    const pale = await page.locator('main :is(h1, h2, h3, p, li)').evaluateAll((all) =>
      all
        .filter((each) => each.checkVisibility())
        .filter((each) => {
          const [red = 0, green = 0, blue = 0] = getComputedStyle(each).color.match(/\d+/g)!.map(Number)
          return Math.max(red, green, blue) > 190
        })
        .map((each) => each.textContent),
    )
    expect(pale, path).toEqual([])
    const dark = await page.locator('main a, main section').evaluateAll(
      (all) =>
        all.filter((each) => {
          const [red = 0, green = 0, blue = 0, alpha = 1] = getComputedStyle(each)
            .backgroundColor.match(/[\d.]+/g)!
            .map(Number)
          return alpha > 0 && Math.min(red, green, blue) < 190 && each.checkVisibility()
        }).length,
    )
    expect(dark, path).toBe(0)
  }
  // In a flexible box, a page break lets the footer lie over the last rows of a table.
  const boxes = page.locator('body, main')
  expect(await boxes.evaluateAll((all) => all.map((each) => getComputedStyle(each).display))).toEqual([
    'block',
    'block',
  ])
  await page.goto('/integrations')
  const link = page.getByRole('link', { name: 'Standard Webhooks' })
  expect(await link.evaluate((each) => getComputedStyle(each, '::after').content)).toContain(
    'standardwebhooks.com',
  )
})

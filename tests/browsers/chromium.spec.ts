import { chromium, test } from '@playwright/test'
import { chromiumPath } from '../support/browser.ts'
import { startFailingOnce } from './failing-once.ts'
import { startPuppeteer } from './puppeteer.ts'
import { keepPicture, stepsOf, type Walker } from './walk.ts'

// What `npm run test:browsers` does in each engine, here on the site of the end-to-end tests.
test.describe.configure({ mode: 'serial' })

let walker: Walker
test.beforeAll(async () => {
  const origin = test.info().project.use.baseURL!
  const path = (await chromiumPath()) ?? chromium.executablePath()
  const { driver } = await startPuppeteer('chrome', path, process.env)
  walker = { driver, origin, failing: await startFailingOnce(origin) }
})
test.afterEach(async () => {
  const { status, expectedStatus } = test.info()
  if (status !== expectedStatus) await keepPicture(walker, 'chromium-failed')
})
test.afterAll(async () => {
  await walker.driver.close()
  await walker.failing.stop()
})

for (const { name, run } of stepsOf('chromium')) test(name, () => run(walker))

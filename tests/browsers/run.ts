import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { local } from '../../local/environment.ts'
import { startSite } from '../bench/site.ts'
import { firstPort } from '../support/ports.ts'
import { engines, type Engine } from './engines.ts'
import { flows, logIn, logOut, type Account } from './flows.ts'
import { startFailingOnce } from './failing-once.ts'
import { loading } from './loading.ts'
import { Tab } from './tab.ts'

/**
 * The engine that `npm run test:browsers -- --only firefox` selects. The script runs the same flows in all installed
 * engines and saves screenshots of the main pages in `test-results/browsers`.
 */
const only = /--only (\w+)/.exec(process.argv.join(' '))?.[1]?.toLowerCase()
const pictures = 'test-results/browsers'
const pages = {
  home: '/',
  pricing: '/pricing',
  industry: '/industries/hotels-resorts',
  checkout: '/checkout?plan=growth',
}
const widths = [360, 1440]

mkdirSync(pictures, { recursive: true })
const data = mkdtempSync(join(tmpdir(), 'deskbell-browsers-'))
const site = await startSite('.', firstPort + 7, data)
const failing = await startFailingOnce(site.origin)
let passed = 0
let failed = 0

/** The time limits of a flow and of an engine, because a driver may hang. */
const flowTimeoutMs = 150_000
const engineTimeoutMs = 900_000

/** @throws Error if the work takes longer than the time limit */
async function within<Value>(timeoutMs: number, work: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`It took longer than ${timeoutMs / 1000} s`)), timeoutMs)
  })
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}

async function test(name: string, work: () => Promise<void>, timeoutMs = flowTimeoutMs): Promise<boolean> {
  try {
    await within(timeoutMs, work())
    passed += 1
    console.log(`  ✓ ${name}`)
    return true
  } catch (error) {
    failed += 1
    console.log(`  ✘ ${name}\n    ${error instanceof Error ? error.message : String(error)}`)
    return false
  }
}

async function goThrough({ name, start }: Engine): Promise<void> {
  const { driver, version, stop } = await start()
  console.log(`\n── ${name}: ${version}`)
  const tab = new Tab(driver, site.origin)
  const account: Account = {
    email: `${name.toLowerCase()}-${Date.now().toString(36)}@hotel.example`,
    password: 'front-desk-1',
  }
  /** Takes a screenshot of a page at each width. */
  const shoot = (what: string, path: string): Promise<boolean> =>
    test(`pictures of ${what}`, async () => {
      for (const width of widths) {
        await driver.resize(width, width < 500 ? 740 : 900)
        await tab.open(path)
        await tab.see('h1')
        await driver.screenshot(join(pictures, `${name.toLowerCase()}-${what}-${width}.png`))
      }
    })
  try {
    await driver.resize(1440, 900)
    for (const flow of flows) {
      await driver.resize(1440, 900)
      const isGood = await test(flow.name, () => flow.run(tab, account))
      if (!isGood)
        await within(10_000, driver.screenshot(join(pictures, `${name.toLowerCase()}-failed-${failed}.png`)))
    }
    for (const flow of loading)
      await test(flow.name, () => flow.run(new Tab(driver, failing.origin), failing))
    for (const [what, path] of Object.entries(pages)) await shoot(what, path)
    for (const [what, person] of [
      ['portal', account],
      ['admin', { email: local.adminEmail, password: local.adminPassword }],
    ] as const) {
      await driver.resize(1440, 900)
      await logIn(tab, person)
      await tab.isAt(new RegExp(`^/${what}`))
      await tab.see('main .ledger, main table, main li')
      await shoot(what, `/${what}`)
      await driver.resize(1440, 900)
      await logOut(tab)
    }
  } finally {
    await within(10_000, driver.close()).catch(() => {})
    stop()
  }
}

const all = await engines()
for (const engine of all) {
  if (only && engine.name.toLowerCase() !== only) continue
  if (!engine.path) {
    console.log(`\n── ${engine.name}: not found on this machine; ${engine.advice}`)
    continue
  }
  await test(`${engine.name}, from start to end`, () => goThrough(engine), engineTimeoutMs)
}
await failing.stop()
await site.stop()
rmSync(data, { recursive: true, force: true })
console.log(`\n${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)

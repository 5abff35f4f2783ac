import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSite } from '../bench/site.ts'
import { firstPort } from '../support/ports.ts'
import { engines, type Engine } from './engines.ts'
import { startFailingOnce } from './failing-once.ts'
import { keepPicture, stepsOf } from './walk.ts'

/**
 * The engine that `npm run test:browsers -- --only firefox` selects. The script runs the same flows in all installed
 * engines and saves screenshots of the main pages in `test-results/browsers`.
 */
const only = /--only (\w+)/.exec(process.argv.join(' '))?.[1]?.toLowerCase()

const data = mkdtempSync(join(tmpdir(), 'deskbell-browsers-'))
const site = await startSite('.', firstPort + 7, data)
const failing = await startFailingOnce(site.origin)
let passed = 0
let failed = 0

/** The time limits of a step and of an engine, because a driver may hang. */
const stepTimeoutMs = 150_000
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

async function test(name: string, work: () => Promise<void>, timeoutMs = stepTimeoutMs): Promise<boolean> {
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
  const walker = { driver, origin: site.origin, failing }
  const engine = name.toLowerCase()
  try {
    for (const step of stepsOf(engine)) {
      const isGood = await test(step.name, () => step.run(walker))
      if (!isGood) await within(10_000, keepPicture(walker, `${engine}-failed-${failed}`)).catch(() => {})
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

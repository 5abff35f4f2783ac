import { parseArgs } from 'node:util'
import { chromium } from '@playwright/test'
import { launchOptions } from '../support/browser.ts'
import { benchAdmin } from './admin.ts'
import { benchBookings } from './bookings.ts'
import { benchDatabase } from './database.ts'
import { benchFunctions } from './functions.ts'
import { benchGrowth } from './growth.ts'
import { benchLog } from './log.ts'
import { describeMachine } from './machine.ts'
import { benchPages } from './pages.ts'
import { benchRing } from './ring.ts'
import { print, type Table } from './table.ts'

/**
 * The benchmarks of `npm run bench`: the cost of the site for its visitors and its builds, measured on this machine
 * while nothing else runs. The exit code is 1 if a required number is missed.
 */
const benches: Record<string, (options: Options) => AsyncIterable<Table>> = {
  pages: benchPages,
  growth: benchGrowth,
  admin: benchAdmin,
  functions: benchFunctions,
  database: benchDatabase,
  log: benchLog,
  ring: benchRing,
  bookings: benchBookings,
}
interface Options {
  runs: number
  port: number
  pages: readonly string[] | undefined
  slowdown: number
}

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    port: { type: 'string', default: '4395' },
    page: { type: 'string', multiple: true },
    only: { type: 'string' },
    slowdown: { type: 'string', default: '4' },
    help: { type: 'boolean', default: false },
  },
})
const runs = Number(values.runs)
const port = Number(values.port)
const slowdown = Number(values.slowdown)
const names = values.only ? [values.only] : Object.keys(benches)
const isValid = runs >= 1 && port >= 1 && slowdown >= 1 && names.every((name) => name in benches)
if (values.help || !isValid) {
  console.log(
    `npm run bench -- [--runs 5] [--page /faq …] [--only ${Object.keys(benches).join('|')}] [--slowdown 4] [--port 4395]`,
  )
  process.exit(values.help ? 0 : 1)
}

const browser = await chromium.launch(await launchOptions())
console.log(describeMachine(browser.version()))
await browser.close()

const missed: string[] = []
for (const name of names) {
  for await (const table of benches[name]?.({ runs, port, slowdown, pages: values.page }) ?? []) {
    print(table)
    missed.push(...table.missed)
  }
}
console.log(missed.length === 0 ? '\nEverything is reached.' : `\nMissed:\n  ${missed.join('\n  ')}`)
process.exit(missed.length === 0 ? 0 : 1)

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { local } from '../../local/environment.ts'
import type { FailingOnce } from './failing-once.ts'
import { flows, logIn, logOut, type Account } from './flows.ts'
import { loading } from './loading.ts'
import { Tab, type Driver } from './tab.ts'

const pictures = 'test-results/browsers'
const pages = {
  home: '/',
  pricing: '/pricing',
  industry: '/industries/hotels-resorts',
  checkout: '/checkout?plan=growth',
}
const widths = [360, 1440]

/** A browser that runs, and the site that it walks through. */
export interface Walker {
  driver: Driver
  origin: string
  failing: FailingOnce
}
interface Step {
  name: string
  run(walker: Walker): Promise<void>
}

/** Keeps a screenshot in `test-results/browsers`. */
export async function keepPicture({ driver }: Walker, name: string): Promise<void> {
  mkdirSync(pictures, { recursive: true })
  await driver.screenshot(join(pictures, `${name}.png`))
}

/** Returns all that is done in an engine: one step after another, because later ones build on earlier ones. */
export function stepsOf(engine: string): Step[] {
  const account: Account = {
    email: `${engine}-${Date.now().toString(36)}@hotel.example`,
    password: 'front-desk-1',
  }
  /** Takes a screenshot of a page at each width. */
  const shoot = async (walker: Walker, what: string, path: string): Promise<void> => {
    const tab = new Tab(walker.driver, walker.origin)
    for (const width of widths) {
      await walker.driver.resize(width, width < 500 ? 740 : 900)
      await tab.open(path)
      await tab.see('h1')
      await keepPicture(walker, `${engine}-${what}-${width}`)
    }
  }
  return [
    ...flows.map(({ name, run }) => ({
      name,
      async run({ driver, origin }: Walker) {
        await driver.resize(1440, 900)
        await run(new Tab(driver, origin), account)
      },
    })),
    ...loading.map(({ name, run }) => ({
      name,
      run: ({ driver, failing }: Walker) => run(new Tab(driver, failing.origin), failing),
    })),
    ...Object.entries(pages).map(([what, path]) => ({
      name: `pictures of ${what}`,
      run: (walker: Walker) => shoot(walker, what, path),
    })),
    ...(
      [
        ['portal', account],
        ['admin', { email: local.adminEmail, password: local.adminPassword }],
      ] as const
    ).map(([what, person]) => ({
      name: `pictures of ${what}`,
      async run(walker: Walker) {
        const tab = new Tab(walker.driver, walker.origin)
        await walker.driver.resize(1440, 900)
        await logIn(tab, person)
        await tab.isAt(new RegExp(`^/${what}`))
        await tab.see('main .ledger, main table, main li')
        await shoot(walker, what, `/${what}`)
        await walker.driver.resize(1440, 900)
        await logOut(tab)
      },
    })),
  ]
}

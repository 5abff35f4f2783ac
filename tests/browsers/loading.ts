import type { FailingOnce } from './failing-once.ts'
import { button, type Tab } from './tab.ts'

interface LoadingFlow {
  name: string
  run(tab: Tab, failing: FailingOnce): Promise<void>
}

interface Feature {
  path: string
  /** What a visitor presses, if anything, until `wanted` is visible. */
  press?: string
  wanted: string
}

/** Uses a feature as a visitor would, who presses Reload once if the page offers it. */
async function use(tab: Tab, { path, press, wanted }: Feature, file: string): Promise<void> {
  const isVisible = async (selector: string): Promise<boolean> => {
    for (const node of await tab.driver.find(selector)) if (await node.isVisible()) return true
    return false
  }
  await tab.open(path)
  let hasReloaded = false
  await tab.until(`${wanted} after ${file} has failed once`, async () => {
    if (await isVisible(wanted)) return true
    if (!hasReloaded && (await isVisible(button('Reload')))) {
      await tab.click(button('Reload'))
      hasReloaded = true
    } else if (press && (await isVisible(press))) await tab.click(press)
    // A press takes a moment to have an effect.
    await new Promise((done) => setTimeout(done, 500))
    return isVisible(wanted)
  })
  // A conversation would go on by itself on the next page.
  await tab.driver.run('sessionStorage.clear()')
}

/** Lets each JavaScript file that a feature loads fail once. */
const eachFileFails = (name: string, feature: Feature): LoadingFlow => ({
  name: `${name} works after one press of Reload at most, whichever file has failed once`,
  async run(tab, failing) {
    failing.failNext()
    await use(tab, feature, 'no file')
    const files = failing.asked()
    if (files.length < 4) throw new Error(`It loaded only ${files.join(', ')}`)
    for (const file of files) {
      failing.failNext(file)
      await use(tab, feature, file)
    }
  },
})

export const loading: readonly LoadingFlow[] = [
  eachFileFails('search', { path: '/faq', press: '[data-search]', wanted: '[data-search-box] > [open]' }),
  eachFileFails('the agent', {
    path: '/contact',
    press: `//main${button('Start AI Conversation')}`,
    wanted: '//dialog[@aria-labelledby="agent-name"]//li',
  }),
  eachFileFails('log-in', { path: '/login', wanted: '//button[@type="submit"][not(@disabled)]' }),
]

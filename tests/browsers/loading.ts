import type { FailingOnce } from './failing-once.ts'
import { button, type Tab } from './tab.ts'

interface LoadingFlow {
  name: string
  run(tab: Tab, failing: FailingOnce): Promise<void>
}

/** Presses `press`, or "Try again" if the page offers it, until `wanted` is visible. */
async function insist(tab: Tab, press: string, wanted: string): Promise<void> {
  await tab.until(wanted, async () => {
    const isVisible = async (selector: string): Promise<boolean> => {
      for (const node of await tab.driver.find(selector)) if (await node.isVisible()) return true
      return false
    }
    if (await isVisible(wanted)) return true
    await tab.click((await isVisible(button('Try again'))) ? button('Try again') : press)
    // The press takes a moment to have an effect.
    await new Promise((done) => setTimeout(done, 1_000))
    return isVisible(wanted)
  })
}

/** Flows on a site where the first request for each JavaScript file fails. */
export const loading: readonly LoadingFlow[] = [
  {
    name: 'search works though each of its files failed once',
    async run(tab, failing) {
      failing.reset()
      await tab.open('/faq')
      await insist(tab, '.seek', 'dialog.search[open]')
      if (failing.failures() < 5) throw new Error('Its files did not fail')
    },
  },
  {
    name: 'the agent works though each of its files failed once',
    async run(tab, failing) {
      failing.reset()
      await tab.open('/contact')
      await insist(
        tab,
        `//main${button('Start AI Conversation')}`,
        '//dialog[@aria-labelledby="agent-name"]//li',
      )
      if (failing.failures() < 5) throw new Error('Its files did not fail')
    },
  },
  {
    name: 'log-in works though each of its files failed once',
    async run(tab, failing) {
      failing.reset()
      await tab.open('/login')
      await insist(tab, button('Try again'), '//button[@type="submit"][not(@disabled)]')
      if (failing.failures() < 5) throw new Error('Its files did not fail')
    },
  },
]

import { load } from '#platform/browser/loading.ts'
import { tell } from '#assistant/browser/conversation-events.ts'
import { storageKey } from '#site'
import type { Role } from '#assistant/browser/knowledge.ts'

const agent = () => load(() => import('./agent.ts'))
const failed = () => void tell('failed')

/** Stands up as a provider's widget would: one global. What it needs is fetched with the first conversation. */
window.deskbellVoice = {
  start: (role?: Role) => void agent().then(({ start }) => start(role), failed),
  end: () => void agent().then(({ end }) => end(), failed),
}

// A conversation that was open on the page before goes on.
try {
  if (sessionStorage.getItem(storageKey('conversation'))?.includes('"isOpen":true'))
    void agent().then(({ resume }) => resume(), failed)
} catch {
  // Storage is closed to this page: there is nothing to go on with.
}

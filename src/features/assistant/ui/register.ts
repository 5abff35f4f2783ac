import { storageKey } from '#site'
import type { Role } from '#assistant/domain/role.ts'

const agent = () => import('./agent.ts')
const failed = () => void window.dispatchEvent(new Event('voice-agent-failed'))

// Registers a global like a provider's widget. The agent's code is fetched with the first conversation.
window.voiceAgent = {
  start: (role?: Role) => void agent().then(({ start }) => start(role), failed),
  end: () => void agent().then(({ end }) => end(), failed),
}

// A conversation that was open on the previous page continues.
try {
  if (sessionStorage.getItem(storageKey('conversation'))?.includes('"isOpen":true'))
    void agent().then(({ resume }) => resume(), failed)
} catch {
  // Storage is not available: there is nothing to continue.
}

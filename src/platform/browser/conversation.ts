import { site } from '#site'

/** The event on `window` by which an island starts the page's voice agent. Its detail is the agent's role (#assistant/domain/role.ts). */
export const conversationEvent = `${site.storagePrefix}:conversation`

/** Lets a customer try the own agent, in the page's panel (page-scripts/voice-demo.ts). */
export function startConversation(role: unknown): void {
  window.dispatchEvent(new CustomEvent(conversationEvent, { detail: role }))
}

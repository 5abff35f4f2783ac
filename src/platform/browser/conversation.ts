import { site } from '#site'

/** The event on `window` by which an island starts the page's voice agent. Its detail is the agent's role. */
export const conversationEvent = `${site.storagePrefix}:conversation`

/** Starts a conversation with the page's voice agent (page-scripts/voice-demo.ts). */
export function startConversation(role?: unknown): void {
  window.dispatchEvent(new CustomEvent(conversationEvent, { detail: role }))
}

import { site } from '#site'

/** Dispatched on `window` by an island that wants the page's voice agent; the detail says in which role. */
export const conversationEvent = `${site.storagePrefix}:conversation`

/** Starts a conversation with the page's voice agent (layouts/voice-demo.ts). */
export function startConversation(role?: unknown): void {
  window.dispatchEvent(new CustomEvent(conversationEvent, { detail: role }))
}

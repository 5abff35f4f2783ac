import type { ConversationEvent } from './voice-widgets.ts'

/** Reports an event of a conversation with the site's own agent to the page. */
export const dispatchConversationEvent = (event: ConversationEvent): boolean =>
  window.dispatchEvent(new CustomEvent('voice-agent', { detail: event }))

import type { ConversationEvent } from './voice-widgets.ts'

/** Tells the page what became of a conversation with the agent that comes with the site. */
export const tell = (event: ConversationEvent): boolean =>
  window.dispatchEvent(new CustomEvent('deskbell-voice', { detail: event }))

declare global {
  interface Window {
    /** The voice agent, once its script has loaded. */
    deskbellVoice?: { start: () => void }
  }
}

/** Starts a conversation with the voice agent. Returns false where the widget is missing. */
export function startConversation(): boolean {
  if (!window.deskbellVoice) return false
  window.deskbellVoice.start()
  return true
}

declare global {
  interface Window {
    /** The voice agent, once its script has loaded. */
    deskbellVoice?: { start: () => void }
  }
}

/** How often the widget is looked for, in milliseconds (specification, section 9). */
const interval = 100

/** Starts a conversation with the voice agent. Returns false where the widget is missing. */
export function startConversation(): boolean {
  if (!window.deskbellVoice) return false
  window.deskbellVoice.start()
  return true
}

/** Tells once that the voice agent has loaded. Nobody looks for it while the page is hidden, nor after it was found. */
export function onVoiceWidget(tell: () => void): void {
  let timer = 0
  const look = (): void => {
    if (!window.deskbellVoice) return
    clearInterval(timer)
    document.removeEventListener('visibilitychange', follow)
    tell()
  }
  const follow = (): void => {
    clearInterval(timer)
    if (!document.hidden) timer = window.setInterval(look, interval)
  }
  document.addEventListener('visibilitychange', follow)
  follow()
}

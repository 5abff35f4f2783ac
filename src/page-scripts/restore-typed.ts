import type { SavedFields } from './loading/reload.ts'

/** The time after which fields that have not appeared are given up. */
const timeoutMs = 20_000

/**
 * Restores the text that was typed before the page was reloaded because code did not load. Each field is filled as soon
 * as it appears; until then, its text stays in the history entry for another reload.
 */
export function restoreText(): void {
  const waiting = new Map((history.state as { typed: SavedFields }).typed)
  const fill = (): void => {
    for (const [id, text] of waiting) {
      const field = document.getElementById(id)
      // An island's fields are filled after it has started: before that, it would miss the input event.
      if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) continue
      if (field.closest('astro-island[ssr]')) continue
      waiting.delete(id)
      type(field, text)
    }
    if (waiting.size === 0) stop()
  }
  const watch = new MutationObserver(fill)
  const stop = (): void => {
    watch.disconnect()
    const state = { ...history.state }
    delete state.typed
    history.replaceState(state, '')
  }
  watch.observe(document.documentElement, { childList: true, subtree: true, attributeFilter: ['ssr'] })
  setTimeout(stop, timeoutMs)
  fill()
}

/**
 * Sets a field's text so that React notices: by the setter of the prototype, which React does not replace, and an
 * input event.
 */
function type(field: HTMLInputElement | HTMLTextAreaElement, text: string): void {
  const prototype = Object.getPrototypeOf(field) as object
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, text)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

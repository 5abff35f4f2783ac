import type { Typed } from './loading/typed.ts'

/** How long a field may take to be drawn, in milliseconds. */
const patience = 20_000

/** Puts back what was typed before the page was reloaded for a new version, into each field as soon as it is drawn. */
export function restoreTyped(): void {
  const { typed, ...state } = history.state as { typed: Typed }
  history.replaceState(state, '')
  const waiting = new Map(typed)
  const fill = (): void => {
    for (const [id, text] of waiting) {
      const field = document.getElementById(id)
      // An island's fields are filled once it runs: it would not hear of the text before.
      if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) continue
      if (field.closest('astro-island[ssr]')) continue
      waiting.delete(id)
      type(field, text)
    }
    if (waiting.size === 0) watch.disconnect()
  }
  const watch = new MutationObserver(fill)
  watch.observe(document.documentElement, { childList: true, subtree: true, attributeFilter: ['ssr'] })
  setTimeout(() => watch.disconnect(), patience)
  fill()
}

/** Fills a field as a person would: React hears of it by the event, if the value is set past its own property. */
function type(field: HTMLInputElement | HTMLTextAreaElement, text: string): void {
  const prototype = Object.getPrototypeOf(field) as object
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, text)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

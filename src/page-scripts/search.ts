import { onUse } from '#platform/browser/loading.ts'
import { storageKey } from '#site'

/** Holds "off" if the visitor has turned the `/` key off. */
const slashKey = storageKey('search_slash')

/** Returns whether `/` opens the search. WCAG 2.1.4 asks that a shortcut of a single key can be turned off. */
function isSlashOn(): boolean {
  try {
    return localStorage.getItem(slashKey) !== 'off'
  } catch {
    return true
  }
}

/** The search dialog is fetched when it is first asked for: by its button, by `/` or by Ctrl+K. */
const open = () =>
  void onUse(
    () => import('./search-dialog.ts'),
    (dialog) => dialog.openSearch(slashKey, isSlashOn()),
  )

const isField = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.matches('input:not([type=checkbox],[type=range]),textarea,select,[contenteditable]')

addEventListener('click', (event) => {
  if (!(event.target instanceof Element && event.target.closest('.seek'))) return
  event.preventDefault()
  open()
})

addEventListener('keydown', (event) => {
  const { key, target } = event
  const isAsked =
    event.ctrlKey || event.metaKey
      ? key.toLowerCase() === 'k'
      : key === '/' && !event.altKey && !isField(target) && isSlashOn()
  if (!isAsked) return
  event.preventDefault()
  open()
})

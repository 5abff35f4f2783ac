import { onUse } from '#platform/browser/loading.ts'
import { storageKey } from '#site'

/** The storage key that holds "off" if the visitor has turned the `/` key off. */
const slashKey = storageKey('search_slash')

/** Returns whether `/` opens the search. WCAG 2.1.4 requires that a single-key shortcut can be turned off. */
function isSlashOn(): boolean {
  try {
    return localStorage.getItem(slashKey) !== 'off'
  } catch {
    return true
  }
}

/** Opens the search dialog. Its code is fetched at first use. */
const open = () =>
  void onUse(import('./search-dialog.ts'), (dialog) => dialog.openSearch(slashKey, isSlashOn()))

const isField = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.matches('input:not([type=checkbox],[type=range]),textarea,select,[contenteditable]')

addEventListener('click', (event) => {
  if (!(event.target instanceof Element && event.target.closest('[data-search]'))) return
  event.preventDefault()
  open()
})

addEventListener('keydown', (event) => {
  const { key, target } = event
  const isShortcut =
    event.ctrlKey || event.metaKey
      ? key.toLowerCase() === 'k'
      : key === '/' && !event.altKey && !isField(target) && isSlashOn()
  if (!isShortcut) return
  event.preventDefault()
  open()
})

import { onUse } from '#clients/loading.ts'
import { storageKey } from '#site'

/** Holds "off" where somebody has turned the `/` key off. */
export const slashKey = storageKey('search_slash')

/** Whether `/` opens the search. Of a single key that does something one must be able to get rid (WCAG 2.1.4). */
export function isSlashOn(): boolean {
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
    (dialog) => dialog.openSearch(),
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

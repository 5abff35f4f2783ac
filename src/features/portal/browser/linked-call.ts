import { storageKey } from '#site'
import { tabStorage } from '#platform/browser/storage/storage.ts'
import { callIn, callPath } from '#platform/domain/call-path.ts'
import { routes } from '#platform/domain/routes.ts'

const key = storageKey('linked_call')

/** The call to which a link led somebody who was not signed in. */
export const linkedCall = {
  /** Remembers it in this tab, until its reader has signed in. */
  keep(): void {
    const id = callIn(location)
    if (id !== null) tabStorage.write(key, id)
  },
  /** Opens it on the dashboard, once. */
  reopen(): void {
    const id = tabStorage.read(key)
    tabStorage.remove(key)
    if (id === null || location.pathname !== routes.portal || location.search !== '') return
    history.replaceState(null, '', callPath(id))
    dispatchEvent(new PopStateEvent('popstate'))
  },
}

import { storageKey } from '#site'

const keys = { session: storageKey('auth'), admin: storageKey('admin') }

/**
 * Sets `data-session` ("customer" or "admin") on the root element if a session is stored, so that the navigation is
 * right at the first paint. It affects nothing but the display.
 */
export function showSession(): void {
  const root = document.documentElement.dataset
  const show = (): void => {
    const session = storedSession()
    if (session) root.session = session
    else delete root.session
  }
  show()
  // Another tab may sign in or out. Adding this listener opens storage in another process, so it runs in a later task.
  setTimeout(() => addEventListener('storage', show))
  // The page may return from the back-forward cache.
  addEventListener('pageshow', show)
}

/** An admin is known by `<prefix>_admin`, which begins with the user's id (admin-access.ts). */
function storedSession(): 'admin' | 'customer' | undefined {
  try {
    const { refresh_token, user } = JSON.parse(localStorage.getItem(keys.session)!)
    if (!refresh_token) return undefined
    return localStorage.getItem(keys.admin)?.startsWith(`${user.id} `) ? 'admin' : 'customer'
  } catch {
    return undefined
  }
}

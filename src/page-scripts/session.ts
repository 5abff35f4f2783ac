import { storageKey } from '#site'

const key = storageKey('auth')

/**
 * Sets `data-session` ("customer" or "admin") on the root element if a session is stored, so that the navigation is
 * right at the first paint. It affects nothing but the display.
 * @param adminEmail in lower case
 */
export function showSession(adminEmail: string | undefined): void {
  const root = document.documentElement.dataset
  const show = (): void => {
    const email = storedEmail()
    if (email) root.session = email === adminEmail ? 'admin' : 'customer'
    else delete root.session
  }
  show()
  // Another tab may sign in or out. Adding this listener opens storage in another process, so it runs in a later task.
  setTimeout(() => addEventListener('storage', show))
  // The page may return from the back-forward cache.
  addEventListener('pageshow', show)
}

function storedEmail(): string | undefined {
  try {
    const session = JSON.parse(localStorage.getItem(key)!)
    return session.refresh_token && session.user.email.toLowerCase()
  } catch {
    return undefined
  }
}

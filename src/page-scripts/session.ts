import { storageKey } from '#site'

const key = storageKey('auth')

/**
 * Writes `data-session` ("customer" or "admin") on the root if a session is stored, so that the navigation is right at
 * the first paint. It decides what is displayed and nothing else.
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
  // Another tab signs in or out. Listening opens the storage of another process, so it waits for a task of its own.
  setTimeout(() => addEventListener('storage', show))
  // The page comes back from the back-forward cache.
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

import { vi } from 'vitest'

/** A page for browser modules: an origin, both storages, and a network whose responses the test decides. */
interface BrowserPage {
  localStorage: Storage
  sessionStorage: Storage
  /** All requests, in order. */
  requests: Request[]
  /** Changes the visibility of the page, as when another window comes to the front. */
  show: (visibility: DocumentVisibilityState) => void
}

export const origin = 'http://localhost:4321'

/**
 * Installs the page's globals; `vi.unstubAllGlobals()` removes them. After `vi.resetModules()`, modules that are imported then
 * are without what another file of the worker has left in them.
 */
export function openBrowserPage(answer: (request: Request) => Response | Promise<Response>): BrowserPage {
  const window = new EventTarget()
  const document = Object.assign(new EventTarget(), { visibilityState: 'visible' })
  const page: BrowserPage = {
    localStorage: storage(),
    sessionStorage: storage(),
    requests: [],
    show(visibility) {
      document.visibilityState = visibility
      document.dispatchEvent(new Event('visibilitychange'))
    },
  }
  vi.stubGlobal('window', window)
  vi.stubGlobal('addEventListener', window.addEventListener.bind(window))
  vi.stubGlobal('removeEventListener', window.removeEventListener.bind(window))
  vi.stubGlobal('document', document)
  vi.stubGlobal('location', new URL(origin))
  vi.stubGlobal('localStorage', page.localStorage)
  vi.stubGlobal('sessionStorage', page.sessionStorage)
  vi.stubGlobal('fetch', async (input: RequestInfo | URL, init?: RequestInit) => {
    const request = new Request(input, init)
    page.requests.push(request.clone())
    return answer(request)
  })
  return page
}

function storage(): Storage {
  const values = new Map<string, string>()
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
    clear: () => values.clear(),
    key: (index) => [...values.keys()][index] ?? null,
    get length() {
      return values.size
    },
  }
}

/**
 * Returns a session in the auth provider's format, which the browser stores under `deskbell_auth`. It does not
 * expire.
 */
export const storedSession = (userId: string) => ({
  access_token: `e30.${btoa(JSON.stringify({ iat: 1_700_000_000, exp: 4_000_000_000 }))}.signature`,
  refresh_token: 'refresh',
  token_type: 'bearer',
  expires_at: 4_000_000_000,
  expires_in: 3600,
  user: { id: userId, email: 'guest@hotel.example' },
})

import { vi } from 'vitest'

/** A page for modules that run in browsers: an origin, both storages, and a network that answers as told. */
export interface BrowserPage {
  localStorage: Storage
  sessionStorage: Storage
  /** Every request, in order. */
  requests: Request[]
  /** Another window comes to the front, or this one. */
  show: (visibility: DocumentVisibilityState) => void
}

export const origin = 'http://localhost:4321'

/** Puts the page in place; `vi.unstubAllGlobals()` takes it away again. */
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
  const kept = new Map<string, string>()
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
    clear: () => kept.clear(),
    key: (index) => [...kept.keys()][index] ?? null,
    get length() {
      return kept.size
    },
  }
}

/** A session as the auth provider gives it and as the browser stores it under `deskbell_auth`; it lasts. */
export const storedSession = (userId: string) => ({
  access_token: `e30.${btoa(JSON.stringify({ iat: 1_700_000_000, exp: 4_000_000_000 }))}.signature`,
  refresh_token: 'refresh',
  token_type: 'bearer',
  expires_at: 4_000_000_000,
  expires_in: 3600,
  user: { id: userId, email: 'guest@hotel.example' },
})

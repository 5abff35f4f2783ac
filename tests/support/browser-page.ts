import { vi } from 'vitest'

/** A page for modules that run in browsers: an origin, both storages, and a network that answers as told. */
export interface BrowserPage {
  localStorage: Storage
  sessionStorage: Storage
  /** Every request, in order. */
  requests: Request[]
}

export const origin = 'http://localhost:4321'

/** Puts the page in place; `vi.unstubAllGlobals()` takes it away again. */
export function openBrowserPage(answer: (request: Request) => Response | Promise<Response>): BrowserPage {
  const page: BrowserPage = { localStorage: storage(), sessionStorage: storage(), requests: [] }
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }))
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

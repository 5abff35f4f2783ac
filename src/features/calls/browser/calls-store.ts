import { atom, onMount } from 'nanostores'
import {
  callsPerPage,
  mostCallsAtOnce,
  mostCounted,
  type CallOverview,
  type CallPage,
  type ListedCall,
} from '#calls/domain/calls.ts'
import { listCalls, readCallOverview } from './calls.ts'
import { $session } from '#account/browser/session-store.ts'

export interface CallsState {
  /** Null until it is loaded, or if there is no subscription. */
  overview: CallOverview | null
  /** When the server last answered, in milliseconds since 1970. */
  asOf: number
  list: {
    search: string
    /** Null until the first answer. During a search, the results of the search before. */
    calls: readonly ListedCall[] | null
    /** How many calls the search finds; more than `mostCounted` are not counted. */
    total: number
    status: 'loading' | 'ready' | 'failed'
  }
}

const nothing: CallsState = {
  overview: null,
  asOf: Date.now(),
  list: { search: '', calls: null, total: 0, status: 'loading' },
}

/** The signed-in customer's calls. They are loaded again whenever the customer returns to the page. */
export const $calls = atom<CallsState>(nothing)

let userId: string | null = null
/** The number of the latest request for a list. Answers to earlier ones are ignored. */
let latest = 0
/** The search whose results are shown. */
let shownSearch = ''

const change = (list: Partial<CallsState['list']>): void => {
  const state = $calls.get()
  $calls.set({ ...state, list: { ...state.list, ...list } })
}

async function loadOverview(): Promise<void> {
  const loadedFor = userId
  const overview = await readCallOverview()
  if (loadedFor === userId && overview !== undefined)
    $calls.set({ ...$calls.get(), overview, asOf: Date.now() })
}

/** Loads a page of a search. Returns undefined if that failed, or if a later request has replaced this one. */
async function loadPage(search: string, after: string | null, limit: number): Promise<CallPage | undefined> {
  const request = ++latest
  change({ search, status: 'loading' })
  const page = await listCalls(search, after, limit)
  if (request !== latest) return undefined
  if (!page) change({ status: 'failed' })
  return page
}

/** Finds calls that contain the words. */
export async function findCalls(search: string): Promise<void> {
  const page = await loadPage(search, null, callsPerPage)
  if (!page) return
  shownSearch = search
  change({ calls: page.rows, total: page.total, status: 'ready' })
}

/** Returns how many calls there are, at least one more than are listed if the database has not counted to the end. */
const totalOf = ({ total }: CallPage, listed: number): number =>
  total > mostCounted ? Math.max(total, listed + 1) : total

/** Loads the beginning of the list again, and keeps the calls below it. */
async function reloadList(): Promise<void> {
  const { search, calls } = $calls.get().list
  if (calls === null || shownSearch !== search) return findCalls(search)
  const page = await loadPage(search, null, Math.min(mostCallsAtOnce, Math.max(callsPerPage, calls.length)))
  if (!page) return
  const last = page.rows.at(-1)
  const index = calls.findIndex(({ id }) => id === last?.id)
  const below = index < 0 ? [] : calls.slice(index + 1)
  const all = [...page.rows, ...below]
  change({ calls: all, total: totalOf(page, all.length), status: 'ready' })
}

/** Loads everything again. The calls on screen stay until the answer arrives, and if there is none. */
export async function refreshCalls(): Promise<void> {
  if (userId === null) return
  await Promise.all([loadOverview(), reloadList()])
}

/** Loads the next page of the list. */
export async function loadMoreCalls(): Promise<void> {
  const { search, calls, status } = $calls.get().list
  const last = calls?.at(-1)
  if (!calls || !last || status === 'loading') return
  const page = await loadPage(search, last.id, callsPerPage)
  if (!page) return
  const longer = [...calls, ...page.rows]
  // The total may count new calls, which are above these. A short page is the last one.
  const total = page.rows.length < callsPerPage ? longer.length : totalOf(page, longer.length)
  change({ calls: longer, total, status: 'ready' })
}

function switchUser(next: string | null): void {
  if (next !== userId) {
    userId = next
    latest++
    $calls.set(nothing)
  }
  void refreshCalls()
}

onMount($calls, () => {
  const stop = $session.subscribe((session) =>
    switchUser(session.status === 'signedIn' ? session.user.id : null),
  )
  const onReturn = (): void => {
    if (document.visibilityState === 'visible') void refreshCalls()
  }
  document.addEventListener('visibilitychange', onReturn)
  return () => {
    stop()
    document.removeEventListener('visibilitychange', onReturn)
  }
})

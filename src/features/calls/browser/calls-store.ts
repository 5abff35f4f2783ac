import { atom, onMount } from 'nanostores'
import { callsPerPage, mostCallsAtOnce, type Call, type CallOverview } from '#calls/domain/calls.ts'
import { listCalls, readCallOverview } from './calls.ts'
import { $session } from '#account/browser/session-store.ts'

export interface CallsState {
  /** Null until it is known, or where there is no subscription. */
  overview: CallOverview | null
  /** When the server was last heard, in milliseconds since 1970. */
  asOf: number
  list: {
    search: string
    /** Null until the first answer; what the search before found until the present one is answered. */
    calls: readonly Call[] | null
    /** How many calls the search finds. */
    total: number
    status: 'asking' | 'ready' | 'failed'
  }
}

const nothing: CallsState = {
  overview: null,
  asOf: Date.now(),
  list: { search: '', calls: null, total: 0, status: 'asking' },
}

/** The signed-in customer's calls: from the server, and again on every return. */
export const $calls = atom<CallsState>(nothing)

let userId: string | null = null
/** Of the requests for a list, the one that counts. */
let latest = 0
/** What the calls that are shown were found by. */
let foundBy = ''

const change = (list: Partial<CallsState['list']>): void => {
  const state = $calls.get()
  $calls.set({ ...state, list: { ...state.list, ...list } })
}

async function readOverview(): Promise<void> {
  const asked = userId
  const overview = await readCallOverview()
  if (asked === userId && overview !== undefined) $calls.set({ ...$calls.get(), overview, asOf: Date.now() })
}

/** Looks for calls in which the words stand. */
export async function findCalls(search: string): Promise<void> {
  const request = ++latest
  change({ search, status: 'asking' })
  const page = await listCalls(search, null, callsPerPage)
  if (request !== latest) return
  if (!page) return change({ status: 'failed' })
  foundBy = search
  change({ calls: page.rows, total: page.total, status: 'ready' })
}

/** The same list once more: what was shown below its beginning stays. */
async function rereadList(): Promise<void> {
  const { search, calls } = $calls.get().list
  if (calls === null || foundBy !== search) return findCalls(search)
  const request = ++latest
  change({ status: 'asking' })
  const shown = Math.min(mostCallsAtOnce, Math.max(callsPerPage, calls.length))
  const page = await listCalls(search, null, shown)
  if (request !== latest) return
  if (!page) return change({ status: 'failed' })
  const last = page.rows.at(-1)
  const at = calls.findIndex(({ id }) => id === last?.id)
  const below = at < 0 ? [] : calls.slice(at + 1)
  change({ calls: [...page.rows, ...below], total: page.total, status: 'ready' })
}

/** Asks the server again; what is on screen stays until the answer arrives, and after a failure. */
export async function refreshCalls(): Promise<void> {
  if (userId === null) return
  await Promise.all([readOverview(), rereadList()])
}

/** Goes on with the list, where it ends. */
export async function readMoreCalls(): Promise<void> {
  const { search, calls, status } = $calls.get().list
  const last = calls?.at(-1)
  if (!calls || !last || status === 'asking') return
  const request = ++latest
  change({ status: 'asking' })
  const page = await listCalls(search, last.id, callsPerPage)
  if (request !== latest) return
  if (!page) return change({ status: 'failed' })
  const longer = [...calls, ...page.rows]
  // A call that came meanwhile stands above them: where the list ends, there is no more.
  const total = page.rows.length < callsPerPage ? longer.length : page.total
  change({ calls: longer, total, status: 'ready' })
}

function follow(next: string | null): void {
  if (next !== userId) {
    userId = next
    latest++
    $calls.set(nothing)
  }
  void refreshCalls()
}

onMount($calls, () => {
  const stop = $session.subscribe((session) => follow(session.status === 'signedIn' ? session.user.id : null))
  const returned = (): void => {
    if (document.visibilityState === 'visible') void refreshCalls()
  }
  document.addEventListener('visibilitychange', returned)
  return () => {
    stop()
    document.removeEventListener('visibilitychange', returned)
  }
})

import { useEffect, useRef, useState } from 'react'
import { $forgotten } from '#calls/browser/callers-data.ts'
import { listInbox, noteDone } from '#portal/browser/inbox.ts'
import type { InboxFilter, InboxItem, InboxPage } from '#portal/domain/inbox.ts'

/** How many entries are shown at first, and how many more at a press. The database returns at most 100 at once. */
const atFirst = 6
const more = 20
const mostAtOnce = 100

interface State {
  filter: InboxFilter
  /** Null until it is loaded. During a search, what was found before. */
  page: InboxPage | null
  /** What the page was found by. */
  foundBy: InboxFilter | null
  /** The last entry of the page, as it was read. */
  last: InboxItem | null
  hasMore: boolean
  /** Whether it is worth a search: there has been more than is shown at first, or what is done was shown. */
  isLong: boolean
  status: 'loading' | 'ready' | 'failed'
}

export const isSame = (one: InboxItem, other: InboxItem): boolean =>
  one.kind === other.kind && one.id === other.id

/** Returns the listed rows that follow on the found ones. */
function rowsBelow(found: readonly InboxItem[], listed: readonly InboxItem[]): InboxItem[] {
  const index = listed.findIndex((each) => isSame(each, found.at(-1)!))
  return index < 0
    ? []
    : listed.slice(index + 1).filter((each) => !found.some((other) => isSame(each, other)))
}

/** Returns how many entries are not done. */
export const waitingIn = ({ open }: Pick<InboxPage, 'open'>): number =>
  Object.values(open).reduce((sum, many) => sum + many, 0)

/**
 * The inbox of the signed-in customer: what is shown of it, and what can be done. It is read again on return to the page, and once a
 * caller is forgotten.
 */
export function useInbox() {
  const [state, setState] = useState<State>({
    filter: { isDone: false, kind: null, search: '' },
    page: null,
    foundBy: null,
    last: null,
    hasMore: false,
    isLong: false,
    status: 'loading',
  })
  /** The number of the latest request. Answers to earlier ones are ignored. */
  const latest = useRef(0)
  /** The latest note of what is done. */
  const noted = useRef<Promise<boolean>>(Promise.resolve(true))
  const { filter, page } = state
  const rows = page?.rows ?? []

  async function read(wanted: InboxFilter, after: InboxItem | null, limit: number): Promise<void> {
    const request = (latest.current += 1)
    setState((before) => ({ ...before, filter: wanted, status: 'loading' }))
    let note: Promise<boolean>
    let read: InboxPage | undefined
    do {
      note = noted.current
      await note
      // One more tells whether there are others.
      read = await listInbox(wanted, after, limit + 1).catch(() => undefined)
      if (request !== latest.current) return
      // What is noted meanwhile may be missing in the answer.
    } while (note !== noted.current)
    if (!read) return setState((before) => ({ ...before, status: 'failed' }))
    const { rows: answered, ...page } = read
    const found = answered.slice(0, limit)
    const hasMore = answered.length > limit
    setState((before) => {
      const listed = before.page?.rows ?? []
      // Read again, a list stays as long as it is.
      const below = hasMore && wanted === before.foundBy ? rowsBelow(found, listed) : []
      return {
        ...before,
        page: { ...page, rows: after ? [...listed, ...found] : [...found, ...below] },
        foundBy: wanted,
        last: below.length > 0 ? before.last : (found.at(-1) ?? null),
        hasMore,
        isLong: before.isLong || wanted.isDone || waitingIn(page) > atFirst,
        status: 'ready',
      }
    })
  }
  const show = (wanted: InboxFilter): Promise<void> => read(wanted, null, atFirst)
  const refresh = (): Promise<void> =>
    read(filter, null, Math.min(Math.max(atFirst, rows.length), mostAtOnce - 1))

  const readAgain = useRef(refresh)
  useEffect(() => {
    readAgain.current = refresh
  })
  useEffect(() => {
    const again = (): void => void readAgain.current()
    const onReturn = (): void => {
      if (document.visibilityState === 'visible') again()
    }
    again()
    document.addEventListener('visibilitychange', onReturn)
    const stop = $forgotten.listen(again)
    return () => {
      stop()
      document.removeEventListener('visibilitychange', onReturn)
    }
  }, [])

  /** Notes that an entry is done, or that it is not. It stays where it is, so that this can be undone. */
  async function finish(item: InboxItem, isDone: boolean): Promise<boolean> {
    noted.current = noteDone(item, isDone).catch(() => false)
    const isNoted = await noted.current
    if (isNoted)
      setState((before) => {
        if (!before.page) return before
        const { open, rows: listed } = before.page
        return {
          ...before,
          page: {
            ...before.page,
            open: { ...open, [item.kind]: (open[item.kind] ?? 0) + (isDone ? -1 : 1) },
            rows: listed.map((each) =>
              isSame(each, item) ? { ...each, done_at: isDone ? new Date().toISOString() : null } : each,
            ),
          },
        }
      })
    return isNoted
  }
  const showMore = (): Promise<void> => read(filter, state.last, more)
  const isPaged = state.hasMore || rows.length > atFirst
  return { ...state, isPaged, show, refresh, finish, showMore }
}

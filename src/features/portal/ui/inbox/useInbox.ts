import { useEffect, useRef, useState } from 'react'
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
  hasMore: boolean
  status: 'loading' | 'ready' | 'failed'
}

/** The inbox of the signed-in customer: what is shown of it, and what can be done. It is read again on return to the page. */
export function useInbox() {
  const [state, setState] = useState<State>({
    filter: { isDone: false, kind: null, search: '' },
    page: null,
    hasMore: false,
    status: 'loading',
  })
  /** The number of the latest request. Answers to earlier ones are ignored. */
  const latest = useRef(0)
  const { filter, page } = state
  const rows = page?.rows ?? []

  async function read(wanted: InboxFilter, after: InboxItem | null, limit: number): Promise<void> {
    const request = (latest.current += 1)
    setState((before) => ({ ...before, filter: wanted, status: 'loading' }))
    // One more tells whether there are others.
    const read = await listInbox(wanted, after, limit + 1).catch(() => undefined)
    if (request !== latest.current) return
    if (!read) return setState((before) => ({ ...before, status: 'failed' }))
    const found = read.rows.slice(0, limit)
    setState((before) => ({
      ...before,
      page: { ...read, rows: after ? [...(before.page?.rows ?? []), ...found] : found },
      hasMore: read.rows.length > limit,
      status: 'ready',
    }))
  }
  const show = (wanted: InboxFilter): Promise<void> => read(wanted, null, atFirst)
  const refresh = (): Promise<void> =>
    read(filter, null, Math.min(Math.max(atFirst, rows.length), mostAtOnce - 1))

  const returned = useRef(refresh)
  useEffect(() => {
    returned.current = refresh
  })
  useEffect(() => {
    void returned.current()
    const onReturn = (): void => {
      if (document.visibilityState === 'visible') void returned.current()
    }
    document.addEventListener('visibilitychange', onReturn)
    return () => document.removeEventListener('visibilitychange', onReturn)
  }, [])

  /** Notes that an entry is done, or that it is not. It stays where it is, so that this can be undone. */
  async function finish(item: InboxItem, isDone: boolean): Promise<boolean> {
    const isNoted = await noteDone(item, isDone).catch(() => false)
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
              each === item ? { ...each, done_at: isDone ? new Date().toISOString() : null } : each,
            ),
          },
        }
      })
    return isNoted
  }
  const showMore = (): Promise<void> => read(filter, rows.at(-1) ?? null, more)
  return { ...state, show, refresh, finish, showMore }
}

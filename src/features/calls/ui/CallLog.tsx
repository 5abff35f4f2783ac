import { useEffect, useRef, useState, type ChangeEvent } from 'react'
import { flushSync } from 'react-dom'
import { grouped } from '#platform/domain/text/numbers.ts'
import type { CallsState } from '#calls/browser/calls-store.ts'
import { mostCounted } from '#calls/domain/calls.ts'
import { LooseCord } from '#platform/ui/drawing.tsx'
import type { CallRowActions } from './CallMarks.tsx'
import { CallRow } from './CallRow.tsx'
import { button, textButton } from '#platform/domain/variants.ts'
import {
  dataTable,
  fieldGrid,
  fieldLabel,
  inputBox,
  problemLine,
  skeleton,
  titleRow,
} from '#platform/domain/app-variants.ts'

/** The search starts after this pause in typing. */
const pauseMs = 250
/** How many calls the dashboard shows at first. */
const atFirst = 6

export interface CallActions extends CallRowActions {
  find: (search: string) => void
  more: () => void
  retry: () => void
}

/** The columns and their classes: they keep their places when the list changes. */
const columns = [
  ['When', 'md:w-[16%]'],
  ['Caller', 'md:w-[18%]'],
  ['About', ''],
  ['Outcome', 'md:w-[16%]'],
  ['Length', 'text-right md:w-[10%]'],
  ['Sentiment', 'md:w-[15%]'],
] as const

const NoCalls = () => (
  <div className="grid items-center gap-6 md:grid-cols-2">
    <LooseCord />
    <div>
      <h3>No calls yet</h3>
      <p className="text-ink-2">When your agent answers its first call, it appears here.</p>
    </div>
  </div>
)

interface Props {
  list: CallsState['list']
  /** Milliseconds since 1970. */
  now: number
  actions: CallActions
}

/** The last calls; on request all calls, with a search. */
export function CallLog({ list, now, actions }: Props) {
  const { calls, total, status } = list
  const [isExpanded, setExpanded] = useState(list.search !== '')
  const [search, setSearch] = useState(list.search)
  const field = useRef<HTMLInputElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const statusLine = useRef<HTMLParagraphElement>(null)
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(pause.current), [])
  const hasMore = calls !== null && calls.length < total
  const next = status === 'failed' ? 'retry' : hasMore ? 'more' : null
  const pressed = useRef<typeof next>(null)
  useEffect(() => {
    if (pressed.current === null || status === 'loading') return
    // The pressed button is gone, so the focus moves to the text next to it.
    if (pressed.current !== next && document.activeElement === document.body)
      (statusLine.current ?? heading.current)?.focus({ preventScroll: true })
    pressed.current = null
  }, [next, status])

  const find = (words: string): void => {
    clearTimeout(pause.current)
    actions.find(words)
  }
  const type = ({ target }: ChangeEvent<HTMLInputElement>): void => {
    setSearch(target.value)
    clearTimeout(pause.current)
    pause.current = setTimeout(() => find(target.value), pauseMs)
  }

  const showAll = (): void => {
    flushSync(() => setExpanded(true))
    field.current?.focus()
  }

  const isEmpty = calls?.length === 0 && list.search === ''
  const shown = calls && (isExpanded ? calls : calls.slice(0, atFirst))
  return (
    <div className="border-t">
      <div className={`${titleRow} p-pad`}>
        <h2 className="text-h4" ref={heading} tabIndex={-1}>
          {isExpanded ? 'Calls' : 'Last calls'}
        </h2>
        {isExpanded ? (
          <form
            role="search"
            onSubmit={(event) => {
              event.preventDefault()
              find(search)
            }}
          >
            <div className={fieldGrid}>
              <label className={fieldLabel} htmlFor="find-call">
                Search your calls
              </label>
              <input
                className={inputBox()}
                id="find-call"
                type="search"
                autoComplete="off"
                maxLength={200}
                ref={field}
                value={search}
                onChange={type}
              />
            </div>
          </form>
        ) : (
          calls !== null &&
          calls.length > 0 && (
            <button className={textButton()} type="button" onClick={showAll}>
              {total === 1
                ? 'Search your calls'
                : total > mostCounted
                  ? 'All calls'
                  : `All ${grouped(total)} calls`}
            </button>
          )
        )}
      </div>
      {calls === null && status === 'loading' && (
        <div className="max-w-none p-pad">
          <div className={skeleton({ size: 'long' })} role="status" aria-label="Loading your calls" />
        </div>
      )}
      {isEmpty && !isExpanded && (
        <div className="max-w-none p-pad">
          <NoCalls />
        </div>
      )}
      {shown && shown.length > 0 && (
        <table
          className={dataTable({ stacked: true, class: 'md:table-fixed td:wrap-anywhere' })}
          aria-busy={status === 'loading'}
        >
          <caption className="sr-only">Calls of your agent, latest first</caption>
          <thead>
            <tr>
              {columns.map(([name, classes]) => (
                <th className={`text-label text-ink-2 uppercase ${classes}`} scope="col" key={name}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((call) => (
              <CallRow key={call.id} call={call} now={now} actions={actions} />
            ))}
          </tbody>
        </table>
      )}
      {(isExpanded || status === 'failed') && (
        <div className={`${titleRow} border-t p-pad`}>
          <p
            className={status === 'failed' ? problemLine : 'text-sm text-ink-2'}
            ref={statusLine}
            tabIndex={-1}
            role={status === 'failed' ? 'alert' : 'status'}
          >
            {status === 'failed'
              ? 'We could not load your calls. Check your connection and try again.'
              : calls === null || (status === 'loading' && calls.length === 0)
                ? 'Searching'
                : calls.length === 0
                  ? 'No call matches. Try fewer words, or part of a phone number.'
                  : hasMore && total > mostCounted
                    ? `The latest ${grouped(calls.length)} calls`
                    : `${grouped(calls.length)} of ${grouped(total)} ${total === 1 ? 'call' : 'calls'}`}
          </p>
          {status === 'failed' ? (
            <button
              className={button({ kind: 'other', size: 'small' })}
              type="button"
              onClick={() => {
                pressed.current = 'retry'
                actions.retry()
              }}
            >
              Try again
            </button>
          ) : (
            hasMore && (
              <button
                className={button({ kind: 'other', size: 'small' })}
                type="button"
                aria-disabled={status === 'loading'}
                onClick={() => {
                  pressed.current = 'more'
                  actions.more()
                }}
              >
                Show more
              </button>
            )
          )}
        </div>
      )}
    </div>
  )
}

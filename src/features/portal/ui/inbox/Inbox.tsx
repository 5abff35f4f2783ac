import { useEffect, useRef, useState, type ChangeEvent, type ReactNode } from 'react'
import { Reach } from '#agent/ui/Reach.tsx'
import {
  cancelBooking,
  decideBooking,
  overtaken,
  putEventBack,
  type IsDone,
} from '#bookings/browser/bookings.ts'
import { Entries, Entry } from '#bookings/ui/entries.tsx'
import {
  inboxKinds,
  inboxWords,
  type InboxFilter,
  type InboxItem,
  type InboxKind,
} from '#portal/domain/inbox.ts'
import { teachPath } from '#calls/domain/question.ts'
import { callPath } from '#platform/domain/call-path.ts'
import { routes } from '#platform/domain/routes.ts'
import { dayAndTime } from '#platform/domain/text/dates.ts'
import { grouped } from '#platform/domain/text/numbers.ts'
import { fieldGrid, fieldLabel, inputBox, problemLine, titleRow } from '#platform/domain/app-variants.ts'
import { badge, button, frame, textButton } from '#platform/domain/variants.ts'
import { followInPage } from '#platform/ui/hooks/useTab.ts'
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx'
import { ActionButton } from '#platform/ui/ActionButton.tsx'
import { Problem } from '#platform/ui/Problem.tsx'
import { InboxLoading } from './InboxLoading.tsx'
import { isSame, useInbox, waitingIn } from './useInbox.ts'

/** The search starts after this pause in typing. */
const pauseMs = 250
/** The tab of bookings, with another time for a booking to choose. */
const movePath = (booking: string): string => `${routes.portal}/bookings?move=${booking}`
const kinds = Object.keys(inboxKinds) as InboxKind[]

interface Outcome {
  /** What was done, for who hears the page. */
  done: string
  /** The entry of which something was not saved. */
  failed: InboxItem | null
}
const nothingDone: Outcome = { done: '', failed: null }

/**
 * What waits for the owner: messages, call-backs, requests, bookings of callers, and questions to teach.
 * @param isFresh whether the agent has had no call yet: an empty inbox is not shown
 */
export function Inbox({ isFresh }: { isFresh: boolean }) {
  const inbox = useInbox()
  const { filter, foundBy, page, hasMore, isPaged, isLong, status } = inbox
  const [search, setSearch] = useState('')
  const [outcome, setOutcome] = useState<Outcome>(nothingDone)
  const [isWorking, setWorking] = useState(false)
  const [cancelled, setCancelled] = useState<{ item: InboxItem; title: string } | null>(null)
  const line = useRef<HTMLParagraphElement>(null)
  const end = useRef<HTMLParagraphElement>(null)
  const hasAsked = useRef(false)
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(pause.current), [])
  useEffect(() => {
    if (!hasAsked.current || status === 'loading') return
    hasAsked.current = false
    // The pressed button may be gone, so the focus moves to the text next to it.
    if (document.activeElement === document.body) end.current?.focus({ preventScroll: true })
  }, [status])

  const total = page ? waitingIn(page) : 0
  const show = (changes: Partial<InboxFilter>): void => {
    clearTimeout(pause.current)
    setOutcome(nothingDone)
    void inbox.show({ ...filter, search: search.trim(), ...changes })
  }
  const type = ({ target }: ChangeEvent<HTMLInputElement>): void => {
    setSearch(target.value)
    clearTimeout(pause.current)
    pause.current = setTimeout(() => show({ search: target.value.trim() }), pauseMs)
  }

  /** Runs what a button of an entry does, and says there if it did not. Returns whether it did. */
  async function run(item: InboxItem, action: () => Promise<IsDone>, done: string): Promise<boolean> {
    if (isWorking) return false
    setWorking(true)
    const isDone = await action().catch(() => false)
    setWorking(false)
    setOutcome(
      isDone ? { done: isDone === 'overtaken' ? overtaken : done, failed: null } : { done: '', failed: item },
    )
    return isDone !== false
  }
  /** Decides about a booking, which then is another entry or none. */
  async function decide(item: InboxItem, decision: () => Promise<IsDone>, done: string): Promise<void> {
    const decideAndRead = async (): Promise<IsDone> => {
      const isDecided = await decision()
      if (isDecided) await inbox.refresh()
      return isDecided
    }
    // The button is gone then.
    if (await run(item, decideAndRead, done)) line.current?.focus({ preventScroll: true })
  }

  const press = (name: string, title: string, onClick: () => void): ReactNode => (
    <ActionButton label={`${name}: ${title}`} isWorking={isWorking} onPress={onClick}>
      {name}
    </ActionButton>
  )
  const link = (name: string, title: string, href: string): ReactNode => (
    <a
      className={button({ kind: 'other', size: 'small' })}
      href={href}
      aria-label={`${name}: ${title}`}
      onClick={followInPage(href)}
    >
      {name}
    </a>
  )
  const actionsOf = (item: InboxItem, title: string): ReactNode => {
    const isDone = item.done_at !== null
    if (item.kind === 'request' && !isDone)
      return (
        <>
          {press(
            'Confirm',
            title,
            () => void decide(item, () => decideBooking(item.id, true), `Confirmed: ${title}.`),
          )}
          {page?.can_book && link('Propose another', title, movePath(item.id))}
          {press(
            'Decline',
            title,
            () => void decide(item, () => decideBooking(item.id, false), `Declined: ${title}.`),
          )}
        </>
      )
    if (item.kind === 'event') {
      const isBooked = item.facts.state === 'booked'
      const [back, done] =
        item.why === 'busy'
          ? ['Keep it', 'Kept']
          : [isBooked ? 'Put it back' : 'Remove it there', 'Your calendar is changed']
      return (
        <>
          {press(back, title, () => void decide(item, () => putEventBack(item.id), `${done}: ${title}.`))}
          {isBooked && item.why !== 'deleted' && page?.can_book && link('Move it', title, movePath(item.id))}
          {isBooked && press('Cancel booking', title, () => setCancelled({ item, title }))}
        </>
      )
    }
    return (
      <>
        {item.kind === 'question' && !isDone && link('Teach this answer', title, teachPath(item.about ?? ''))}
        {press(
          isDone ? 'Undo' : item.kind === 'question' ? 'Dismiss' : 'Done',
          title,
          () =>
            void run(item, () => inbox.finish(item, !isDone), `${isDone ? 'Not done' : 'Done'}: ${title}.`),
        )}
      </>
    )
  }
  const filterButton = (name: string, many: number | null, isOn: boolean, changes: Partial<InboxFilter>) => (
    <button
      key={name}
      className={button({ kind: 'other', size: 'small', class: 'aria-pressed:lamp-lit' })}
      type="button"
      aria-pressed={isOn}
      onClick={() => show(changes)}
    >
      {many === null ? name : `${name} ${grouped(many)}`}
    </button>
  )

  if (isFresh && total === 0 && !filter.isDone) return null
  if (!page && status === 'loading') return <InboxLoading />
  if (!page)
    return (
      <section className={`${frame} ${titleRow} p-pad`} role="alert">
        <p className={problemLine}>We could not load your inbox. Check your connection and try again.</p>
        {press('Try again', 'Inbox', () => void inbox.refresh())}
      </section>
    )
  return (
    <section className={`${frame} grid gap-4 p-pad`} aria-labelledby="inbox">
      <div className={titleRow}>
        <h2 className="text-h4" id="inbox" tabIndex={-1}>
          Inbox
        </h2>
        {isLong && (
          <form
            role="search"
            onSubmit={(event) => {
              event.preventDefault()
              show({})
            }}
          >
            <div className={fieldGrid}>
              <label className={fieldLabel} htmlFor="find-item">
                Search your inbox
              </label>
              <input
                className={inputBox()}
                id="find-item"
                type="search"
                autoComplete="off"
                maxLength={200}
                value={search}
                onChange={type}
              />
            </div>
          </form>
        )}
      </div>
      <div className="flex flex-wrap gap-2" role="group" aria-label="What the inbox shows">
        {filterButton('All', total, !filter.isDone && filter.kind === null, { isDone: false, kind: null })}
        {kinds
          .filter((kind) => (page.open[kind] ?? 0) > 0 || (filter.kind === kind && !filter.isDone))
          .map((kind) =>
            filterButton(inboxKinds[kind], page.open[kind] ?? 0, !filter.isDone && filter.kind === kind, {
              isDone: false,
              kind,
            }),
          )}
        {filterButton('Done', null, filter.isDone, { isDone: true, kind: null })}
      </div>
      <p
        className={outcome.done === overtaken ? '' : 'sr-only focus-visible:not-sr-only'}
        role="status"
        tabIndex={-1}
        ref={line}
      >
        {outcome.done}
      </p>
      {page.rows.length === 0 ? (
        <p className="text-ink-2" role="status">
          {foundBy?.search
            ? 'Nothing matches. Try fewer words, or part of a phone number.'
            : foundBy?.isDone
              ? 'Nothing is done yet.'
              : 'Nothing waits for you.'}
        </p>
      ) : (
        <Entries>
          {page.rows.map((item) => (
            <Item
              key={`${item.kind}:${item.id}`}
              item={item}
              timeZone={page.time_zone}
              hasFailed={outcome.failed !== null && isSame(outcome.failed, item)}
            >
              {(title) => actionsOf(item, title)}
            </Item>
          ))}
        </Entries>
      )}
      {cancelled && (
        <ConfirmDialog
          title="Cancel this booking?"
          action="Cancel booking"
          onCancel={() => setCancelled(null)}
          onConfirm={() => {
            setCancelled(null)
            const { item, title } = cancelled
            void decide(
              item,
              async () => (await cancelBooking(item.id)) && putEventBack(item.id),
              `Cancelled: ${title}.`,
            )
          }}
        >
          <p>
            {cancelled.title}. The time is free again at once.{' '}
            {cancelled.item.email === null
              ? 'The caller learns of it from you.'
              : 'The caller gets an email about it.'}
          </p>
        </ConfirmDialog>
      )}
      {(isPaged || status === 'failed') && (
        <div className={titleRow}>
          <p
            className={status === 'failed' ? problemLine : 'text-sm text-ink-2'}
            ref={end}
            tabIndex={-1}
            role={status === 'failed' ? 'alert' : 'status'}
          >
            {status === 'failed'
              ? 'We could not load your inbox. Check your connection and try again.'
              : `${grouped(page.rows.length)} are listed.`}
          </p>
          {(hasMore || status === 'failed') && (
            <button
              className={button({ kind: 'other', size: 'small' })}
              type="button"
              aria-disabled={status === 'loading'}
              onClick={() => {
                if (status === 'loading') return
                hasAsked.current = true
                void (status === 'failed' ? inbox.refresh() : inbox.showMore())
              }}
            >
              {status === 'failed' ? 'Try again' : 'Show more'}
            </button>
          )}
        </div>
      )}
    </section>
  )
}

interface ItemProps {
  item: InboxItem
  timeZone: string
  /** Whether what was pressed did not work. */
  hasFailed: boolean
  /** Returns what can be done with it. */
  children: (title: string) => ReactNode
}

function Item({ item, timeZone, hasFailed, children }: ItemProps) {
  const { phone_number: number, email, call_id, at, done_at } = item
  const [now] = useState(Date.now)
  const { title, lines, badge: state } = inboxWords(item, timeZone)
  const { day, time } = dayAndTime(at, now)
  return (
    <Entry actions={children(title)}>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <b>{title}</b>
        {done_at !== null ? (
          <span className={badge({ tone: 'ok' })}>Done</span>
        ) : (
          state && <span className={badge({ tone: state.tone })}>{state.words}</span>
        )}
      </p>
      {lines.map((each) => (
        <p key={each}>{each}</p>
      ))}
      <p className="flex flex-wrap items-center gap-x-5 text-sm text-ink-2">
        <Reach phone={number} email={email} />
        <span>
          {day} {time}
        </span>
        {call_id !== null && (
          <a
            className={textButton({ size: 'small', class: 'text-sm' })}
            href={callPath(call_id)}
            aria-label={`Open the call: ${title}`}
            onClick={followInPage(callPath(call_id))}
          >
            Open the call
          </a>
        )}
      </p>
      <Problem>{hasFailed && 'Not saved. Check your connection and try again.'}</Problem>
    </Entry>
  )
}

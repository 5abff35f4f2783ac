import { useEffect, useRef, useState, type ReactNode } from 'react'
import { readKnowledge } from '#agent/browser/knowledge.ts'
import {
  cancelBooking,
  decideBooking,
  noteMessageDone,
  noteTold,
  readBookings,
  readMessages,
} from '#bookings/browser/bookings.ts'
import type { Booking } from '#bookings/domain/booking.ts'
import type { Message } from '#bookings/domain/message.ts'
import { dayWords, nameOf, ownersBookings, whenOf } from '#bookings/domain/owners-bookings.ts'
import { problemLine, stack } from '#platform/domain/app-variants.ts'
import { button, cell, frame, gridRow } from '#platform/domain/variants.ts'
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx'
import { Waiting } from '#platform/ui/Waiting.tsx'
import { BookingSetupForm } from '#bookings/ui/setup/BookingSetupForm.tsx'
import { BookingFacts, Entries, Entry, MessageFacts, Part } from './entries.tsx'

/** How many bookings that are over the page lists. */
const goneShown = 100
const dayMs = 86_400_000

interface Read {
  bookings: Booking[]
  messages: Message[]
  timeZone: string
  /** Milliseconds since 1970. */
  now: number
}

type State = Read | 'failed' | null

async function read(userId: string): Promise<Read | undefined> {
  const answers = [readBookings(userId), readMessages(userId), readKnowledge(userId)] as const
  const [bookings, messages, known] = await Promise.all(answers).catch(() => [])
  if (!bookings || !messages || !known) return undefined
  return { bookings, messages, timeZone: known.knowledge.timeZone, now: Date.now() }
}

/** Reads the lists. What was read before stays if it cannot be read again. */
async function readAgain(userId: string): Promise<(before: State) => State> {
  const next = await read(userId)
  return (before) => next ?? before ?? 'failed'
}

/** What callers have booked and asked for, and what the owner has to do about it. */
export function BookingsTab({ userId }: { userId: string }) {
  const [state, setState] = useState<State>(null)
  useEffect(() => void readAgain(userId).then(setState), [userId])
  const load = () => readAgain(userId).then(setState)
  if (!state || state === 'failed')
    return (
      <Waiting
        failed={state === 'failed'}
        onRetry={() => {
          setState(null)
          void load()
        }}
      />
    )
  return (
    <>
      <Lists {...state} reload={load} />
      <BookingSetupForm userId={userId} />
    </>
  )
}

function Lists({ bookings, messages, timeZone, now, reload }: Read & { reload: () => Promise<void> }) {
  const { requests, untold, days, gone } = ownersBookings(bookings, now, timeZone)
  const [isWorking, setWorking] = useState(false)
  const [outcome, setOutcome] = useState({ done: '', problem: '' })
  const [cancelling, setCancelling] = useState<Booking | null>(null)
  const line = useRef<HTMLDivElement>(null)

  /** Runs what a button does, and says that it was done, or that it was not. */
  async function run(action: Promise<boolean>, done: string): Promise<void> {
    setWorking(true)
    const isDone = await action.catch(() => false)
    await reload()
    setWorking(false)
    setCancelling(null)
    setOutcome(
      isDone
        ? { done, problem: '' }
        : { done: '', problem: 'Not saved. Check your connection and try again.' },
    )
    // The button may be gone.
    line.current?.focus()
  }
  const act = (name: string, target: string, action: () => Promise<boolean>, done: string): ReactNode => (
    <button
      className={button({ kind: 'other', size: 'small' })}
      type="button"
      aria-label={`${name}: ${target}`}
      aria-disabled={isWorking}
      onClick={() => {
        if (!isWorking) void run(action(), `${done}: ${target}.`)
      }}
    >
      {name}
    </button>
  )
  const isShown = ({ done_at }: Message): boolean => done_at === null || Date.parse(done_at) > now - dayMs
  const shown = messages
    .filter(isShown)
    .toSorted((one, other) => Number(other.is_urgent) - Number(one.is_urgent))
  const answered = messages.filter((each) => !isShown(each)).reverse()
  const messageEntry = (each: Message): ReactNode => {
    const target = `${each.name}, ${each.about}`
    return (
      <Entry
        key={each.id}
        actions={
          each.done_at === null
            ? act('Done', target, () => noteMessageDone(each.id, true), 'Done')
            : act('Undo', target, () => noteMessageDone(each.id, false), 'Not done')
        }
      >
        <MessageFacts message={each} timeZone={timeZone} />
      </Entry>
    )
  }

  return (
    <section className={frame}>
      <div className={gridRow}>
        <div className={cell({ span: 8, room: 'tall', class: stack })}>
          <h1 className="text-mid">Bookings</h1>
          <p className="text-lead text-ink-2">What callers have booked, and what waits for you.</p>
          <div ref={line} tabIndex={-1}>
            <p role="status">{outcome.done}</p>
            {outcome.problem && (
              <p className={problemLine} role="alert">
                {outcome.problem}
              </p>
            )}
          </div>
        </div>
      </div>
      {requests.length > 0 && (
        <Part id="requests" title="To confirm" about="Your agent has said that you will confirm these.">
          <Entries>
            {requests.map((each) => (
              <Entry
                key={each.id}
                actions={
                  <>
                    {act('Confirm', nameOf(each), () => decideBooking(each.id, true), 'Confirmed')}
                    {act('Decline', nameOf(each), () => decideBooking(each.id, false), 'Declined')}
                  </>
                }
              >
                <BookingFacts booking={each} when={whenOf(each, timeZone)} />
              </Entry>
            ))}
          </Entries>
        </Part>
      )}
      {untold.length > 0 && (
        <Part id="untold" title="Ring the caller" about="They do not know yet what you have decided.">
          <Entries>
            {untold.map((each) => (
              <Entry key={each.id} actions={act('Told', nameOf(each), () => noteTold(each.id), 'Told')}>
                <BookingFacts booking={each} when={whenOf(each, timeZone)} hasState />
              </Entry>
            ))}
          </Entries>
        </Part>
      )}
      {messages.length > 0 && (
        <Part id="messages" title="Messages" about="What callers have asked your agent to pass on.">
          {shown.length > 0 ? (
            <Entries>{shown.map(messageEntry)}</Entries>
          ) : (
            <p className="text-ink-2">All are answered.</p>
          )}
          {answered.length > 0 && (
            <details className="[&>ul]:mt-3">
              <summary>Answered earlier ({answered.length})</summary>
              <Entries>{answered.map(messageEntry)}</Entries>
            </details>
          )}
        </Part>
      )}
      <Part id="coming" title="Coming" about={`Times are those of your business (${timeZone}).`}>
        {days.length === 0 && (
          <p className="text-ink-2">Nothing is booked. What your agent books for callers appears here.</p>
        )}
        {days.map(([day, ofDay]) => (
          <div key={day} className="grid gap-1.5">
            <h3 className="text-base font-semibold">{dayWords(day)}</h3>
            <Entries>
              {ofDay.map((each) => (
                <Entry
                  key={each.id}
                  actions={
                    <button
                      className={button({ kind: 'other', size: 'small' })}
                      type="button"
                      aria-label={`Cancel: ${nameOf(each)}`}
                      onClick={() => setCancelling(each)}
                    >
                      Cancel
                    </button>
                  }
                >
                  <BookingFacts booking={each} when={whenOf(each, timeZone, day)} />
                </Entry>
              ))}
            </Entries>
          </div>
        ))}
        {gone.length > 0 && (
          <details className="[&>ul]:mt-3">
            <summary>
              Past and cancelled ({gone.length}
              {gone.length > goneShown && `, the latest ${goneShown} are listed`})
            </summary>
            <Entries>
              {gone.slice(0, goneShown).map((each) => (
                <Entry key={each.id}>
                  <BookingFacts booking={each} when={whenOf(each, timeZone)} hasState />
                </Entry>
              ))}
            </Entries>
          </details>
        )}
      </Part>
      {cancelling && (
        <ConfirmDialog
          title="Cancel this booking?"
          action="Cancel booking"
          isBusy={isWorking}
          onCancel={() => setCancelling(null)}
          onConfirm={() => void run(cancelBooking(cancelling.id), `Cancelled: ${nameOf(cancelling)}.`)}
        >
          <p>
            {nameOf(cancelling)}, {whenOf(cancelling, timeZone)}. The time is free again at once. The caller
            learns of it from you.
          </p>
        </ConfirmDialog>
      )}
    </section>
  )
}

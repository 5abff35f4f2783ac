import { useEffect, useRef, useState, type ReactNode } from 'react'
import { readKnowledge } from '#agent/browser/knowledge.ts'
import {
  cancelBooking,
  decideBooking,
  overtaken,
  readBookings,
  cancelAllAndBlock,
  readBookingSetup,
  type IsDone,
} from '#bookings/browser/bookings.ts'
import { phoneNumber, type AgentKnowledge } from '#agent/domain/knowledge/knowledge.ts'
import type { Booking } from '#bookings/domain/booking.ts'
import type { BookingSetup } from '#bookings/domain/booking-setup.ts'
import { dayWords, isOpen, nameOf, ownersBookings, whenOf } from '#bookings/domain/owners-bookings.ts'
import { problemLine, stack } from '#platform/domain/app-variants.ts'
import { routes } from '#platform/domain/routes.ts'
import { button, cell, frame, gridRow, textButton } from '#platform/domain/variants.ts'
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx'
import { onDemand } from '#platform/ui/onDemand.tsx'
import { ActionButton } from '#platform/ui/ActionButton.tsx'
import { followInPage } from '#platform/ui/hooks/useTab.ts'
import { Waiting } from '#platform/ui/Waiting.tsx'
import { BookingCalendar } from '#bookings/ui/calendar/BookingCalendar.tsx'
import { HandForm, type ByHand } from '#bookings/ui/calendar/HandForm.tsx'
import { BookingFacts, Entries, Entry, Part } from './entries.tsx'

const BookingSetupForm = onDemand(
  async () => (await import('#bookings/ui/setup/BookingSetupForm.tsx')).BookingSetupForm,
  <p className={`${frame} border-t p-pad text-ink-2`}>Loading</p>,
)

const ForgetCaller = onDemand(async () => (await import('#calls/ui/ForgetCaller.tsx')).ForgetCaller, <></>)

/** How many bookings that are over the page lists. */
const goneShown = 100

interface Read {
  bookings: Booking[]
  setup: BookingSetup
  knowledge: AgentKnowledge
  /** Milliseconds since 1970. */
  now: number
}

type State = Read | 'failed' | null

async function read(userId: string): Promise<Read | undefined> {
  const answers = [readBookings(userId), readBookingSetup(userId), readKnowledge(userId)] as const
  const [bookings, stored, known] = await Promise.all(answers).catch(() => [])
  if (!bookings || !stored || !known) return undefined
  return { bookings, setup: stored.setup, knowledge: known.knowledge, now: Date.now() }
}

/** Reads the lists. What was read before stays if it cannot be read again. */
async function readAgain(userId: string): Promise<(before: State) => State> {
  const next = await read(userId)
  return (before) => next ?? before ?? 'failed'
}

/** What callers have booked and asked for, and what can be booked. */
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

function Lists({ bookings, setup, knowledge, now, reload }: Read & { reload: () => Promise<void> }) {
  const { timeZone } = knowledge
  const { days, gone } = ownersBookings(bookings, now, timeZone)
  const [isWorking, setWorking] = useState(false)
  const [outcome, setOutcome] = useState({ done: '', problem: '' })
  const [question, setQuestion] = useState<{ kind: 'cancel' | 'block'; booking: Booking } | null>(null)
  const [byHand, setByHand] = useState<ByHand | null>(() => {
    const id = new URLSearchParams(location.search).get('move')
    const moved = bookings.find((each) => each.id === id && isOpen(each))
    return moved && setup.bookables.length > 0 ? { moved } : null
  })
  const line = useRef<HTMLDivElement>(null)

  /** Runs what a button does, and says that it was done, or that it was not. */
  async function run(action: Promise<IsDone>, done: string): Promise<void> {
    setWorking(true)
    const isDone = await action.catch(() => false)
    await reload()
    setWorking(false)
    setQuestion(null)
    setOutcome(
      isDone
        ? { done: isDone === 'overtaken' ? overtaken : done, problem: '' }
        : { done: '', problem: 'Not saved. Check your connection and try again.' },
    )
    // The button may be gone.
    line.current?.focus()
  }
  const act = (name: string, target: string, action: () => Promise<IsDone>, done: string): ReactNode => (
    <ActionButton
      label={`${name}: ${target}`}
      isWorking={isWorking}
      onPress={() => {
        if (!isWorking) void run(action(), `${done}: ${target}.`)
      }}
    >
      {name}
    </ActionButton>
  )
  const press = (name: string, booking: Booking, onClick: () => void): ReactNode => (
    <button
      className={button({ kind: 'other', size: 'small' })}
      type="button"
      aria-label={`${name}: ${nameOf(booking)}`}
      onClick={onClick}
    >
      {name}
    </button>
  )
  const block = (booking: Booking): ReactNode =>
    phoneNumber.safeParse(booking.phone_number).success && (
      <button
        className={textButton({ size: 'small', class: 'text-sm' })}
        type="button"
        aria-label={`Cancel all and block: ${nameOf(booking)}`}
        onClick={() => setQuestion({ kind: 'block', booking })}
      >
        Cancel all and block
      </button>
    )
  const forget = (booking: Booking): ReactNode =>
    booking.phone_number !== null && (
      <ForgetCaller
        id={booking.id}
        about={nameOf(booking)}
        onForgotten={(words) => void run(Promise.resolve(true), words)}
      />
    )
  const actionsOf = (booking: Booking): ReactNode =>
    booking.state === 'requested' ? (
      <>
        {act('Confirm', nameOf(booking), () => decideBooking(booking.id, true), 'Confirmed')}
        {setup.bookables.length > 0 && press('Propose another', booking, () => setByHand({ moved: booking }))}
        {act('Decline', nameOf(booking), () => decideBooking(booking.id, false), 'Declined')}
        {block(booking)}
        {forget(booking)}
      </>
    ) : (
      <>
        {setup.bookables.length > 0 && press('Move', booking, () => setByHand({ moved: booking }))}
        {press('Cancel', booking, () => setQuestion({ kind: 'cancel', booking }))}
        {block(booking)}
        {forget(booking)}
      </>
    )
  /** What is open of the same number. */
  const ofNumber = ({ phone_number }: Booking): Booking[] =>
    days.flatMap(([, ofDay]) => ofDay).filter((each) => each.phone_number === phone_number)

  return (
    <section className={frame}>
      <div className={gridRow}>
        <div className={cell({ span: 8, room: 'tall', class: stack })}>
          <h1 className="text-mid">Bookings</h1>
          <p className="text-lead text-ink-2">
            What callers have booked. What waits for you is in{' '}
            <a href={routes.portal} onClick={followInPage(routes.portal)}>
              your inbox
            </a>
            .
          </p>
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
      {byHand && (
        <Part id="by-hand" title="By hand" about={`Times are those of your business (${timeZone}).`}>
          <HandForm
            key={byHand.moved?.id ?? byHand.day}
            byHand={byHand}
            setup={setup}
            timeZone={timeZone}
            onDone={(done) => {
              setByHand(null)
              void run(Promise.resolve(true), done)
            }}
            onClose={() => {
              setByHand(null)
              line.current?.focus()
            }}
          />
        </Part>
      )}
      <BookingCalendar
        bookings={bookings}
        setup={setup}
        knowledge={knowledge}
        now={now}
        actionsOf={actionsOf}
        add={(day) => setByHand({ day })}
        list={
          <>
            {days.length === 0 && (
              <p className="text-ink-2">Nothing is booked. What your agent books for callers appears here.</p>
            )}
            {days.map(([day, ofDay]) => (
              <div key={day} className="grid gap-1.5">
                <h3 className="text-base font-semibold">{dayWords(day)}</h3>
                <Entries>
                  {ofDay.map((each) => (
                    <Entry key={each.id} actions={actionsOf(each)}>
                      <BookingFacts
                        booking={each}
                        when={whenOf(each, timeZone, day)}
                        hasState={each.state === 'requested'}
                      />
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
                    <Entry key={each.id} actions={forget(each)}>
                      <BookingFacts booking={each} when={whenOf(each, timeZone)} hasState />
                    </Entry>
                  ))}
                </Entries>
              </details>
            )}
          </>
        }
      />
      {question?.kind === 'cancel' && (
        <ConfirmDialog
          title="Cancel this booking?"
          action="Cancel booking"
          isBusy={isWorking}
          onCancel={() => setQuestion(null)}
          onConfirm={() =>
            void run(cancelBooking(question.booking.id), `Cancelled: ${nameOf(question.booking)}.`)
          }
        >
          <p>
            {nameOf(question.booking)}, {whenOf(question.booking, timeZone)}. The time is free again at once.
            {question.booking.email === null
              ? 'The caller learns of it from you.'
              : 'The caller gets an email about it.'}
          </p>
        </ConfirmDialog>
      )}
      {question?.kind === 'block' && (
        <ConfirmDialog
          title="Cancel all of this number and block it?"
          action="Cancel all and block"
          isBusy={isWorking}
          onCancel={() => setQuestion(null)}
          onConfirm={() =>
            void run(
              cancelAllAndBlock(question.booking.id),
              `Cancelled and blocked: ${question.booking.phone_number}.`,
            )
          }
        >
          <p>
            {ofNumber(question.booking).length === 1
              ? 'One booking or request'
              : `${ofNumber(question.booking).length} bookings and requests`}{' '}
            of {question.booking.phone_number} will be cancelled, and your agent answers this number no more.
            Your blocked callers are listed under Agent.
          </p>
        </ConfirmDialog>
      )}
    </section>
  )
}

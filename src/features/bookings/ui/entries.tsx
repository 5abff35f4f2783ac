import type { ReactNode } from 'react'
import { Reach } from '#agent/ui/Reach.tsx'
import { stateNames, type Booking } from '#bookings/domain/booking.ts'
import { nameOf } from '#bookings/domain/owners-bookings.ts'
import { buttonRow, stack } from '#platform/domain/app-variants.ts'
import { badge, cell, gridRow } from '#platform/domain/variants.ts'

const tones = { requested: 'off', booked: 'ok', declined: 'bad', cancelled: 'warn' } as const

interface PartProps {
  id: string
  title: string
  about: string
  children: ReactNode
}

/** A part of the tab: what it is at the left, its lists at the right. */
export const Part = ({ id, title, about, children }: PartProps) => (
  <section className={`${gridRow} border-t`} aria-labelledby={id}>
    <div className={cell({ class: stack })}>
      <h2 className="text-h4" id={id}>
        {title}
      </h2>
      <p className="mt-0 text-ink-2">{about}</p>
    </div>
    <div className={cell({ span: 8, class: 'grid content-start gap-6' })}>{children}</div>
  </section>
)

export const Entries = ({ children }: { children: ReactNode }) => (
  <ul className="*:border-b *:last:border-b-0">{children}</ul>
)

/** An entry of a list, and what can be done with it. */
export const Entry = ({ actions, children }: { actions?: ReactNode; children: ReactNode }) => (
  <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 py-3 first:pt-0 last:pb-0">
    <div className="grid min-w-0 flex-[1_1_15rem] gap-1 wrap-anywhere">{children}</div>
    {actions && <div className={buttonRow}>{actions}</div>}
  </li>
)

interface BookingFactsProps {
  booking: Booking
  when: string
  /** Whether it says what has become of it. */
  hasState?: boolean
}

/** When a booking is, what it is and whose. */
export function BookingFacts({ booking, when, hasState = false }: BookingFactsProps) {
  const { state, people, phone_number, email, code, origin, proposed_at, unchecked_since } = booking
  const name = state === 'requested' && proposed_at !== null ? 'You have proposed it' : stateNames[state]
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <b>{when}</b>
        {hasState && <span className={badge({ tone: tones[state] })}>{name}</span>}
      </p>
      <p>
        {nameOf(booking)}
        {people > 1 && `, ${people} people`}
      </p>
      {unchecked_since !== null && (
        <p className="text-sm">
          <span className={badge({ tone: 'warn' })}>Compare</span> Your calendar did not answer when this was
          booked, or has something else at that time.
        </p>
      )}
      <p className="flex flex-wrap items-center gap-x-5 text-sm text-ink-2">
        <Reach phone={phone_number} email={email} none={origin === 'owner' ? 'No number' : undefined} />
        <span>{origin === 'transcript' ? 'Read from what was said in the call' : `Code ${code}`}</span>
      </p>
    </>
  )
}

import { useEffect, useId, useRef, useState, type SubmitEvent } from 'react'
import { addBooking, findHandTimes, moveBooking, type Guest } from '#bookings/browser/by-hand.ts'
import type { Booking } from '#bookings/domain/booking.ts'
import { bookablesOf, type BookingSetup } from '#bookings/domain/booking-setup.ts'
import { localOf, nightsBetween } from '#bookings/domain/booking-words.ts'
import { handTimesRequest, type HandOutcome, type HandTimesAnswer } from '#bookings/domain/by-hand.ts'
import { nameOf, whenOf } from '#bookings/domain/owners-bookings.ts'
import { NumberInput } from '#bookings/ui/setup/NumberInput.tsx'
import {
  buttonRow,
  fieldGrid,
  fieldLegend,
  formGrid,
  inputBox,
  problemLine,
} from '#platform/domain/app-variants.ts'
import { emailProblem } from '#platform/domain/text/email.ts'
import { button } from '#platform/domain/variants.ts'
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx'
import { Field } from '#platform/ui/fields/Field.tsx'
import { SelectInput } from '#platform/ui/fields/SelectInput.tsx'
import { TextInput } from '#platform/ui/fields/TextInput.tsx'

/** What the form is for: a new booking on a day, or another time for one that is there. */
export type ByHand = { day: string; moved?: undefined } | { day?: undefined; moved: Booking }

interface Props {
  byHand: ByHand
  setup: BookingSetup
  timeZone: string
  /** Is told what was done, and for whom. */
  onDone: (done: string) => void
  onClose: () => void
}

type Times = HandTimesAnswer['times'] | 'loading' | 'failed'
type Problems = Partial<Record<'time' | 'name' | 'phone' | 'email' | 'all', string>>

const unsaved = 'Not saved. Check your connection and try again.'

/** Names what takes a time; an event of the owner's own calendar has no name here. */
const takerOf = (taker: HandOutcome['taken_by'][number]): string =>
  taker.name === null && taker.about === null ? 'something in your calendar' : nameOf(taker)

/** Books by hand, moves a booking, or proposes another time for a request. */
export function HandForm({ byHand: { day: first, moved }, setup, timeZone, onDone, onClose }: Props) {
  const id = useId()
  const bookables = bookablesOf(setup)
  const [what, setWhat] = useState(
    () => (bookables.find((each) => each.id === moved?.bookable) ?? bookables[0])?.id ?? '',
  )
  const [day, setDay] = useState(() => first ?? localOf(Date.parse(moved.starts_at), timeZone).slice(0, 10))
  const [people, setPeople] = useState(moved?.people ?? 1)
  const [typedNights, setNights] = useState(() =>
    moved?.ends_at
      ? Math.max(1, nightsBetween(Date.parse(moved.starts_at), Date.parse(moved.ends_at), timeZone))
      : 1,
  )
  const [wanted, setWanted] = useState('')
  const [guest, setGuest] = useState({ name: '', phone: '', email: '' })
  const [times, setTimes] = useState<Times>('loading')
  const [tries, setTries] = useState(0)
  const [offer, setOffer] = useState('')
  const [problems, setProblems] = useState<Problems>({})
  const [isSaving, setSaving] = useState(false)
  const [takenBy, setTakenBy] = useState<HandOutcome['taken_by']>([])
  const form = useRef<HTMLFormElement>(null)

  const bookable = bookables.find((each) => each.id === what)
  const isStay = bookable?.length === null
  const nights = isStay ? typedNights : 0
  const units = setup.resources
    .filter((each) => bookable?.resources.includes(each.id) && each.units.length > 1)
    .flatMap((each) => each.units.map(({ name }) => name))
  const action = !moved ? 'Book' : moved.state === 'requested' ? 'Propose' : 'Move'

  useEffect(() => {
    let isGone = false
    const asked = { bookable: what, day, people, nights, wanted: wanted || null, moved: moved?.id ?? null }
    // An unfinished number finds nothing.
    const found = handTimesRequest.safeParse(asked).success ? findHandTimes(asked) : Promise.resolve([])
    void found.then((answer) => {
      if (isGone) return
      setTimes(answer ?? 'failed')
      setOffer(isStay && answer?.length === 1 ? answer[0]!.offer : '')
    })
    return () => {
      isGone = true
    }
  }, [what, day, people, nights, wanted, moved?.id, isStay, tries])
  useEffect(() => form.current?.focus(), [])
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [problems])
  const ask = (change: () => void): void => {
    change()
    setTimes('loading')
  }

  /** Returns for whom it is, or undefined once the problems are shown. */
  async function readGuest(): Promise<Guest | undefined> {
    const name = guest.name.trim()
    const email = guest.email.trim()
    const { readNumber } = await import('#agent/domain/phone.ts')
    const region = new Intl.Locale(navigator.language).region
    const phone = guest.phone.trim() ? readNumber(guest.phone, region ? [region] : []) : null
    const wrong: Problems = {}
    if (!name) wrong.name = 'Write a name.'
    if (name.length > 100) wrong.name = 'At most 100 characters fit here.'
    if (phone === undefined) wrong.phone = 'Write the number with its country code, such as +46 8 123 45 67.'
    const wrongEmail = email && emailProblem(email)
    if (wrongEmail) wrong.email = wrongEmail
    setProblems(wrong)
    return Object.keys(wrong).length === 0 && phone !== undefined
      ? { name, phone, email: email || null }
      : undefined
  }

  async function save(overbooks: boolean): Promise<void> {
    if (isSaving) return
    if (!offer) return setProblems({ time: 'Choose a time.' })
    setSaving(true)
    await tryToSave(overbooks).catch(() => setProblems({ all: unsaved }))
    setSaving(false)
  }
  async function tryToSave(overbooks: boolean): Promise<void> {
    const whose = moved ? undefined : await readGuest()
    if (!moved && !whose) return
    const answer = whose
      ? await addBooking(offer, whose, overbooks)
      : await moveBooking(moved!.id, offer, overbooks)
    setTakenBy([])
    switch (answer?.outcome) {
      case 'booked':
        return onDone(whose ? `Booked: ${bookable?.service}, ${whose.name}.` : `Moved: ${nameOf(moved!)}.`)
      case 'requested':
        return onDone(`Proposed: ${nameOf(moved!)}. Press Confirm once the caller agrees.`)
      case 'taken':
        return setTakenBy(answer.taken_by)
      case 'over':
        setTimes('loading')
        setTries(tries + 1)
        return setProblems({ time: 'What can be booked has changed. Choose a time again.' })
      case 'gone':
        return setProblems({ all: 'This booking was cancelled or declined meanwhile.' })
      case 'ended':
        return setProblems({ all: 'Your subscription has ended: nothing new can be booked.' })
      default:
        return setProblems({ all: unsaved })
    }
  }

  return (
    <>
      <form
        noValidate
        ref={form}
        tabIndex={-1}
        aria-labelledby={`${id}-title`}
        className={formGrid}
        onSubmit={(event: SubmitEvent) => {
          event.preventDefault()
          void save(false)
        }}
      >
        <h3 className="text-h4" id={`${id}-title`}>
          {!moved
            ? 'Add a booking'
            : `${moved.state === 'requested' ? 'Propose another time' : 'Move'}: ${nameOf(moved)}`}
        </h3>
        {moved && <p className="text-ink-2">Now {whenOf(moved, timeZone)}.</p>}
        <SelectInput
          label="What"
          value={what}
          options={bookables.map((each) => [each.id, each.service] as const)}
          onChange={(chosen) =>
            ask(() => {
              setWhat(chosen)
              setWanted('')
            })
          }
        />
        <div className="grid grid-cols-[minmax(9.5rem,1fr)_minmax(0,8rem)] items-start gap-4">
          <Field id={`${id}-day`} label={isStay ? 'Arrival' : 'Day'}>
            <input
              className={inputBox()}
              id={`${id}-day`}
              type="date"
              value={day}
              onChange={({ target }) => target.value && ask(() => setDay(target.value))}
            />
          </Field>
          <NumberInput label="People" value={people} onChange={(count) => ask(() => setPeople(count))} />
          {units.length > 0 && (
            <SelectInput
              label="With or where"
              value={wanted}
              options={[['', 'Any'], ...units.map((name) => [name, name] as const)]}
              onChange={(name) => ask(() => setWanted(name))}
            />
          )}
          {isStay && (
            <NumberInput
              label="Nights"
              value={typedNights}
              onChange={(count) => ask(() => setNights(count))}
            />
          )}
        </div>
        <fieldset className={fieldGrid} aria-describedby={`${id}-times`}>
          <legend className={fieldLegend}>Time</legend>
          {Array.isArray(times) && (
            <div className="flex max-h-64 flex-wrap gap-x-5 overflow-y-auto">
              {times.map((each) => (
                <label className="inline-flex min-h-11 cursor-pointer items-center gap-2" key={each.offer}>
                  <input
                    className="m-0 size-5 accent-ink"
                    type="radio"
                    name={`${id}-time`}
                    checked={offer === each.offer}
                    aria-invalid={problems.time && each === times[0] ? true : undefined}
                    onChange={() => {
                      setOffer(each.offer)
                      setProblems({})
                    }}
                  />
                  {each.starts.slice(11)}
                  {each.isTaken && <span className="text-sm text-ink-2">taken</span>}
                </label>
              ))}
            </div>
          )}
          <p className="text-sm text-ink-2" id={`${id}-times`} role="status">
            {times === 'loading'
              ? 'Looking for times.'
              : Array.isArray(times) && times.length === 0
                ? 'There is no time on this day: it is over, you are closed, or nothing seats so many.'
                : ''}
          </p>
          {problems.time && (
            <p className={problemLine} role="alert">
              {problems.time}
            </p>
          )}
          {times === 'failed' && (
            <div className={buttonRow} role="alert">
              <p className={problemLine}>The times could not be read.</p>
              <button
                className={button({ kind: 'other', size: 'small' })}
                type="button"
                onClick={() => ask(() => setTries(tries + 1))}
              >
                Try again
              </button>
            </div>
          )}
        </fieldset>
        {!moved && (
          <>
            <TextInput
              label="Name"
              autoComplete="off"
              value={guest.name}
              problem={problems.name}
              onChange={(name) => setGuest({ ...guest, name })}
            />
            <TextInput
              label="Number (optional)"
              inputMode="tel"
              autoComplete="off"
              hint="The caller can move or cancel it from this number."
              value={guest.phone}
              problem={problems.phone}
              onChange={(phone) => setGuest({ ...guest, phone })}
            />
            <TextInput
              label="Email (optional)"
              inputMode="email"
              autoComplete="off"
              value={guest.email}
              problem={problems.email}
              onChange={(email) => setGuest({ ...guest, email })}
            />
          </>
        )}
        {problems.all && (
          <p className={problemLine} role="alert">
            {problems.all}
          </p>
        )}
        <div className={buttonRow}>
          <button className={button()} type="submit" aria-disabled={isSaving}>
            {action}
          </button>
          <button className={button({ kind: 'other' })} type="button" onClick={onClose}>
            Close
          </button>
        </div>
      </form>
      {takenBy.length > 0 && (
        <ConfirmDialog
          title="This time is taken"
          action={`${action} anyway`}
          isBusy={isSaving}
          onCancel={() => setTakenBy([])}
          onConfirm={() => void save(true)}
        >
          <p>
            This time is taken by{' '}
            {takenBy.map((each) => `${takerOf(each)} (${whenOf(each, timeZone)})`).join(' and ')}. Book it
            anyway?
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}

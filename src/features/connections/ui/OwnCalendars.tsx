import { useEffect, useId, useRef, useState, type SubmitEvent } from 'react'
import {
  changeCalendar,
  connectAddress,
  readCalendarsNow,
  removeAddress,
} from '#bookings/browser/own-calendars.ts'
import { calendarProblems, type OwnCalendar } from '#bookings/domain/own-calendar.ts'
import { endpointUrlProblem } from '#connections/domain/connections.ts'
import { formGrid, buttonRow, inputBox, problemLine } from '#platform/domain/app-variants.ts'
import { routes } from '#platform/domain/routes.ts'
import { momentLabel } from '#platform/domain/text/dates.ts'
import { button, textButton } from '#platform/domain/variants.ts'
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx'
import { Choice, Choices } from '#platform/ui/fields/Choice.tsx'
import { Field } from '#platform/ui/fields/Field.tsx'
import { SelectInput } from '#platform/ui/fields/SelectInput.tsx'
import { followInPage } from '#platform/ui/hooks/useTab.ts'
import { ConnectionList } from './ConnectionList.tsx'
import { notDone, useAction } from './useAction.ts'

const bookingsTab = `${routes.portal}/bookings`

interface Props {
  calendars: readonly OwnCalendar[]
  onChange: () => void
}

/** The calendars whose events keep a time from being booked, and a form for a private address. */
export function OwnCalendars({ calendars, onChange }: Props) {
  const id = useId()
  const { outcome, setOutcome, isBusy, run } = useAction(onChange)
  const [problem, setProblem] = useState<string>()
  const title = useRef<HTMLHeadingElement>(null)
  // One that was connected just now is asked at once.
  const unread = calendars
    .filter(({ read_at, failing_since }) => read_at === null && failing_since === null)
    .map(({ id }) => id)
    .join()
  useEffect(() => {
    if (unread) void readCalendarsNow().then(onChange)
    // It is asked once, however often it is shown.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [unread])

  const readNow = async (): Promise<string> => (await readCalendarsNow()) ?? 'Your calendars were asked.'

  async function connect(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    if (isBusy) return
    const form = event.currentTarget
    const fields = new FormData(form)
    const read = (name: string): string => String(fields.get(name) ?? '').trim()
    const url = read('address').replace(/^webcals?:/i, 'https:')
    const wrong = endpointUrlProblem(url)
    setProblem(wrong)
    if (wrong) return
    await run(async () => {
      const made = await connectAddress(url, read('name'))
      if (!made) {
        setProblem(made === null ? 'There are twenty already. Remove one first.' : notDone)
        return ''
      }
      form.reset()
      return 'Connected.'
    })
  }

  return (
    <div className={formGrid} role="group" aria-labelledby={`${id}-title`}>
      <div>
        <h3 className="text-h4" id={`${id}-title`} ref={title} tabIndex={-1}>
          Keep my own appointments free
        </h3>
        <p className="text-ink-2">
          Your agent offers no time at which one of these calendars is busy. It keeps when you are busy, and
          nothing else of your appointments. A calendar that you have connected by a login is read, too.
        </p>
      </div>
      {calendars.length > 0 && (
        <>
          <ConnectionList>
            {calendars.map((calendar) => (
              <Calendar
                key={calendar.id}
                calendar={calendar}
                change={async (changes) => {
                  const isSaved = await changeCalendar(calendar.id, changes).catch(() => false)
                  setOutcome(isSaved ? 'Saved.' : notDone)
                  return isSaved
                }}
                remove={() =>
                  void run(async () => {
                    if (!(await removeAddress(calendar.id))) return notDone
                    // The button goes.
                    title.current?.focus()
                    return 'Removed.'
                  })
                }
              />
            ))}
          </ConnectionList>
          <div className={buttonRow}>
            <button
              className={button({ kind: 'other', size: 'small' })}
              type="button"
              aria-disabled={isBusy}
              onClick={() => void run(readNow)}
            >
              {isBusy ? 'Reading...' : 'Read now'}
            </button>
            <a className="text-sm" href={bookingsTab} onClick={followInPage(bookingsTab)}>
              Say whose time each takes
            </a>
          </div>
        </>
      )}
      <p className="text-sm" role="status">
        {outcome}
      </p>
      <form className={formGrid} noValidate onSubmit={(event) => void connect(event)}>
        <Field
          id={`${id}-address`}
          label="Private address of a calendar"
          hint="In Google Calendar: Settings, your calendar, “Secret address in iCal format”. In Outlook: Settings, Shared calendars, Publish. In Airbnb: Availability, Connect calendars."
          problem={problem}
        >
          {(describedBy) => (
            <input
              className={inputBox()}
              id={`${id}-address`}
              name="address"
              type="url"
              autoComplete="off"
              aria-invalid={problem !== undefined}
              aria-describedby={describedBy}
              placeholder="https://"
            />
          )}
        </Field>
        <Field id={`${id}-name`} label="Its name here (optional)">
          <input className={inputBox()} id={`${id}-name`} name="name" autoComplete="off" maxLength={100} />
        </Field>
        <button className={button({ kind: 'other' })} type="submit" aria-disabled={isBusy}>
          Read this calendar
        </button>
      </form>
    </div>
  )
}

/** Says of when is what is known of a calendar, and whether it answers. */
function stateOf({ kind, read_at, failing_since, problem }: OwnCalendar): string {
  const known = read_at === null ? 'Not read yet.' : `Read on ${momentLabel(read_at)}.`
  if (failing_since !== null)
    return `${known} It could not be read since ${momentLabel(failing_since)}: ${calendarProblems[problem ?? 'unreachable']}.`
  return kind === 'ical' ? `${known} What is published there may be hours older.` : known
}

type Changes = Partial<Pick<OwnCalendar, 'if_silent' | 'accepts_delay'>>

interface CalendarProps {
  calendar: OwnCalendar
  /** Saves a choice. Returns whether it is saved. */
  change: (changes: Changes) => Promise<boolean>
  remove: () => void
}

/** A calendar, with what the agent does if it does not answer. */
function Calendar({ calendar, change, remove }: CalendarProps) {
  const [isRemoving, setRemoving] = useState(false)
  // A choice shows at once, while it is saved.
  const [chosen, setChosen] = useState<Changes>({})
  const { name, kind, if_silent, accepts_delay, failing_since } = { ...calendar, ...chosen }
  async function choose(changes: Changes): Promise<void> {
    setChosen({ ...chosen, ...changes })
    if (!(await change(changes))) setChosen(chosen)
  }
  return (
    <li>
      <p className="wrap-anywhere">
        <b>{name}</b>{' '}
        <span className="text-sm text-ink-2">
          {kind === 'ical' ? 'private address (iCal)' : 'by a login (CalDAV)'}
        </span>
      </p>
      <p className={failing_since === null ? 'text-sm text-ink-2' : problemLine}>{stateOf(calendar)}</p>
      <div className={`${formGrid} mt-1.5 w-full`} role="group" aria-label={name}>
        <SelectInput
          label="If it does not answer during a call"
          value={if_silent}
          options={[
            ['message', 'Take a message'],
            ['mark', 'Book, and mark the booking for me'],
          ]}
          onChange={(picked) => void choose({ if_silent: picked })}
        />
        {kind === 'ical' && (
          <Choices>
            <Choice
              type="checkbox"
              checked={accepts_delay}
              onChange={({ target }) => void choose({ accepts_delay: target.checked })}
              detail="Otherwise you confirm each booking: what you enter in your calendar can reach this address hours later."
            >
              Book at once all the same
            </Choice>
          </Choices>
        )}
        {kind === 'ical' && (
          <button
            className={textButton({ class: 'justify-self-start text-sm' })}
            type="button"
            onClick={() => setRemoving(true)}
          >
            Remove<span className="sr-only"> {name}</span>
          </button>
        )}
      </div>
      {isRemoving && (
        <ConfirmDialog
          title="Remove this calendar?"
          action="Remove"
          onCancel={() => setRemoving(false)}
          onConfirm={() => {
            setRemoving(false)
            remove()
          }}
        >
          <p>Its appointments no longer keep a time from being booked.</p>
        </ConfirmDialog>
      )}
    </li>
  )
}

import { useId, useRef } from 'react'
import type { OpenHours } from '#agent/domain/knowledge/knowledge.ts'
import { Section } from '#agent/ui/knowledge/FormSection.tsx'
import { setupLimits, type BookingSetup } from '#bookings/domain/booking-setup.ts'
import type { SetupProblems } from '#bookings/domain/setup-problems.ts'
import { newBookable, newResource } from '#bookings/domain/setup-templates.ts'
import { bookableLine, resourceLine } from '#bookings/domain/setup-words.ts'
import { inputBox } from '#platform/domain/app-variants.ts'
import { button } from '#platform/domain/variants.ts'
import { Choice, Choices } from '#platform/ui/fields/Choice.tsx'
import { Field } from '#platform/ui/fields/Field.tsx'
import { BookableFields } from './BookableFields.tsx'
import { Entry } from './Entry.tsx'
import { NumberInput } from './NumberInput.tsx'
import { ResourceFields } from './ResourceFields.tsx'

interface Props {
  setup: BookingSetup
  /** The opening hours of the business; null if they are not entered. */
  open: OpenHours | null
  /** The names of the agent's services. */
  services: readonly string[]
  problems: SetupProblems
  onChange: (setup: BookingSetup) => void
}

const newId = (): string => crypto.randomUUID()

/** What can be booked, what it takes, and what a caller may do. */
export function SetupFields({ setup, open, services, problems, onChange }: Props) {
  const id = useId()
  const addBookable = useRef<HTMLButtonElement>(null)
  const addResource = useRef<HTMLButtonElement>(null)
  const { resources, bookables } = setup
  const change = (changes: Partial<BookingSetup>): void => onChange({ ...setup, ...changes })
  const problemsOf = (list: 'bookables' | 'resources', index: number) => {
    const own = `${list}.${index}.`
    return {
      hasProblem: Object.keys(problems).some((path) => path.startsWith(own)),
      problemOf: (field: string) => problems[`${own}${field}`],
    }
  }
  const removeResource = (index: number): void => {
    const gone = resources[index]!.id
    change({
      resources: resources.toSpliced(index, 1),
      bookables: bookables.map((bookable) => ({
        ...bookable,
        resources: bookable.resources.filter((each) => each !== gone),
      })),
    })
    addResource.current?.focus()
  }
  const unused = services.filter((name) => bookables.every(({ service }) => service !== name))
  return (
    <>
      <Section title="What callers can book">
        <datalist id={`${id}-names`}>
          {unused.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <div>
          {bookables.map((bookable, index) => {
            const { hasProblem, problemOf } = problemsOf('bookables', index)
            return (
              <Entry
                key={bookable.id}
                name={bookable.service}
                unnamed="Without a name"
                line={bookableLine(bookable, resources)}
                hasProblem={hasProblem}
                onRemove={() => {
                  change({ bookables: bookables.toSpliced(index, 1) })
                  addBookable.current?.focus()
                }}
              >
                <BookableFields
                  bookable={bookable}
                  resources={resources}
                  open={open}
                  names={`${id}-names`}
                  problemOf={problemOf}
                  onChange={(changed) => change({ bookables: bookables.with(index, changed) })}
                />
              </Entry>
            )
          })}
        </div>
        <button
          className={button({ kind: 'other', class: 'justify-self-start' })}
          type="button"
          ref={addBookable}
          disabled={bookables.length >= setupLimits.bookables}
          onClick={() =>
            change({
              bookables: [
                ...bookables,
                newBookable(
                  '',
                  resources.slice(0, 1).map((each) => each.id),
                  newId,
                ),
              ],
            })
          }
        >
          Add something to book
        </button>
        {bookables.some(({ length }) => length === null) && (
          <div className="grid items-start gap-4 sm:grid-cols-2">
            {(
              [
                ['checkIn', 'Rooms are ready from'],
                ['checkOut', 'Guests leave by'],
              ] as const
            ).map(([field, label]) => (
              <Field key={field} id={`${id}-${field}`} label={label} problem={problems[field]}>
                {(describedBy) => (
                  <input
                    className={inputBox()}
                    id={`${id}-${field}`}
                    type="time"
                    value={setup[field]}
                    aria-describedby={describedBy}
                    aria-invalid={problems[field] ? true : undefined}
                    onChange={({ target }) => change({ [field]: target.value })}
                  />
                )}
              </Field>
            ))}
          </div>
        )}
      </Section>
      <Section title="People, tables and rooms">
        <p className="text-ink-2">Each of them has one booking at a time.</p>
        <div>
          {resources.map((resource, index) => {
            const { hasProblem, problemOf } = problemsOf('resources', index)
            return (
              <Entry
                key={resource.id}
                name={resource.name}
                unnamed="Without a kind"
                line={resourceLine(resource)}
                hasProblem={hasProblem}
                onRemove={() => removeResource(index)}
              >
                <ResourceFields
                  resource={resource}
                  problemOf={problemOf}
                  onChange={(changed) => change({ resources: resources.with(index, changed) })}
                />
              </Entry>
            )
          })}
        </div>
        <button
          className={button({ kind: 'other', class: 'justify-self-start' })}
          type="button"
          ref={addResource}
          disabled={resources.length >= setupLimits.resources}
          onClick={() => change({ resources: [...resources, newResource('', '', [1], newId)] })}
        >
          Add a kind
        </button>
      </Section>
      <Section title="Limits of a caller">
        <p className="text-ink-2">A caller is known by the number that rings.</p>
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <NumberInput
            label="Open bookings at a time"
            value={setup.mostOpen}
            problem={problems.mostOpen}
            onChange={(mostOpen) => change({ mostOpen })}
          />
          <NumberInput
            label="New bookings a day"
            value={setup.mostADay}
            problem={problems.mostADay}
            onChange={(mostADay) => change({ mostADay })}
          />
        </div>
        <Choices>
          <Choice
            type="checkbox"
            checked={setup.asksForEmail}
            onChange={({ target }) => change({ asksForEmail: target.checked })}
            detail="It spells the address back to the caller."
          >
            The agent asks for an email address
          </Choice>
        </Choices>
      </Section>
    </>
  )
}

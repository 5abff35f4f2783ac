import { useId } from 'react'
import type { OpenHours } from '#agent/domain/knowledge/knowledge.ts'
import type { Bookable, BookingSetup } from '#bookings/domain/booking-setup.ts'
import { noticesWith } from '#bookings/domain/setup-words.ts'
import { fieldGrid, fieldLegend, inputBox, problemLine } from '#platform/domain/app-variants.ts'
import { Choice, Choices } from '#platform/ui/fields/Choice.tsx'
import { Field } from '#platform/ui/fields/Field.tsx'
import { SelectInput } from '#platform/ui/fields/SelectInput.tsx'
import { onDemand } from '#platform/ui/onDemand.tsx'
import { NumberInput } from './NumberInput.tsx'

const WeekHours = onDemand(async () => (await import('#agent/ui/knowledge/HoursFields.tsx')).WeekHours)

interface Props {
  bookable: Bookable
  resources: BookingSetup['resources']
  /** The opening hours of the business; null if they are not entered. */
  open: OpenHours | null
  /** The id of a list of names to choose from. */
  names: string
  problemOf: (field: string) => string | undefined
  onChange: (bookable: Bookable) => void
}

/** Everything about one thing that callers can book. */
export function BookableFields({ bookable, resources, open, names, problemOf, onChange }: Props) {
  const id = useId()
  const { length } = bookable
  const change = (changes: Partial<Bookable>): void => onChange({ ...bookable, ...changes })
  const number = (field: 'step' | 'horizon' | 'mostPeople' | 'mostNights') => ({
    value: bookable[field],
    problem: problemOf(field),
    onChange: (value: number) => change({ [field]: value }),
  })
  const decision =
    bookable.decision === 'request' ? 'request' : bookable.mostADay === null ? 'at_once' : 'limited'
  return (
    <>
      <Field
        id={id}
        label="Name"
        problem={problemOf('service')}
        hint="As callers say it. With the name of a service of your agent, it also says the price."
      >
        {(describedBy) => (
          <input
            className={inputBox()}
            id={id}
            type="text"
            list={names}
            autoComplete="off"
            value={bookable.service}
            aria-describedby={describedBy}
            aria-invalid={problemOf('service') ? true : undefined}
            onChange={({ target }) => change({ service: target.value })}
          />
        )}
      </Field>
      <SelectInput
        label="Booked by"
        value={length ? 'time' : 'nights'}
        options={[
          ['time', 'Time of day'],
          ['nights', 'Nights'],
        ]}
        onChange={(by) => change({ length: by === 'nights' ? null : { minutes: 60, buffer: 0 } })}
      />
      {length ? (
        <div className="grid items-start gap-4 sm:grid-cols-3">
          <NumberInput
            label="Length in minutes"
            value={length.minutes}
            problem={problemOf('length.minutes')}
            onChange={(minutes) => change({ length: { ...length, minutes } })}
          />
          <NumberInput
            label="Minutes free after it"
            value={length.buffer}
            problem={problemOf('length.buffer')}
            onChange={(buffer) => change({ length: { ...length, buffer } })}
          />
          <NumberInput label="Starts every" hint="Minutes between the times." {...number('step')} />
        </div>
      ) : (
        <NumberInput label="Longest stay in nights" {...number('mostNights')} />
      )}
      {length && (open ?? bookable.hours) && (
        <>
          <SelectInput
            label="Hours"
            value={bookable.hours ? 'own' : 'open'}
            options={[
              ['open', 'Whenever you are open'],
              ['own', 'Only at some hours'],
            ]}
            onChange={(chosen) => change({ hours: chosen === 'own' ? open : null })}
          />
          {bookable.hours && (
            <fieldset className={fieldGrid}>
              <legend className={fieldLegend}>Hours in which it can be booked, if you are open</legend>
              <WeekHours hours={bookable.hours} onChange={(hours) => change({ hours })} />
            </fieldset>
          )}
        </>
      )}
      <SelectInput
        label="Who decides"
        value={decision}
        options={[
          ['at_once', 'The agent books'],
          ['limited', 'The agent books at most a number a day'],
          ['request', 'As a request, I confirm'],
        ]}
        onChange={(chosen) =>
          change({
            decision: chosen === 'request' ? 'request' : 'at_once',
            mostADay: chosen === 'limited' ? 5 : null,
          })
        }
      />
      {decision === 'limited' && (
        <NumberInput
          label="At most a day"
          hint="More than that are requests, and you confirm them."
          value={bookable.mostADay!}
          problem={problemOf('mostADay')}
          onChange={(mostADay) => change({ mostADay })}
        />
      )}
      <SelectInput
        label="Shortest notice"
        value={String(bookable.notice)}
        options={noticesWith(bookable.notice)}
        onChange={(minutes) => change({ notice: Number(minutes) })}
      />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <NumberInput label="Bookable days ahead" {...number('horizon')} />
        <NumberInput label="Largest party" {...number('mostPeople')} />
      </div>
      <fieldset
        className={fieldGrid}
        tabIndex={-1}
        aria-invalid={problemOf('resources') ? true : undefined}
        aria-describedby={problemOf('resources') && `${id}-needs`}
      >
        <legend className={fieldLegend}>What it needs, all at once</legend>
        {resources.length > 0 && (
          <Choices>
            {resources.map((resource) => (
              <Choice
                key={resource.id}
                type="checkbox"
                checked={bookable.resources.includes(resource.id)}
                onChange={({ target }) =>
                  change({
                    resources: target.checked
                      ? [...bookable.resources, resource.id]
                      : bookable.resources.filter((each) => each !== resource.id),
                  })
                }
              >
                {resource.name.trim() || 'Without a name'}
              </Choice>
            ))}
          </Choices>
        )}
        {problemOf('resources') && (
          <p className={problemLine} id={`${id}-needs`} role="alert">
            {resources.length > 0 ? problemOf('resources') : 'Add people, tables or rooms below first.'}
          </p>
        )}
      </fieldset>
    </>
  )
}

import { useRef } from 'react'
import { setupLimits, type Resource, type Unit } from '#bookings/domain/booking-setup.ts'
import { nextName } from '#bookings/domain/setup-words.ts'
import { fieldGrid, fieldLegend, problemLine } from '#platform/domain/app-variants.ts'
import { button, textButton } from '#platform/domain/variants.ts'
import { Choice, Choices } from '#platform/ui/fields/Choice.tsx'
import { TextInput } from '#platform/ui/fields/TextInput.tsx'
import { NumberInput } from './NumberInput.tsx'

interface Props {
  resource: Resource
  problemOf: (field: string) => string | undefined
  onChange: (resource: Resource) => void
}

/** Everything about one kind of person, table or room: each of them with its seats, and which are joined. */
export function ResourceFields({ resource, problemOf, onChange }: Props) {
  const { units, joins } = resource
  const add = useRef<HTMLButtonElement>(null)
  const addJoin = useRef<HTMLButtonElement>(null)
  const change = (changes: Partial<Resource>): void => onChange({ ...resource, ...changes })
  const changeUnit = (index: number, changes: Partial<Unit>): void =>
    change({ units: units.with(index, { ...units[index]!, ...changes }) })
  const removeUnit = (index: number): void => {
    const { id } = units[index]!
    const left = joins.map((ids) => ids.filter((each) => each !== id)).filter((ids) => ids.length > 1)
    change({ units: units.toSpliced(index, 1), joins: left })
    add.current?.focus()
  }
  const addUnit = (): void => {
    const last = units.at(-1)
    const name = last ? nextName(last.name) : `${resource.name} 1`.trim()
    change({ units: [...units, { id: crypto.randomUUID(), name, seats: last?.seats || 1 }] })
  }
  return (
    <>
      <TextInput
        label="Kind"
        placeholder="Practitioners"
        value={resource.name}
        problem={problemOf('name')}
        onChange={(name) => change({ name })}
      />
      {units.map((unit, index) => (
        <fieldset
          className="grid min-w-0 grid-cols-[minmax(0,1fr)_4.5rem_auto] items-start gap-3"
          key={unit.id}
        >
          <legend className="sr-only">{unit.name || `Number ${index + 1}`}</legend>
          <TextInput
            label="Name"
            value={unit.name}
            problem={problemOf(`units.${index}.name`)}
            onChange={(name) => changeUnit(index, { name })}
          />
          <NumberInput
            label="Seats"
            value={unit.seats}
            problem={problemOf(`units.${index}.seats`)}
            onChange={(seats) => changeUnit(index, { seats })}
          />
          <button
            className={textButton({ class: 'mt-7 text-sm' })}
            type="button"
            onClick={() => removeUnit(index)}
          >
            Remove<span className="sr-only"> {unit.name}</span>
          </button>
        </fieldset>
      ))}
      <button
        className={button({ kind: 'other', size: 'small', class: 'justify-self-start' })}
        type="button"
        ref={add}
        disabled={units.length >= setupLimits.units}
        onClick={addUnit}
      >
        Add one more
      </button>
      <Choices>
        <Choice
          type="checkbox"
          checked={resource.isShared}
          onChange={({ target }) => change({ isShared: target.checked })}
        >
          A group may take several
        </Choice>
      </Choices>
      {resource.isShared && (
        <NumberInput
          label="At most at once"
          hint="For a larger group your agent takes a message."
          value={resource.mostShared}
          problem={problemOf('mostShared')}
          onChange={(mostShared) => change({ mostShared })}
        />
      )}
      {joins.map((ids, index) => {
        const problem = problemOf(`joins.${index}`)
        return (
          <fieldset className={fieldGrid} key={index} tabIndex={-1} aria-invalid={problem ? true : undefined}>
            <legend className={fieldLegend}>
              {ids.map((id) => units.find((each) => each.id === id)?.name).join(' and ') || 'These'} may be
              joined
            </legend>
            <div className="flex flex-wrap gap-x-5">
              {units.map(({ id, name }) => (
                <label className="inline-flex min-h-11 cursor-pointer items-center gap-2" key={id}>
                  <input
                    className="m-0 size-5 accent-ink"
                    type="checkbox"
                    checked={ids.includes(id)}
                    onChange={({ target }) => {
                      const chosen = target.checked ? [...ids, id] : ids.filter((each) => each !== id)
                      change({ joins: joins.with(index, chosen) })
                    }}
                  />
                  {name}
                </label>
              ))}
            </div>
            {problem && (
              <p className={problemLine} role="alert">
                {problem}
              </p>
            )}
            <button
              className={textButton({ class: 'justify-self-start text-sm' })}
              type="button"
              onClick={() => {
                change({ joins: joins.toSpliced(index, 1) })
                addJoin.current?.focus()
              }}
            >
              Do not join these
            </button>
          </fieldset>
        )
      })}
      {units.length > 1 && (
        <button
          className={button({ kind: 'other', size: 'small', class: 'justify-self-start' })}
          type="button"
          ref={addJoin}
          disabled={joins.length >= setupLimits.joins}
          onClick={() => change({ joins: [...joins, []] })}
        >
          Say which may be joined
        </button>
      )}
    </>
  )
}

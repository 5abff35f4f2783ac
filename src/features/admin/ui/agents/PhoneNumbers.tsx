import { useState, type SubmitEvent } from 'react'
import {
  addPhoneNumbers,
  readPhoneNumbers,
  removePhoneNumber,
  type PhoneNumber,
} from '#admin/browser/agents.ts'
import type { readNumbers } from '#agent/domain/phone.ts'
import { FormField } from '#admin/ui/lists/FormField.tsx'
import type { Part } from '#admin/ui/lists/JumpLinks.tsx'
import { Moment } from '#admin/ui/lists/Moment.tsx'
import { RecordTable } from '#admin/ui/lists/RecordTable.tsx'
import { RowAction } from '#admin/ui/lists/RowAction.tsx'
import { badge, button } from '#platform/domain/variants.ts'
import { entryForm, recordCell, twoFields } from '#admin/ui/lists/variants.ts'
import { SelectInput } from '#platform/ui/fields/SelectInput.tsx'

const columns = ['Number', 'Where', 'Agent of', 'Rang last', 'Action'] as const

const places = { hand: 'By hand', provider: 'Vapi' } as const

interface Props {
  part: Part
  version: unknown
  onChange: () => void
}

/** The phone numbers that the company has, and a form to enter more. */
export const PhoneNumbers = ({ part, version, onChange }: Props) => (
  <>
    <RecordTable
      part={part}
      version={version}
      empty="No numbers yet. Enter those that you own; the voice provider’s are bought as they are needed."
      columns={columns}
      read={readPhoneNumbers}
      row={(number) => <NumberRow key={number.number} entry={number} onChange={onChange} />}
    />
    <AddNumbers onChange={onChange} />
  </>
)

const NumberRow = ({ entry, onChange }: { entry: PhoneNumber; onChange: () => void }) => {
  const { number, at_provider: isAtProvider, bought, account, email, last_ring_at: rang } = entry
  return (
    <tr>
      <td className={recordCell.moment}>
        <b>{number}</b>
      </td>
      <td className={recordCell.end}>
        {isAtProvider ? places.provider : places.hand}
        {bought && ', bought'}
      </td>
      <td className={recordCell.text}>
        {account === null ? (
          <span className={badge({ tone: 'ok' })}>free</span>
        ) : (
          (email ?? 'a deleted account')
        )}
      </td>
      <td className={recordCell.moment}>
        <span className="md:hidden">Rang last: </span>
        {rang === null ? <span className="text-ink-2">never</span> : <Moment iso={rang} />}
      </td>
      <td className={recordCell.action}>
        {account === null && !bought && (
          <RowAction
            name="Remove"
            busy="Removing..."
            done="Removed."
            target={number}
            action={() => removePhoneNumber(number)}
            onDone={onChange}
          />
        )}
      </td>
    </tr>
  )
}

type Entering =
  { status: 'editing' } | { status: 'saving' } | { status: 'saved'; added: number; known: number }

/** A form to enter numbers. `id` tells its field from that of another such form of the page. */
export function AddNumbers({ id = 'new-numbers', onChange }: { id?: string; onChange: () => void }) {
  const [entering, setEntering] = useState<Entering>({ status: 'editing' })
  const [text, setText] = useState('')
  const [place, setPlace] = useState<keyof typeof places>('hand')
  const [problem, setProblem] = useState<string>()

  async function submit(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    if (entering.status === 'saving') return
    const field = event.currentTarget.querySelector('textarea')
    setProblem(undefined)
    setEntering({ status: 'saving' })
    let read: ReturnType<typeof readNumbers>
    try {
      read = (await import('#agent/domain/phone.ts')).readNumbers(text)
    } catch {
      setEntering({ status: 'editing' })
      return setProblem('Check your connection, then try again.')
    }
    const { numbers, unreadable } = read
    const [first] = unreadable
    if (first !== undefined || numbers.length === 0) {
      setEntering({ status: 'editing' })
      setProblem(
        first === undefined
          ? 'Enter at least one number.'
          : `“${first}” is not a number with its country code, such as +1 202 555 0181.`,
      )
      return field?.focus()
    }
    const answer = await addPhoneNumbers(numbers, place === 'provider')
    if (!answer.ok) {
      setEntering({ status: 'editing' })
      return setProblem(answer.failure.message)
    }
    setText('')
    setEntering({ status: 'saved', added: answer.value, known: numbers.length - answer.value })
    onChange()
  }

  return (
    <form className={entryForm} noValidate onSubmit={(event) => void submit(event)}>
      <h3 className="text-h4">Enter numbers</h3>
      <div className={twoFields}>
        <FormField
          id={id}
          label="Numbers, one a line"
          rows={3}
          value={text}
          onChange={({ target }) => {
            setText(target.value)
            setProblem(undefined)
            setEntering({ status: 'editing' })
          }}
          problem={problem}
          isAlert
          hint="With the country code. Numbers that are on the list already stay as they are."
        />
        <SelectInput
          label="Where they are"
          value={place}
          options={Object.entries(places) as [keyof typeof places, string][]}
          onChange={setPlace}
          hint="New agents get free numbers at Vapi by themselves. Others you give by hand."
        />
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <button className={button()} type="submit" aria-disabled={entering.status === 'saving'}>
          {entering.status === 'saving' ? 'Saving...' : 'Enter numbers'}
        </button>
        <p className="text-sm font-semibold text-ok-text" role="status">
          {entering.status === 'saved' &&
            `${entering.added} added${entering.known > 0 ? `, ${entering.known} known already` : ''}`}
        </p>
      </div>
    </form>
  )
}

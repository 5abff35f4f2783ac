import { useState, type ReactElement } from 'react'
import { Field } from './Field.tsx'
import { textButton } from '#platform/domain/variants.ts'
import { inputBox } from '#platform/domain/app-variants.ts'

interface Props {
  id: string
  name: string
  label: string
  hint?: string
  autoComplete: 'current-password' | 'new-password'
  /** The problem with the password, in a sentence. */
  problem?: string
  /** False if the problem is announced elsewhere, such as by a toast. */
  announcesProblem?: boolean
  readOnly?: boolean
  onType?: (text: string) => void
}

/** An uncontrolled password field with a button that shows or hides the password. */
export function PasswordField(props: Props): ReactElement {
  const { id, name, label, autoComplete, problem, readOnly = false, onType, ...field } = props
  const [isShown, setShown] = useState(false)
  return (
    <Field id={id} label={label} problem={problem} hintAttributes={{ 'aria-live': 'polite' }} {...field}>
      {(describedBy) => (
        <div className="grid grid-cols-[1fr_auto]">
          <input
            className={inputBox({ class: 'col-span-full row-start-1 pr-22!' })}
            id={id}
            name={name}
            type={isShown ? 'text' : 'password'}
            autoComplete={autoComplete}
            autoCapitalize={isShown ? 'none' : undefined}
            autoCorrect="off"
            spellCheck={false}
            required
            readOnly={readOnly}
            onInput={({ currentTarget }) => onType?.(currentTarget.value)}
            aria-invalid={problem !== undefined}
            aria-describedby={describedBy}
          />
          <button
            className={textButton({ class: 'z-1 col-start-2 row-start-1 px-3.5 text-sm' })}
            type="button"
            aria-controls={id}
            onClick={() => setShown(!isShown)}
          >
            {isShown ? 'Hide' : 'Show'}
            <span className="sr-only"> {label.toLowerCase()}</span>
          </button>
        </div>
      )}
    </Field>
  )
}

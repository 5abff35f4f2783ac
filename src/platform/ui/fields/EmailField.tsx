import type { ReactElement } from 'react'
import { Field } from './Field.tsx'
import { inputBox } from '#platform/domain/app-variants.ts'

interface Props {
  id: string
  label: string
  hint?: string
  /** The problem with the e-mail, in a sentence. */
  problem?: string
  /** False if the problem is announced elsewhere, such as by a toast. */
  announcesProblem?: boolean
  defaultValue?: string
  readOnly?: boolean
  autoComplete?: 'email' | 'username'
}

/** An uncontrolled e-mail field: it keeps text that was typed before the script ran, or before a failure. */
export function EmailField(props: Props): ReactElement {
  const { id, problem, defaultValue, readOnly = false, autoComplete = 'email', ...field } = props
  return (
    <Field id={id} problem={problem} {...field}>
      {(describedBy) => (
        <input
          className={inputBox()}
          id={id}
          name="email"
          type="email"
          inputMode="email"
          autoComplete={autoComplete}
          spellCheck={false}
          placeholder="you@yourbusiness.com"
          maxLength={254}
          required
          defaultValue={defaultValue}
          readOnly={readOnly}
          aria-invalid={problem !== undefined}
          aria-describedby={describedBy}
        />
      )}
    </Field>
  )
}

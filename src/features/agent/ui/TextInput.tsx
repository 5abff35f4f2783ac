import { useId, type HTMLAttributes, type ReactNode } from 'react'
import { Field } from '#platform/ui/Field.tsx'

interface Props {
  label: ReactNode
  value: string
  onChange: (value: string) => void
  maxLength: number
  /** More than one makes a text area. */
  rows?: number
  hint?: ReactNode
  problem?: string | undefined
  placeholder?: string
  inputMode?: HTMLAttributes<HTMLInputElement>['inputMode']
  onBlur?: () => void
}

/** A labelled text field whose every change is reported. */
export function TextInput({ label, value, onChange, rows = 1, hint, problem, ...rest }: Props) {
  const id = useId()
  return (
    <Field id={id} label={label} hint={hint} problem={problem}>
      {(describedBy) => {
        const attributes = {
          className: 'input',
          id,
          value,
          'aria-describedby': describedBy,
          'aria-invalid': problem ? true : undefined,
          onChange: ({ target }: { target: { value: string } }) => onChange(target.value),
          ...rest,
        }
        return rows > 1 ? <textarea rows={rows} {...attributes} /> : <input type="text" {...attributes} />
      }}
    </Field>
  )
}

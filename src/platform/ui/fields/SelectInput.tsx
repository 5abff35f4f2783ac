import { useId, type ReactNode } from 'react'
import { Field } from './Field.tsx'
import { inputBox } from '#platform/domain/app-variants.ts'

interface Props<Value extends string> {
  label: ReactNode
  value: Value
  options: readonly (readonly [Value, string])[]
  onChange: (value: Value) => void
  hint?: ReactNode
  disabled?: boolean
}

/** A labelled choice of one of several values. */
export function SelectInput<Value extends string>({
  label,
  value,
  options,
  onChange,
  hint,
  disabled,
}: Props<Value>) {
  const id = useId()
  return (
    <Field id={id} label={label} hint={hint}>
      {(describedBy) => (
        <select
          className={inputBox({ kind: 'choice' })}
          id={id}
          value={value}
          disabled={disabled}
          aria-describedby={describedBy}
          onChange={({ target }) => onChange(target.value as Value)}
        >
          {options.map(([option, name]) => (
            <option key={option} value={option}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

import { useState, type ComponentProps, type FormEvent, type ReactNode } from 'react'
import { inputBox } from '#platform/domain/app-variants.ts'
import { lengthNote, textProblem } from '#platform/domain/text/typed-text.ts'
import { Field } from '#platform/ui/fields/Field.tsx'

type Control =
  ({ rows?: undefined } & ComponentProps<'input'>) | ({ rows: number } & ComponentProps<'textarea'>)
type Props = Control & {
  id: string
  label: string
  problem?: string | false | null
  /** Whether the problem is announced as soon as it appears. */
  isAlert?: boolean
  hint?: ReactNode
  /** How many characters can be saved. A longer text stays as it is, and the field says so; its form must not be sent. */
  longest?: number
}

/** An input (with `rows`, a textarea) with its label, the problem of its value, and a hint. */
export function FormField(props: Props) {
  const { id, label, problem: found, isAlert = false, hint, longest = Infinity, ...control } = props
  const [typed, setTyped] = useState(String(control.defaultValue ?? ''))
  const text = control.value === undefined ? typed : String(control.value)
  const tooLong = textProblem(text, longest)
  const problem = tooLong ?? (found || undefined)
  return (
    <Field
      id={id}
      label={label}
      problem={problem}
      announcesProblem={isAlert || tooLong !== undefined}
      hint={lengthNote(text, longest) ?? hint}
    >
      {(describedBy) => {
        const common = {
          id,
          'aria-invalid': problem !== undefined,
          'aria-describedby': describedBy,
          onInput: ({ currentTarget }: FormEvent<HTMLInputElement | HTMLTextAreaElement>) =>
            setTyped(currentTarget.value),
        }
        return control.rows === undefined ? (
          <input
            className={inputBox({ kind: control.type === 'file' ? 'file' : 'line' })}
            {...common}
            {...control}
          />
        ) : (
          <textarea className={inputBox({ kind: 'short' })} {...common} {...control} />
        )
      }}
    </Field>
  )
}

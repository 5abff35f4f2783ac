import { useState, type ComponentProps, type FormEvent, type ReactNode } from 'react'
import { lengthNote, textProblem } from '#platform/domain/text/typed-text.ts'
import { problemLine } from '#platform/domain/app-variants.ts'

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
  const { id, label, problem: found, isAlert, hint: usual, longest = Infinity, ...control } = props
  const [typed, setTyped] = useState(String(control.defaultValue ?? ''))
  const text = control.value === undefined ? typed : String(control.value)
  const tooLong = textProblem(text, longest)
  const problem = tooLong ?? found
  const hint = lengthNote(text, longest) ?? usual
  const described = [problem && `${id}-problem`, hint && `${id}-hint`].filter(Boolean).join(' ')
  const common = {
    id,
    className: 'input',
    'aria-invalid': Boolean(problem),
    'aria-describedby': described || undefined,
    onInput: ({ currentTarget }: FormEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      setTyped(currentTarget.value),
  }
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {control.rows === undefined ? (
        <input {...common} {...control} />
      ) : (
        <textarea {...common} {...control} />
      )}
      {problem && (
        <p className={problemLine} id={`${id}-problem`} role={isAlert || tooLong ? 'alert' : undefined}>
          {problem}
        </p>
      )}
      {hint && (
        <p className="text-sm text-ink-2" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}

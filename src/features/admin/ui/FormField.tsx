import type { ComponentProps, ReactNode } from 'react'

type Control =
  ({ rows?: undefined } & ComponentProps<'input'>) | ({ rows: number } & ComponentProps<'textarea'>)
type Props = Control & {
  id: string
  label: string
  problem?: string | false | null | undefined
  /** Whether the problem is announced as soon as it appears. */
  isAlert?: boolean
  hint?: ReactNode
}

/** An input (with `rows`, a textarea) with its label, the problem of its value, and a hint. */
export function FormField({ id, label, problem, isAlert, hint, ...control }: Props) {
  const described = [problem && `${id}-problem`, hint && `${id}-hint`].filter(Boolean).join(' ')
  const common = {
    id,
    className: 'input',
    'aria-invalid': Boolean(problem),
    'aria-describedby': described || undefined,
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
        <p className="err" id={`${id}-problem`} role={isAlert ? 'alert' : undefined}>
          {problem}
        </p>
      )}
      {hint && (
        <p className="sm dim" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}

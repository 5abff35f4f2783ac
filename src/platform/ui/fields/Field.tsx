import type { HTMLAttributes, ReactElement, ReactNode } from 'react'
import { fieldGrid, fieldLabel, problemLine } from '#platform/domain/app-variants.ts'

interface Props {
  /** The control's id. The problem has the id `<id>-problem`, the hint `<id>-hint`. */
  id: string
  label: ReactNode
  /** The control, or a function that makes it with the ids for its `aria-describedby`. */
  children: ReactNode | ((describedBy: string | undefined) => ReactNode)
  /** The problem with the value, in a sentence. */
  problem?: string
  /** False if the problem is announced elsewhere, such as by a toast. */
  announcesProblem?: boolean
  hint?: ReactNode
  /** Further attributes of the hint, for one that changes, such as `role: 'status'`. */
  hintAttributes?: HTMLAttributes<HTMLParagraphElement>
  /** Follows the hint. */
  footer?: ReactNode
}

/** A form control with its label, the problem with its value, and its hint. */
export function Field(props: Props): ReactElement {
  const { id, label, children, problem, announcesProblem = true, hint, hintAttributes, footer } = props
  const describedBy = [problem && `${id}-problem`, hint && `${id}-hint`].filter(Boolean).join(' ')
  return (
    <div className={fieldGrid}>
      <label className={fieldLabel} htmlFor={id}>
        {label}
      </label>
      {typeof children === 'function' ? children(describedBy || undefined) : children}
      {problem && (
        <p className={problemLine} id={`${id}-problem`} role={announcesProblem ? 'alert' : undefined}>
          {problem}
        </p>
      )}
      {hint && (
        <p className="text-sm text-ink-2" id={`${id}-hint`} {...hintAttributes}>
          {hint}
        </p>
      )}
      {footer}
    </div>
  )
}

import { useState, type ReactNode } from 'react'
import { badge, textButton } from '#platform/domain/variants.ts'

interface Props {
  name: string
  /** What stands in the place of a name that is not written yet. */
  unnamed: string
  /** Says in a line what is set. */
  line: string
  hasProblem: boolean
  onRemove: () => void
  children: ReactNode
}

/** An entry folded to a line that opens on a press. A new one is open. */
export function Entry({ name, unnamed, line, hasProblem, onRemove, children }: Props) {
  const [isNew] = useState(name === '')
  const shown = name.trim() || unnamed
  return (
    <details className="min-w-0 border-b" open={isNew}>
      <summary className="min-h-target cursor-pointer py-3 wrap-anywhere">
        <b className="text-h4">{shown}</b>{' '}
        {hasProblem && <span className={badge({ tone: 'bad' })}>Correct this</span>}
        <span className="block text-sm text-ink-2">{line}</span>
      </summary>
      <div className="grid gap-4 pt-2 pb-4" role="group" aria-label={shown}>
        {children}
        <button
          className={textButton({ class: 'justify-self-start text-sm' })}
          type="button"
          onClick={onRemove}
        >
          Remove {shown}
        </button>
      </div>
    </details>
  )
}

import { useState } from 'react'
import type { Failure } from '#platform/domain/failures.ts'
import type { Result } from '#platform/domain/result.ts'
import { button } from '#platform/domain/variants.ts'
import { Problem } from '#platform/ui/Problem.tsx'

interface Props {
  name: string
  busy: string
  done: string
  /** What the action is done to, for screen readers. */
  target: string
  action: () => Promise<Result<unknown, Failure>>
  onDone: () => void
}

/** A button at the end of a record's row, with the result of its action. */
export function RowAction({ name, busy, done, target, action, onDone }: Props) {
  const [state, setState] = useState<'ready' | 'busy' | 'done' | { problem: string }>('ready')
  const run = async (): Promise<void> => {
    if (state === 'busy') return
    setState('busy')
    const answer = await action()
    setState(answer.ok ? 'done' : { problem: answer.failure.message })
    onDone()
  }
  return (
    <>
      <button
        className={button({ kind: 'other', size: 'small' })}
        type="button"
        aria-disabled={state === 'busy'}
        aria-label={`${name} ${target}`}
        onClick={() => void run()}
      >
        {state === 'busy' ? busy : name}
      </button>
      {state === 'done' && (
        <p className="text-sm" role="status">
          {done}
        </p>
      )}
      <Problem>{typeof state === 'object' && state.problem}</Problem>
    </>
  )
}

import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { forgetCaller, readTraces } from '#calls/browser/callers-data.ts'
import { tracesLines, type CallerTraces } from '#calls/domain/caller-traces.ts'
import { problemLine } from '#platform/domain/app-variants.ts'
import { textButton } from '#platform/domain/variants.ts'
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx'
import { Choice } from '#platform/ui/fields/Choice.tsx'

interface Props {
  /** The id of a call, a message or a booking of the caller. */
  id: string
  /** Names what is shown, for who hears the button. */
  about: string
  /** @param words what was deleted, in a sentence, for a page that shows the row no more */
  onForgotten: (words: string) => void
}

type State =
  | { status: 'idle' | 'working' | 'failed' }
  | { status: 'asking' | 'forgetting' | 'forgotten'; traces: CallerTraces }

/** Removes what there is of a caller, after a question that lists it. */
export function ForgetCaller({ id, about, onForgotten }: Props) {
  const [state, setState] = useState<State>({ status: 'idle' })
  const [unblocks, setUnblocks] = useState(false)
  const line = useRef<HTMLParagraphElement>(null)

  async function ask(): Promise<void> {
    if (state.status === 'working') return
    setState({ status: 'working' })
    const traces = await readTraces(id)
    if (!traces) return setState({ status: 'failed' })
    const isNothing = tracesLines(traces).length === 0
    setState({ status: isNothing ? 'forgotten' : 'asking', traces })
  }
  async function forget(asked: CallerTraces): Promise<void> {
    setState({ status: 'forgetting', traces: asked })
    const traces = await forgetCaller(id, unblocks)
    // The dialog gives the focus back to the button, which is gone then.
    flushSync(() => setState(traces ? { status: 'forgotten', traces } : { status: 'failed' }))
    line.current?.focus({ preventScroll: true })
    if (traces) onForgotten(forgottenWords(traces))
  }

  return (
    <>
      {state.status !== 'forgotten' && (
        <button
          className={textButton({ size: 'small', class: 'justify-self-start text-sm' })}
          type="button"
          aria-label={`Forget this caller: ${about}`}
          aria-disabled={state.status === 'working'}
          onClick={() => void ask()}
        >
          Forget this caller
        </button>
      )}
      <p
        className={state.status === 'failed' ? problemLine : 'text-sm text-ink-2 empty:hidden'}
        role={state.status === 'failed' ? 'alert' : 'status'}
        tabIndex={-1}
        ref={line}
      >
        {state.status === 'failed' && 'That did not work. Check your connection, then try again.'}
        {state.status === 'forgotten' && forgottenWords(state.traces)}
      </p>
      {(state.status === 'asking' || state.status === 'forgetting') && (
        <ConfirmDialog
          title="Forget this caller?"
          action="Forget"
          isBusy={state.status === 'forgetting'}
          onCancel={() => setState({ status: 'idle' })}
          onConfirm={() => void forget(state.traces)}
        >
          <Question traces={state.traces} unblocks={unblocks} onUnblocks={setUnblocks} />
        </ConfirmDialog>
      )}
    </>
  )
}

interface QuestionProps {
  traces: CallerTraces
  unblocks: boolean
  onUnblocks: (unblocks: boolean) => void
}

function Question({ traces, unblocks, onUnblocks }: QuestionProps) {
  const { numbers, open_bookings: open, is_blocked: isBlocked, is_calling: isCalling } = traces
  return (
    <div className="grid gap-3">
      <p>
        This is deleted, here and at our voice provider
        {numbers.length > 0 && `, all of ${numbers.join(' and ')}`}:
      </p>
      <ul className="list-disc pl-5">
        {tracesLines(traces).map((each) => (
          <li key={each}>{each}</li>
        ))}
      </ul>
      {open > 0 && <p>Bookings to come are cancelled. Nobody is told.</p>}
      {isCalling && (
        <p>A call of this caller runs, or has just ended. It stays: forget the caller again afterwards.</p>
      )}
      <p>
        Time, length and minutes of calls stay for your bill. What your own calendar and systems have got
        stays there. It cannot be undone.
      </p>
      {isBlocked && (
        <Choice type="checkbox" checked={unblocks} onChange={({ target }) => onUnblocks(target.checked)}>
          <span className="text-sm">
            Let the number through again. Otherwise it stays among your blocked callers.
          </span>
        </Choice>
      )}
    </div>
  )
}

function forgottenWords(traces: CallerTraces): string {
  const lines = tracesLines(traces)
  return lines.length === 0
    ? 'Nothing is left of this caller.'
    : `Deleted: ${lines.join('; ')}. Our voice provider follows within minutes.`
}

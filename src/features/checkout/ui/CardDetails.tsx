import type { ReactElement } from 'react'
import { fieldGrid, fieldLegend, problemLine } from '#platform/domain/app-variants.ts'
import { textButton } from '#platform/domain/variants.ts'

interface Props {
  id: string
  state: 'loading' | 'ready' | 'unavailable'
  onRetry: () => void
  /** The problem with the card, in a sentence. A toast announces it, or the field that gets the focus. */
  problem?: string
}

/** The frame around the provider's card field, which is mounted in the element with this id. */
export function CardDetails({ id, state, onRetry, problem }: Props): ReactElement {
  return (
    <fieldset
      className={fieldGrid}
      aria-busy={state === 'loading'}
      aria-describedby={problem && `${id}-problem`}
    >
      <legend className={fieldLegend}>Card details</legend>
      {/* The provider's frame has the height of one line, and is centred in a field as high as the others. */}
      <div className="group relative" data-invalid={problem && ''}>
        <div
          className="h-target rounded-strip border border-edge bg-panel p-3.5 outline-signal-text group-data-invalid:border-2 group-data-invalid:border-bad group-data-invalid:p-[13px] data-focused:outline-3"
          id={id}
        />
        {state === 'loading' && (
          <p
            className="absolute inset-px rounded-strip bg-panel px-3.5 py-[11px] text-ink-2"
            role="status"
            data-wait
          >
            Loading the secure card field…
          </p>
        )}
      </div>
      {problem && (
        <p className={problemLine} id={`${id}-problem`}>
          {problem}
        </p>
      )}
      {state === 'unavailable' && (
        <div role="alert">
          <p className={problemLine}>The card field did not load. Check your connection, then try again.</p>
          <button className={textButton({ class: 'text-sm' })} type="button" onClick={onRetry}>
            Try again
          </button>
        </div>
      )}
      <p className="text-sm text-ink-2">
        Stripe, our payment provider, processes your card. We never see its number.
      </p>
    </fieldset>
  )
}

import type { ReactElement } from 'react'
import { problemLine } from '#platform/domain/app-variants.ts'
import { textButton } from '#platform/domain/variants.ts'

interface Props {
  id: string
  state: 'loading' | 'ready' | 'unavailable'
  onRetry: () => void
  /** The problem with the card, in a sentence. A toast announces it. */
  problem?: string
}

/** The frame around the provider's card field, which is mounted in the element with this id. */
export function CardDetails({ id, state, onRetry, problem }: Props): ReactElement {
  return (
    <fieldset className="field" aria-busy={state === 'loading'} aria-describedby={problem && `${id}-problem`}>
      <legend>Card details</legend>
      <div className="cardfield" data-invalid={problem && ''}>
        <div className="input" id={id} />
        {state === 'loading' && (
          <p className="wait text-ink-2" role="status" data-wait>
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
      <p className="text-sm text-ink-2">Your card goes to our payment provider. We never see it.</p>
    </fieldset>
  )
}

import type { ReactElement } from 'react'
import type { CardFieldState } from '#checkout/domain/checkout.ts'

interface Props {
  id: string
  state: CardFieldState
  onRetry: () => void
}

/** The frame around the provider's card field, which is mounted in the element with this id. */
export function CardDetails({ id, state, onRetry }: Props): ReactElement {
  return (
    <fieldset className="field" aria-busy={state === 'loading'}>
      <legend>Card details</legend>
      <div className="cardfield">
        <div className="input" id={id} />
        {state === 'loading' && (
          <p className="dim wait" role="status" data-wait>
            Loading the secure card field…
          </p>
        )}
      </div>
      {state === 'unavailable' && (
        <div role="alert">
          <p className="err">The card field did not load. Check your connection, then try again.</p>
          <button className="text sm" type="button" onClick={onRetry}>
            Try again
          </button>
        </div>
      )}
      <p className="sm dim">Your card goes to our payment provider. We never see it.</p>
    </fieldset>
  )
}

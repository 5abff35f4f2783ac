import { useEffect, useState } from 'react'
import { readConnections, type Connections as State } from '#connections/browser/connections.ts'
import { routes } from '#platform/domain/routes.ts'
import { Calendars } from './Calendars.tsx'
import { Keys } from './Keys.tsx'
import { Webhooks } from './Webhooks.tsx'
import { problemLine, stack } from '#platform/domain/app-variants.ts'
import { button, cell, frame, gridRow } from '#platform/domain/variants.ts'

/** Returns the calendars, or else the webhooks, and the messages to them. */
function of({ endpoints, deliveries }: State, isCalendar: boolean): Pick<State, 'endpoints' | 'deliveries'> {
  const some = endpoints.filter(({ username }) => (username !== null) === isCalendar)
  const ids = new Set(some.map(({ id }) => id))
  return { endpoints: some, deliveries: deliveries.filter(({ endpoint_id }) => ids.has(endpoint_id)) }
}

/** The customer's calendars, API keys and webhooks. */
export function Connections() {
  const [state, setState] = useState<State | 'failed' | null>(null)
  const [reads, setReads] = useState(0)
  useEffect(() => {
    let isCurrent = true
    const show = (read: State | undefined): void => {
      // What was read before stays if it cannot be read again.
      if (isCurrent) setState((known) => read ?? (known && known !== 'failed' ? known : 'failed'))
    }
    readConnections().then(show, () => show(undefined))
    return () => {
      isCurrent = false
    }
  }, [reads])
  const refresh = (): void => setReads((before) => before + 1)

  return (
    <section className={`${frame} border-t`} aria-labelledby="connections">
      <div className={gridRow}>
        <div className={cell({ span: 8, room: 'tall', class: stack })}>
          <h2 className="text-h4" id="connections">
            Integrations
          </h2>
          <p className="text-ink-2">
            Your bookings in your calendar, and your calls in the systems that you use. How to connect
            Salesforce, HubSpot, Google Calendar, Twilio and Opera PMS:{' '}
            <a href={routes.integrations}>step by step</a>
          </p>
        </div>
      </div>
      {state && state !== 'failed' ? (
        <>
          <Keys kind="calendar" keys={state.keys} onChange={refresh} />
          <Calendars {...of(state, true)} onChange={refresh} />
          <Webhooks {...of(state, false)} onChange={refresh} />
          <Keys kind="api" keys={state.keys} onChange={refresh} />
        </>
      ) : (
        <div className={`${gridRow} border-t`}>
          {state === 'failed' ? (
            <div className={cell({ room: 'tall', class: stack })} role="alert">
              <p className={problemLine}>Your integrations did not load. Check your connection.</p>
              <button className={button({ kind: 'other' })} type="button" onClick={refresh}>
                Try again
              </button>
            </div>
          ) : (
            <p className={cell({ room: 'tall', class: 'text-ink-2' })} role="status">
              Loading your integrations...
            </p>
          )}
        </div>
      )}
    </section>
  )
}

import { useEffect, useState } from 'react'
import { readConnections, type Connections as State } from '#connections/browser/connections.ts'
import { routes } from '#platform/domain/routes.ts'
import { Calendars } from './Calendars.tsx'
import { Keys } from './Keys.tsx'
import { OwnCalendars } from './OwnCalendars.tsx'
import { Webhooks } from './Webhooks.tsx'
import { endpointKind, type KeyKind } from '#connections/domain/connections.ts'
import { Folded } from '#platform/ui/Folded.tsx'
import { Waiting } from '#platform/ui/Waiting.tsx'
import { stack } from '#platform/domain/app-variants.ts'
import { button, cell, frame, gridRow } from '#platform/domain/variants.ts'

/** Returns the calendars, or else the webhooks, and the messages to them. */
function of({ endpoints, deliveries }: State, isCalendar: boolean): Pick<State, 'endpoints' | 'deliveries'> {
  const some = endpoints.filter((endpoint) => (endpointKind(endpoint) !== 'webhook') === isCalendar)
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

  if (!state || state === 'failed') return <Waiting failed={state === 'failed'} onRetry={refresh} />
  const [calendars, webhooks] = [of(state, true), of(state, false)]
  const keysOf = (kind: KeyKind) => state.keys.filter((key) => key.kind === kind)
  const [addresses, apiKeys] = [keysOf('calendar'), keysOf('api')]
  const read = state.calendars.filter(({ kind }) => kind === 'ical')
  const connected = addresses.length + calendars.endpoints.length + read.length
  return (
    <section>
      <div className={`${frame} ${gridRow}`}>
        <div className="min-w-0 md:col-span-8">
          <div className={cell({ room: 'tall', class: stack })}>
            <h1 className="text-mid">Connections</h1>
            <p className="text-lead text-ink-2">
              Your calendar, and the systems in which you use your calls and bookings.
            </p>
          </div>
          <Folded
            title="My calendar"
            summary={counted(connected, 'calendar') ?? 'Google Calendar, Outlook, Apple Calendar and others'}
            state={connected > 0 ? 'on' : 'off'}
          >
            <div className="grid gap-12">
              <Keys kind="calendar" keys={addresses} onChange={refresh} />
              <Calendars {...calendars} calendars={state.calendars} onChange={refresh} />
              <OwnCalendars calendars={state.calendars} onChange={refresh} />
            </div>
          </Folded>
          <Folded
            title="My customer system"
            summary={
              counted(webhooks.endpoints.length, 'address') ??
              'Tell Salesforce, HubSpot or another system of each call and booking (webhooks)'
            }
            state={webhooks.endpoints.length > 0 ? 'on' : 'off'}
          >
            <Webhooks {...webhooks} onChange={refresh} />
          </Folded>
          <Folded
            title="My own program"
            summary={
              counted(apiKeys.length, 'key') ?? 'Lets a program of yours read calls and bookings (API keys)'
            }
            state={apiKeys.length > 0 ? 'on' : 'off'}
          >
            <Keys kind="api" keys={apiKeys} onChange={refresh} />
          </Folded>
        </div>
        <div className={cell({ room: 'tall', class: stack })}>
          <h2 className="text-label text-ink-2 uppercase">Step by step</h2>
          <p className="text-ink-2">
            How to connect Salesforce, HubSpot, Google Calendar, Twilio and Opera PMS.
          </p>
          <a className={button({ kind: 'other' })} href={routes.integrations}>
            Read the guides
          </a>
        </div>
      </div>
    </section>
  )
}

/** Says how many are connected; undefined if none is. */
const counted = (count: number, noun: string): string | undefined =>
  count === 0 ? undefined : `${count} ${noun}${count === 1 ? '' : noun.endsWith('s') ? 'es' : 's'}`

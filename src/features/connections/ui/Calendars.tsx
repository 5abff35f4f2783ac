import { useStore } from '@nanostores/react'
import { useId, useRef, useState } from 'react'
import { $session } from '#account/browser/session-store.ts'
import type { Connections } from '#connections/browser/connections.ts'
import { endpointKind } from '#connections/domain/connections.ts'
import { fieldGrid, fieldLegend, formGrid } from '#platform/domain/app-variants.ts'
import { Choice, Choices } from '#platform/ui/fields/Choice.tsx'
import { CalendarLogin } from './CalendarLogin.tsx'
import { ConnectionList } from './ConnectionList.tsx'
import { Endpoint } from './Endpoint.tsx'
import { Invitations } from './Invitations.tsx'
import { Latest } from './Latest.tsx'

type Props = Pick<Connections, 'endpoints' | 'deliveries' | 'calendars'> & { onChange: () => void }

/** Where bookings are written: the calendars of logins, and invitations to the account's own address. */
export function Calendars({ endpoints, deliveries, calendars, onChange }: Props) {
  const id = useId()
  const session = useStore($session)
  const [isByLogin, setByLogin] = useState(false)
  const title = useRef<HTMLHeadingElement>(null)
  const focusTitle = (): void => title.current?.focus()
  const connected = (): void => {
    // The button goes.
    focusTitle()
    onChange()
  }
  const invites = endpoints.some((endpoint) => endpointKind(endpoint) === 'invitations')

  return (
    <div className={formGrid} role="group" aria-labelledby={`${id}-title`}>
      <div>
        <h3 className="text-h4" id={`${id}-title`} ref={title} tabIndex={-1}>
          Write bookings into my calendar
        </h3>
        <p className="text-ink-2">
          Each booking is entered within a minute, moved if it moves, and removed if it is cancelled.
        </p>
      </div>
      {endpoints.length === 0 && <p className="text-ink-2">No calendar yet.</p>}
      {endpoints.length > 0 && (
        <ConnectionList>
          {endpoints.map((endpoint) => (
            <Endpoint
              key={endpoint.id}
              endpoint={endpoint}
              name={calendars.find(({ endpoint_id }) => endpoint_id === endpoint.id)?.name}
              onChange={onChange}
              onGone={focusTitle}
            />
          ))}
        </ConnectionList>
      )}
      {!invites && (
        <fieldset className={fieldGrid}>
          <legend className={fieldLegend}>How it gets there</legend>
          <Choices>
            <Choice
              type="radio"
              name={`${id}-way`}
              checked={!isByLogin}
              onChange={() => setByLogin(false)}
              detail="Google Calendar, Outlook and others enter what comes by email."
            >
              By invitation to {session.status === 'signedIn' ? session.user.email : 'my address'}
            </Choice>
            <Choice
              type="radio"
              name={`${id}-way`}
              checked={isByLogin}
              onChange={() => setByLogin(true)}
              detail="iCloud, Fastmail, Nextcloud and others (CalDAV)."
            >
              By a login
            </Choice>
          </Choices>
        </fieldset>
      )}
      {invites || isByLogin ? <CalendarLogin onChange={connected} /> : <Invitations onChange={connected} />}
      <Latest deliveries={deliveries} />
    </div>
  )
}

import { Fragment } from 'react'
import { replayEvent, type PaymentEvent } from '#admin/browser/payment-records.ts'
import { money } from '#platform/domain/text/numbers.ts'
import { Moment } from '#admin/ui/lists/Moment.tsx'
import { RowAction } from '#admin/ui/lists/RowAction.tsx'
import { problemLine } from '#platform/domain/app-variants.ts'
import { badge } from '#platform/domain/variants.ts'
import { recordCell } from '#admin/ui/lists/variants.ts'

export const paymentEventColumns = [
  'Received',
  'Event',
  'Email',
  'Amount',
  'Outcome',
  'Attempts',
  'Action',
] as const

/** The outcomes of events that changed nothing. */
const hadNoEffect = new Set(['not_ours', 'gone', 'stale', 'superseded', 'unknown_customer'])

interface Props {
  event: PaymentEvent
  reload: () => void
  /** Is called once the event was replayed with success, before `reload`. */
  onReplayed?: () => void
}

export const PaymentEventRow = ({ event, reload, onReplayed }: Props) => (
  <tr>
    <td className={recordCell.moment}>
      <Moment iso={event.received_at} />
    </td>
    <td className={recordCell.wide}>
      <b className="whitespace-nowrap md:max-lg:wrap-anywhere md:max-lg:whitespace-normal">
        {event.type.split(/(?<=\.)/).map((part, index) => (
          <Fragment key={index}>
            {index > 0 && <wbr />}
            {part}
          </Fragment>
        ))}
      </b>
      <br />
      <span className="wrap-anywhere text-ink-2">{event.id}</span>
      {event.error !== null && <p className={problemLine}>{event.error}</p>}
    </td>
    <td className={recordCell.text}>{event.email ?? <span className="text-ink-2">Nobody’s</span>}</td>
    <td className={recordCell.amount}>
      {event.amount !== null && event.currency !== null ? money(event.amount, event.currency) : null}
    </td>
    <td>
      {event.has_failed ? (
        <span className={badge({ tone: 'bad' })}>failed</span>
      ) : event.handled_at !== null ? (
        <span className={hadNoEffect.has(event.outcome ?? '') ? badge() : badge({ tone: 'ok' })}>
          {event.outcome?.replaceAll('_', ' ') ?? 'handled'}
        </span>
      ) : event.error === null ? (
        <span className={badge({ tone: 'warn' })}>in progress</span>
      ) : (
        <span className={badge({ tone: 'bad' })}>failed</span>
      )}
    </td>
    <td className={recordCell.amount}>
      <span className="md:hidden">Attempts: </span>
      {event.attempts}
    </td>
    <td className={recordCell.action}>
      <RowAction
        name="Replay"
        busy="Replaying..."
        done="Replayed."
        target={event.id}
        action={async () => {
          const answer = await replayEvent(event.id)
          if (answer.ok) onReplayed?.()
          return answer
        }}
        onDone={reload}
      />
    </td>
  </tr>
)

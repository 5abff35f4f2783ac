import { replayEvent, type PaymentEvent } from '#clients/payment-records.ts'
import { Moment } from './Moment.tsx'
import { RowDeed } from './RowDeed.tsx'

export const paymentEventColumns = ['Received', 'Event', 'Outcome', 'Error', 'Attempts', 'Action'] as const

export const PaymentEventRow = ({ event, reload }: { event: PaymentEvent; reload: () => void }) => (
  <tr>
    <td className="nw">
      <Moment iso={event.received_at} />
    </td>
    <td className="end">
      <b className="break">{event.type}</b>
      <br />
      <span className="break dim">{event.id}</span>
    </td>
    <td>
      {event.handled_at !== null ? (
        <span className="badge ok">{event.outcome?.replaceAll('_', ' ') ?? 'handled'}</span>
      ) : event.error === null ? (
        <span className="badge warn">in progress</span>
      ) : (
        <span className="badge bad">failed</span>
      )}
    </td>
    <td className="end break">{event.error ?? 'None'}</td>
    <td>
      <span className="only-stacked">Attempts: </span>
      {event.attempts}
    </td>
    <td className="r">
      <RowDeed
        name="Replay"
        busy="Replaying..."
        done="Replayed."
        of={event.id}
        act={() => replayEvent(event.id)}
        onDone={reload}
      />
    </td>
  </tr>
)

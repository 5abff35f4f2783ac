import type { PaymentEvent } from '#clients/admin-records.ts'
import { Moment } from './Moment.tsx'

export const paymentColumns = ['Received', 'Event', 'Outcome', 'Error', 'Attempts'] as const

export const PaymentEventRow = ({ event }: { event: PaymentEvent }) => (
  <tr>
    <td className="nw">
      <Moment iso={event.received_at} />
    </td>
    <td className="end">
      <b className="break">{event.type}</b>
    </td>
    <td>
      {event.handled_at !== null ? (
        <span className="badge ok">handled</span>
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
  </tr>
)

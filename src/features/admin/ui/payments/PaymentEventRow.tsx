import { replayEvent, type PaymentEvent } from '#admin/browser/payment-records.ts'
import { describeEvent, describeOutcome } from '#admin/domain/payment-events.ts'
import { Fact, Facts, More } from '#admin/ui/lists/Facts.tsx'
import { Moment } from '#admin/ui/lists/Moment.tsx'
import { RowAction } from '#admin/ui/lists/RowAction.tsx'
import { problemLine } from '#platform/domain/app-variants.ts'
import { badge } from '#platform/domain/variants.ts'
import { recordCell } from '#admin/ui/lists/variants.ts'

export const paymentEventColumns = ['Received', 'Event', 'Email', 'Outcome', 'Action'] as const

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
      <b>{describeEvent(event)}</b>
      {event.error !== null && <p className={problemLine}>{event.error}</p>}
      <More name="Details" label={`Details of ${event.id}`}>
        <Facts>
          <Fact term="Event">{event.type}</Fact>
          <Fact term="Id">{event.id}</Fact>
          <Fact term="Outcome">{event.outcome ?? 'None'}</Fact>
          <Fact term="Attempts">{event.attempts}</Fact>
        </Facts>
      </More>
    </td>
    <td className={recordCell.text}>{event.email ?? <span className="text-ink-2">Nobody’s</span>}</td>
    <td>
      <Outcome event={event} />
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

function Outcome({ event }: { event: PaymentEvent }) {
  if (event.has_failed || (event.handled_at === null && event.error !== null))
    return <span className={badge({ tone: 'bad' })}>failed</span>
  if (event.handled_at === null) return <span className={badge({ tone: 'warn' })}>in progress</span>
  const { words, isEffective } = describeOutcome(event.outcome)
  return <span className={isEffective ? badge({ tone: 'ok' }) : badge()}>{words}</span>
}

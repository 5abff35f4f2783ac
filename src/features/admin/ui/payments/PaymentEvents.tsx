import { useRef, useState, type ComponentProps } from 'react'
import { readPaymentEvents, replayFailedEvents, type PaymentEvent } from '#admin/browser/payment-records.ts'
import {
  byMessage,
  failedEventsPath,
  replayText,
  showsFailedEvents,
  type Replay,
} from '#admin/domain/payment-events.ts'
import { adminTabs } from '#admin/domain/tabs.ts'
import { paymentEventColumns, PaymentEventRow } from './PaymentEventRow.tsx'
import { RecordTable } from '#admin/ui/lists/RecordTable.tsx'
import { problemLine } from '#platform/domain/app-variants.ts'
import { button } from '#platform/domain/variants.ts'
import { finderWithButton } from '#admin/ui/lists/variants.ts'
import { SelectInput } from '#platform/ui/fields/SelectInput.tsx'
import { useAddress } from '#admin/ui/useAddress.ts'

type Props = Pick<ComponentProps<typeof RecordTable<PaymentEvent>>, 'part' | 'version' | 'onRead'>

/** How many events that failed again for the same reason are named. */
const mostNamed = 10

/** The events of Stripe, all or those that have failed, which can be replayed together. */
export function PaymentEvents({ version, ...table }: Props) {
  const [hasFailed, setHasFailed] = useState(() => showsFailedEvents(location))
  useAddress('payments', () => setHasFailed(showsFailedEvents(location)))

  const [replay, setReplay] = useState<Replay>()
  const [replays, setReplays] = useState(0)
  const [isUnreadable, setUnreadable] = useState(false)
  const running = useRef<AbortController>(null)
  const [isRunning, setRunning] = useState(false)
  async function replayAll(): Promise<void> {
    if (running.current) return running.current.abort()
    running.current = new AbortController()
    setRunning(true)
    setReplay(undefined)
    const ended = await replayFailedEvents(setReplay, running.current.signal)
    running.current = null
    setRunning(false)
    setUnreadable(ended === undefined)
    setReplays((count) => count + 1)
  }

  const [replayed, setReplayed] = useState('')
  const top = useRef<HTMLDivElement>(null)
  const onReplayed = (id: string): void => {
    setReplayed(`Replayed ${id}.`)
    // The row with the button goes.
    top.current?.focus()
  }

  return (
    <div ref={top} tabIndex={-1}>
      <RecordTable
        {...table}
        version={`${String(version)}/${replays}`}
        empty={
          hasFailed
            ? 'None. Every event was handled.'
            : 'No events yet. Whatever the payment provider tells us appears here.'
        }
        columns={paymentEventColumns}
        source={hasFailed}
        read={(page) => readPaymentEvents(page, { hasFailed })}
        row={(event, reload) => (
          <PaymentEventRow
            key={event.id}
            event={event}
            reload={reload}
            onReplayed={hasFailed ? () => onReplayed(event.id) : undefined}
          />
        )}
        actions={
          <div className={finderWithButton}>
            <SelectInput
              label="Outcome"
              value={hasFailed ? 'failed' : ''}
              options={[
                ['', 'All'],
                ['failed', 'Failed'],
              ]}
              onChange={(outcome) => {
                history.replaceState(
                  null,
                  '',
                  outcome === '' ? adminTabs.pathOf('payments') : failedEventsPath,
                )
                setHasFailed(outcome !== '')
              }}
            />
            <button className={button({ kind: 'other' })} type="button" onClick={() => void replayAll()}>
              {isRunning ? 'Stop' : 'Replay all failed'}
            </button>
          </div>
        }
        outcome={
          <div role="status">
            <p className="sr-only">{replayed}</p>
            {isUnreadable && (
              <p className={`${problemLine} px-pad pb-pad`}>
                The failed events could not be read. Please try again.
              </p>
            )}
            {replay && (
              <div className="grid gap-4 px-pad pb-pad text-sm">
                <p>{replayText(replay, isRunning)}</p>
                {!isRunning &&
                  byMessage(replay.failed).map(([message, ids]) => (
                    <p key={message}>
                      {message}{' '}
                      <span className="wrap-anywhere text-ink-2">
                        {ids.slice(0, mostNamed).join(', ')}
                        {ids.length > mostNamed && ` and ${ids.length - mostNamed} more`}
                      </span>
                    </p>
                  ))}
              </div>
            )}
          </div>
        }
      />
    </div>
  )
}

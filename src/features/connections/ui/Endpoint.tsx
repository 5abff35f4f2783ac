import { useState } from 'react'
import { enableWebhook, removeConnection, testWebhook } from '#connections/browser/connections.ts'
import {
  deliveryProblems,
  endpointKind,
  wasTaken,
  webhookEventNames,
  type DeliveryResult,
  type WebhookEndpoint,
} from '#connections/domain/connections.ts'
import { momentLabel } from '#platform/domain/text/dates.ts'
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx'
import { button, textButton } from '#platform/domain/variants.ts'
import { buttonRow } from '#platform/domain/app-variants.ts'
import { notDone, useAction } from './useAction.ts'

function testLabel(result: DeliveryResult, kind: ReturnType<typeof endpointKind>): string {
  const { status, problem } = result
  if (problem) return `The test did not arrive: ${deliveryProblems[problem]}.`
  if (kind === 'invitations') return 'The test was sent to your address. Remove it from your calendar again.'
  if (kind === 'webhook')
    return wasTaken(result)
      ? `The test arrived: your server answered ${status}.`
      : `The test did not arrive: your server answered ${status}, not 200 to 299.`
  if (wasTaken(result)) return 'The test was written into your calendar and removed again.'
  return status === 401 || status === 403
    ? 'Your calendar refused the login. Connect it again with a password that may write.'
    : `The test was not written: your calendar answered ${status}.`
}

interface Props {
  endpoint: WebhookEndpoint
  /** What its owner calls a calendar. */
  name?: string
  onChange: () => void
  /** It is removed, and its buttons go. */
  onGone: () => void
}

/** A webhook or a calendar, with a test, and with its end. */
export function Endpoint({ endpoint, name, onChange, onGone }: Props) {
  const { id, url, username, events, disabled_at } = endpoint
  const { outcome, isBusy, run } = useAction(onChange)
  const [isRemoving, setRemoving] = useState(false)
  const kind = endpointKind({ url, username })
  const host = new URL(url).host
  const target = kind === 'invitations' ? 'my address' : (name ?? host)
  const test = async (): Promise<string> => {
    const tested = await testWebhook(id)
    return tested.ok ? testLabel(tested.value, kind) : tested.failure.message
  }
  const enable = async (): Promise<string> => ((await enableWebhook(id)) ? 'It is on again.' : notDone)
  const remove = async (): Promise<string> => {
    if (!(await removeConnection('webhook_endpoints', id))) return notDone
    onGone()
    return ''
  }

  return (
    <li>
      <p className="max-w-form wrap-anywhere select-all">
        {kind === 'invitations' ? 'Invitations by email' : (name ?? url)}
      </p>
      <p className="text-sm text-ink-2">
        {disabled_at
          ? `Switched off on ${momentLabel(disabled_at)}, because nothing arrived any more.`
          : {
              webhook: events.map((name) => webhookEventNames[name]).join(', '),
              calendar: `Logged in as ${username} at ${host}`,
              invitations:
                'Each booking goes to the address of your account. What you change there is not read.',
            }[kind]}
      </p>
      <div className={`${buttonRow} mt-1.5`}>
        <button
          className={button({ kind: 'other', size: 'small' })}
          type="button"
          aria-disabled={isBusy}
          aria-label={`Send a test to ${target}`}
          onClick={() => void run(test)}
        >
          {isBusy ? 'Sending...' : 'Send a test'}
        </button>
        {disabled_at && (
          <button
            className={button({ kind: 'other', size: 'small' })}
            type="button"
            aria-disabled={isBusy}
            aria-label={`Switch on ${target}`}
            onClick={() => void run(enable)}
          >
            Switch on
          </button>
        )}
        <button
          className={textButton({ class: 'text-sm' })}
          type="button"
          aria-disabled={isBusy}
          aria-label={`Remove ${target}`}
          onClick={() => setRemoving(!isBusy)}
        >
          Remove
        </button>
      </div>
      <p className="text-sm" role="status">
        {outcome}
      </p>
      {isRemoving && (
        <ConfirmDialog
          title={
            {
              webhook: 'Remove this webhook?',
              calendar: 'Remove this calendar?',
              invitations: 'Send no more invitations?',
            }[kind]
          }
          action="Remove"
          onCancel={() => setRemoving(false)}
          onConfirm={() => {
            setRemoving(false)
            void run(remove)
          }}
        >
          <p>
            {
              {
                webhook: `${host} gets no more messages, and those that wait are dropped.`,
                calendar:
                  'Bookings are no longer written into it, and its appointments no longer keep a time from being booked. The bookings that it has stay.',
                invitations: 'Bookings are no longer written into your calendar. Those that it has stay.',
              }[kind]
            }
          </p>
        </ConfirmDialog>
      )}
    </li>
  )
}

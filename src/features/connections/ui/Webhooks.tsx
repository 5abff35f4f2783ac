import { useId, useState, type SubmitEvent } from 'react'
import {
  createWebhook,
  enableWebhook,
  removeConnection,
  testWebhook,
  type Connections,
} from '#connections/browser/connections.ts'
import {
  deliveryLabel,
  deliveryProblems,
  wasTaken,
  webhookEventNames,
  webhookEvents,
  webhookUrlProblem,
  type DeliveryResult,
  type WebhookEndpoint,
} from '#connections/domain/connections.ts'
import { momentLabel } from '#platform/domain/dates.ts'
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx'
import { Field } from '#platform/ui/Field.tsx'
import { Secret } from './Secret.tsx'

type Props = Pick<Connections, 'webhooks' | 'deliveries'> & { onChange: () => void }

const notDone = 'Not done. Check your connection and try again.'

function testLabel(result: DeliveryResult): string {
  if (wasTaken(result)) return `The test arrived: your server answered ${result.status}.`
  return result.problem
    ? `The test did not arrive: ${deliveryProblems[result.problem]}.`
    : `The test did not arrive: your server answered ${result.status}, not 200 to 299.`
}

/** The webhooks with their latest messages, and a form that adds one. */
export function Webhooks({ webhooks, deliveries, onChange }: Props) {
  const id = useId()
  const [secret, setSecret] = useState<string | null>(null)
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)

  async function add(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const form = event.currentTarget
    const fields = new FormData(form)
    const url = String(fields.get('url') ?? '').trim()
    const events = webhookEvents.filter((name) => fields.has(name))
    const wrong = webhookUrlProblem(url) ?? (events.length === 0 ? 'Choose at least one event.' : undefined)
    if (wrong) return setProblem(wrong)
    setBusy(true)
    const made = await createWebhook(url, events).catch(() => undefined)
    setBusy(false)
    if (made === null) return setProblem('There are five already. Remove one first.')
    if (!made) return setProblem('Not added. Check your connection and try again.')
    setProblem(undefined)
    setSecret(made.secret)
    form.reset()
    onChange()
  }

  return (
    <div className="row rule">
      <div className="tall stack">
        <h3 className="label">Webhooks</h3>
        <p className="dim">
          We send a signed message to your address when something happens, and again for three days if it does
          not arrive.
        </p>
      </div>
      <div className="c8 tall stack">
        {webhooks.length === 0 && <p className="dim">No webhooks yet.</p>}
        {webhooks.length > 0 && (
          <ul className="connections">
            {webhooks.map((webhook) => (
              <Webhook key={webhook.id} webhook={webhook} onChange={onChange} />
            ))}
          </ul>
        )}
        {secret && <Secret label="The secret that signs its messages" value={secret} />}
        <form className="form" noValidate onSubmit={(event) => void add(event)}>
          <Field id={id} label="Address" problem={problem}>
            {(describedBy) => (
              <input
                className="input"
                id={id}
                name="url"
                type="url"
                inputMode="url"
                placeholder="https://"
                autoComplete="off"
                aria-invalid={problem !== undefined}
                aria-describedby={describedBy}
              />
            )}
          </Field>
          <fieldset className="field">
            <legend>Tell it when</legend>
            <div className="choices">
              {webhookEvents.map((name) => (
                <label className="choice" key={name}>
                  <input type="checkbox" name={name} defaultChecked />
                  <span>{webhookEventNames[name]}</span>
                </label>
              ))}
            </div>
          </fieldset>
          <button className="btn two" type="submit" disabled={isBusy}>
            {isBusy ? 'Adding...' : 'Add webhook'}
          </button>
        </form>
        {deliveries.length > 0 && (
          <details className="gap">
            <summary>Latest messages</summary>
            <ul className="connections">
              {deliveries.map((delivery) => (
                <li key={delivery.id}>
                  <p>
                    {delivery.event === 'test' ? 'Test' : webhookEventNames[delivery.event]}{' '}
                    <span className="sm dim">{momentLabel(delivery.created_at)}</span>
                  </p>
                  <p className="sm">{deliveryLabel(delivery)}</p>
                </li>
              ))}
            </ul>
          </details>
        )}
      </div>
    </div>
  )
}

function Webhook({ webhook, onChange }: { webhook: WebhookEndpoint; onChange: () => void }) {
  const { id, url, events, disabled_at } = webhook
  const [outcome, setOutcome] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [isRemoving, setRemoving] = useState(false)
  const host = new URL(url).host

  async function run(act: () => Promise<string>): Promise<void> {
    setBusy(true)
    setOutcome(await act().catch(() => notDone))
    setBusy(false)
    onChange()
  }
  const test = async (): Promise<string> => {
    const tested = await testWebhook(id)
    return tested.ok ? testLabel(tested.value) : tested.failure.message
  }
  const enable = async (): Promise<string> => ((await enableWebhook(id)) ? 'It is on again.' : notDone)
  const remove = async (): Promise<string> =>
    (await removeConnection('webhook_endpoints', id)) ? '' : notDone

  return (
    <li>
      <p className="secret">{url}</p>
      <p className="sm dim">
        {disabled_at
          ? `Switched off on ${momentLabel(disabled_at)}, because nothing arrived any more.`
          : events.map((name) => webhookEventNames[name]).join(', ')}
      </p>
      <div className="acts">
        <button
          className="btn two small"
          type="button"
          disabled={isBusy}
          aria-label={`Send a test to ${host}`}
          onClick={() => void run(test)}
        >
          {isBusy ? 'Sending...' : 'Send a test'}
        </button>
        {disabled_at && (
          <button
            className="btn two small"
            type="button"
            disabled={isBusy}
            aria-label={`Switch on ${host}`}
            onClick={() => void run(enable)}
          >
            Switch on
          </button>
        )}
        <button
          className="text sm"
          type="button"
          disabled={isBusy}
          aria-label={`Remove ${host}`}
          onClick={() => setRemoving(true)}
        >
          Remove
        </button>
      </div>
      <p className="sm" role="status">
        {outcome}
      </p>
      {isRemoving && (
        <ConfirmDialog
          title="Remove this webhook?"
          action="Remove"
          onCancel={() => setRemoving(false)}
          onConfirm={() => {
            setRemoving(false)
            void run(remove)
          }}
        >
          <p>{host} is no longer told of anything, and messages that wait are dropped.</p>
        </ConfirmDialog>
      )}
    </li>
  )
}

import { useId, useRef, useState, type SubmitEvent } from 'react'
import { createWebhook, type Connections } from '#connections/browser/connections.ts'
import { endpointUrlProblem, webhookEventNames, webhookEvents } from '#connections/domain/connections.ts'
import { Field } from '#platform/ui/fields/Field.tsx'
import { Endpoint } from './Endpoint.tsx'
import { Latest } from './Latest.tsx'
import { Secret } from './Secret.tsx'
import { button } from '#platform/domain/variants.ts'
import { Choice, Choices } from '#platform/ui/fields/Choice.tsx'
import { fieldGrid, fieldLegend, formGrid, inputBox } from '#platform/domain/app-variants.ts'
import { ConnectionList } from './ConnectionList.tsx'

type Props = Pick<Connections, 'endpoints' | 'deliveries'> & { onChange: () => void }

/** The webhooks with their latest messages, and a form that adds one. */
export function Webhooks({ endpoints, deliveries, onChange }: Props) {
  const id = useId()
  const top = useRef<HTMLParagraphElement>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)

  async function add(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    if (isBusy) return
    const form = event.currentTarget
    const fields = new FormData(form)
    const url = String(fields.get('url') ?? '').trim()
    const events = webhookEvents.filter((name) => fields.has(name))
    const wrong = endpointUrlProblem(url) ?? (events.length === 0 ? 'Choose at least one event.' : undefined)
    if (wrong) return setProblem(wrong)
    setBusy(true)
    const made = await createWebhook(url, events).catch(() => undefined)
    setBusy(false)
    if (made === null) return setProblem('You have five already. Remove one first.')
    if (!made) return setProblem('Not added. Check your connection and try again.')
    setProblem(undefined)
    setSecret(made.secret)
    form.reset()
    onChange()
  }

  return (
    <div className={formGrid}>
      <p className="text-ink-2" ref={top} tabIndex={-1}>
        We send a signed message (a webhook) to the address that your system names, and again for three days
        if it does not arrive.
      </p>
      {endpoints.length === 0 && <p className="text-ink-2">No webhooks yet.</p>}
      {endpoints.length > 0 && (
        <ConnectionList>
          {endpoints.map((endpoint) => (
            <Endpoint
              key={endpoint.id}
              endpoint={endpoint}
              onChange={onChange}
              onGone={() => top.current?.focus()}
            />
          ))}
        </ConnectionList>
      )}
      {secret && <Secret label="The secret that signs its messages" value={secret} />}
      <form className={formGrid} noValidate onSubmit={(event) => void add(event)}>
        <Field id={id} label="Address" problem={problem}>
          {(describedBy) => (
            <input
              className={inputBox()}
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
        <fieldset className={fieldGrid}>
          <legend className={fieldLegend}>Send a message when</legend>
          <Choices>
            {webhookEvents.map((name) => (
              <Choice key={name} type="checkbox" name={name} defaultChecked>
                {webhookEventNames[name]}
              </Choice>
            ))}
          </Choices>
        </fieldset>
        <button className={button({ kind: 'other' })} type="submit" aria-disabled={isBusy}>
          {isBusy ? 'Adding...' : 'Add webhook'}
        </button>
      </form>
      <Latest deliveries={deliveries} />
    </div>
  )
}

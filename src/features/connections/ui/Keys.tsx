import { useId, useRef, useState, type SubmitEvent } from 'react'
import { createKey, removeConnection } from '#connections/browser/connections.ts'
import type { ApiKey, KeyKind } from '#connections/domain/connections.ts'
import { momentLabel } from '#platform/domain/text/dates.ts'
import { isVisible, textProblem } from '#platform/domain/text/typed-text.ts'
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx'
import { Field } from '#platform/ui/fields/Field.tsx'
import { Secret } from './Secret.tsx'
import { button, textButton } from '#platform/domain/variants.ts'
import { formGrid, inputBox } from '#platform/domain/app-variants.ts'
import { ConnectionList } from './ConnectionList.tsx'

const texts = {
  api: {
    title: 'API keys',
    about: 'With a key, your own program reads your calls and bookings.',
    name: 'Name of the key',
    create: 'Create API key',
    made: 'Your API key',
    none: 'No keys yet.',
    revoke: 'What uses this key can no longer read your calls and bookings.',
    secretOf: (key: string) => key,
  },
  calendar: {
    title: 'See bookings in my calendar',
    about:
      'For Google Calendar, Outlook, Apple Calendar and others: they subscribe to a secret address (iCalendar).',
    name: 'Name of the calendar',
    create: 'Create calendar address',
    made: 'Your calendar address',
    none: 'No addresses yet.',
    revoke: 'Calendars that subscribe to this address get no more bookings.',
    secretOf: (key: string) => `${location.origin}/.netlify/functions/booking-calendar?key=${key}`,
  },
} as const

/** In characters. */
const longestName = 60

interface Props {
  kind: KeyKind
  /** Those of this kind. */
  keys: readonly ApiKey[]
  onChange: () => void
}

/** The keys of a kind: their list, and a form that makes another one. */
export function Keys({ kind, keys, onChange }: Props) {
  const text = texts[kind]
  const id = useId()
  const title = useRef<HTMLHeadingElement>(null)
  const [made, setMade] = useState<string | null>(null)
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const [revoking, setRevoking] = useState<ApiKey | null>(null)

  async function create(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    if (isBusy) return
    const form = event.currentTarget
    const name = String(new FormData(form).get('name') ?? '').trim()
    const wrong = isVisible(name)
      ? textProblem(name, longestName)
      : 'Enter a name, so that you can tell it from others.'
    if (wrong) return setProblem(wrong)
    setBusy(true)
    const key = await createKey(kind, name).catch(() => undefined)
    setBusy(false)
    if (key === null) return setProblem('You have ten already. Revoke one first.')
    if (!key) return setProblem('Not created. Check your connection and try again.')
    setProblem(undefined)
    setMade(text.secretOf(key))
    form.reset()
    onChange()
  }

  async function revoke({ id: key }: ApiKey): Promise<void> {
    setRevoking(null)
    setMade(null)
    const isGone = await removeConnection('api_keys', key).catch(() => false)
    setProblem(isGone ? undefined : 'Not revoked. Check your connection and try again.')
    // The button goes.
    if (isGone) title.current?.focus()
    onChange()
  }

  return (
    <div className={formGrid} role="group" aria-labelledby={`${id}-title`}>
      <div>
        <h3 className="text-h4" id={`${id}-title`} ref={title} tabIndex={-1}>
          {text.title}
        </h3>
        <p className="text-ink-2">{text.about}</p>
      </div>
      {keys.length === 0 && !made && <p className="text-ink-2">{text.none}</p>}
      {keys.length > 0 && (
        <ConnectionList>
          {keys.map((key) => (
            <li key={key.id}>
              <p>
                <b>{key.name}</b> <span className="text-ink-2">ends in {key.hint}</span>
              </p>
              <p className="text-sm text-ink-2">
                {key.last_used_at ? `Last used ${momentLabel(key.last_used_at)}` : 'Not used yet'}
              </p>
              <button
                className={textButton({ class: 'text-sm' })}
                type="button"
                aria-label={`Revoke ${key.name}`}
                onClick={() => setRevoking(key)}
              >
                Revoke
              </button>
            </li>
          ))}
        </ConnectionList>
      )}
      {made && <Secret label={text.made} value={made} />}
      <form className={formGrid} noValidate onSubmit={(event) => void create(event)}>
        <Field id={id} label={text.name} problem={problem}>
          {(describedBy) => (
            <input
              className={inputBox()}
              id={id}
              name="name"
              autoComplete="off"
              aria-invalid={problem !== undefined}
              aria-describedby={describedBy}
            />
          )}
        </Field>
        <button className={button({ kind: 'other' })} type="submit" aria-disabled={isBusy}>
          {isBusy ? 'Creating...' : text.create}
        </button>
      </form>
      {revoking && (
        <ConfirmDialog
          title={`Revoke ${revoking.name}?`}
          action="Revoke"
          onCancel={() => setRevoking(null)}
          onConfirm={() => void revoke(revoking)}
        >
          <p>{text.revoke}</p>
        </ConfirmDialog>
      )}
    </div>
  )
}

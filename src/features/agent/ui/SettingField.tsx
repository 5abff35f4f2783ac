import { useId, useState, type TextareaHTMLAttributes } from 'react'
import { useStore } from '@nanostores/react'
import { saveAgentSettings } from '#agent/browser/agent-settings.ts'
import { Field } from '#platform/ui/Field.tsx'
import { $agentSettings, noteAgentSettings } from '#agent/browser/agent-settings-store.ts'

type Saving = 'idle' | 'saving' | 'saved' | 'failed'

interface Props {
  column: 'business_name' | 'greeting'
  label: string
  hint: string
  maxLength: number
  placeholder?: string
  autoComplete?: TextareaHTMLAttributes<HTMLTextAreaElement>['autoComplete']
  /** True for a text of several lines. */
  isLong?: boolean
}

/** A field for one of the customer's own words for the agent. It is saved on blur; empty, it is null. */
export function SettingField({ column, label, hint, isLong = false, ...attributes }: Props) {
  const state = useStore($agentSettings)
  const id = useId()
  const known = state.status === 'ready' ? state.settings[column] : null
  const [typed, setTyped] = useState(known ?? '')
  const [shown, setShown] = useState(known)
  // An import has changed it.
  if (shown !== known) {
    setShown(known)
    setTyped(known ?? '')
  }
  const [saving, setSaving] = useState<Saving>('idle')
  if (state.status !== 'ready') return null
  const { userId } = state

  async function save(): Promise<void> {
    const value = typed.trim() || null
    if (value === known && saving !== 'failed') return
    setSaving('saving')
    // A test that starts now uses it, even if it is not saved.
    noteAgentSettings({ [column]: value })
    setSaving((await saveAgentSettings(userId, { [column]: value })) ? 'saved' : 'failed')
  }

  return (
    <Field
      id={id}
      label={label}
      hint={saving === 'saving' ? 'Saving...' : saving === 'saved' ? 'Saved.' : hint}
      hintAttributes={{ role: 'status' }}
      footer={
        saving === 'failed' && (
          <div role="alert">
            <p className="err">Not saved. Check your connection, then try again.</p>
            <button className="text sm" type="button" onClick={() => void save()}>
              Try again
            </button>
          </div>
        )
      }
    >
      {(describedBy) => {
        const Control = isLong ? 'textarea' : 'input'
        return (
          <Control
            className="input"
            id={id}
            value={typed}
            aria-describedby={describedBy}
            onChange={({ target }: { target: { value: string } }) => {
              setTyped(target.value)
              setSaving('idle')
            }}
            onBlur={() => void save()}
            {...(isLong && { rows: 3 })}
            {...attributes}
          />
        )
      }}
    </Field>
  )
}

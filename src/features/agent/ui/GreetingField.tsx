import { useId, useState } from 'react'
import { useStore } from '@nanostores/react'
import { greetingMaxLength } from '#agent/domain/agent-settings.ts'
import { greetingOf, industryTemplateIds, type IndustryTemplateId } from '#agent/domain/industry-templates.ts'
import { saveAgentSettings } from '#agent/browser/agent-settings.ts'
import { Field } from '#platform/ui/Field.tsx'
import { $agentSettings, noteAgentSettings } from '#agent/browser/agent-settings-store.ts'

type Saving = 'idle' | 'saving' | 'saved' | 'failed'

/** The field for the agent's first words. It is saved on blur; if it is empty, the template's words are used. */
export function GreetingField({ template }: { template: IndustryTemplateId | null }) {
  const state = useStore($agentSettings)
  const id = useId()
  const known = state.status === 'ready' ? state.settings.greeting : null
  const [typed, setTyped] = useState(known ?? '')
  const [saving, setSaving] = useState<Saving>('idle')
  if (state.status !== 'ready') return null
  const { userId } = state

  async function save(): Promise<void> {
    const greeting = typed.trim() || null
    if (greeting === known && saving !== 'failed') return
    setSaving('saving')
    // A test that starts now uses it, even if it is not saved.
    noteAgentSettings({ greeting })
    setSaving((await saveAgentSettings(userId, { greeting })) ? 'saved' : 'failed')
  }

  return (
    <Field
      id={id}
      label="Greeting"
      hint={
        saving === 'saving'
          ? 'Saving...'
          : saving === 'saved'
            ? 'Saved.'
            : 'What your agent says first. Left empty, it begins with the words shown.'
      }
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
      {(describedBy) => (
        <textarea
          className="input"
          id={id}
          rows={3}
          maxLength={greetingMaxLength}
          value={typed}
          placeholder={greetingOf[template ?? industryTemplateIds[0]]}
          aria-describedby={describedBy}
          onChange={({ target }) => {
            setTyped(target.value)
            setSaving('idle')
          }}
          onBlur={() => void save()}
        />
      )}
    </Field>
  )
}

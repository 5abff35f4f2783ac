import { useStore } from '@nanostores/react'
import { $agentSettings } from '#agent/browser/agent-settings-store.ts'
import { greetingField } from '#agent/browser/setting-fields.ts'
import { greetingMaxLength } from '#agent/domain/agent-settings.ts'
import { SavedField } from '#platform/ui/fields/SavedField.tsx'

/** The field for what the agent says once it has said that it is an AI. */
export function GreetingField() {
  const state = useStore($agentSettings)
  if (state.status !== 'ready') return null
  return (
    <SavedField
      field={greetingField(state.userId)}
      known={state.settings.greeting}
      hint="What your agent says once it has said that it is an AI. If it is empty, it asks how it can help."
      longest={greetingMaxLength}
      rows={3}
    />
  )
}

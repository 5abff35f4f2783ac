import { useStore } from '@nanostores/react'
import { $agentSettings } from '#agent/browser/agent-settings-store.ts'
import { businessNameField } from '#agent/browser/setting-fields.ts'
import { businessNameMaxLength } from '#agent/domain/agent-settings.ts'
import { SavedField } from '#platform/ui/fields/SavedField.tsx'

/** The field for the name that the agent answers with. */
export function BusinessNameField() {
  const state = useStore($agentSettings)
  if (state.status !== 'ready') return null
  return (
    <SavedField
      field={businessNameField(state.userId)}
      known={state.settings.business_name}
      hint="Your agent answers with this name. You can leave it empty for now."
      longest={businessNameMaxLength}
      autoComplete="organization"
    />
  )
}

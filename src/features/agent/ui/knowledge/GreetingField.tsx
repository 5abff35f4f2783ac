import { useStore } from '@nanostores/react'
import { $agentSettings } from '#agent/browser/agent-settings-store.ts'
import { greetingField } from '#agent/browser/setting-fields.ts'
import { greetingMaxLength } from '#agent/domain/agent-settings.ts'
import { greetingOf } from '#agent/domain/industry-templates.ts'
import { SavedField } from '#platform/ui/fields/SavedField.tsx'

/** The field for the agent's first words. If it is empty, the template's words are used. */
export function GreetingField() {
  const state = useStore($agentSettings)
  if (state.status !== 'ready') return null
  const { industry_template: template, business_name: business, greeting } = state.settings
  return (
    <SavedField
      field={greetingField(state.userId)}
      known={greeting}
      hint="What your agent says first. If it is empty, your agent says the words shown."
      longest={greetingMaxLength}
      placeholder={greetingOf(template, business)}
      rows={3}
    />
  )
}

import { greetingMaxLength } from '#agent/domain/agent-settings.ts'
import { greetingOf, type IndustryTemplateId } from '#agent/domain/industry-templates.ts'
import { SettingField } from './SettingField.tsx'

/** The field for the agent's first words. If it is empty, the template's words are used. */
export const GreetingField = ({
  template,
  business,
}: {
  template: IndustryTemplateId | null
  business: string | null
}) => (
  <SettingField
    column="greeting"
    label="Greeting"
    hint="What your agent says first. If it is empty, your agent says the words shown."
    maxLength={greetingMaxLength}
    placeholder={greetingOf(template, business)}
    isLong
  />
)

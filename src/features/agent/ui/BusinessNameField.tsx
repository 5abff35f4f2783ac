import { businessNameMaxLength } from '#agent/domain/agent-settings.ts'
import { SettingField } from './SettingField.tsx'

/** The field for the name that the agent answers with. */
export const BusinessNameField = () => (
  <SettingField
    column="business_name"
    label="Name of your business"
    hint="Your agent answers with this name. You can leave it empty for now."
    maxLength={businessNameMaxLength}
    autoComplete="organization"
  />
)

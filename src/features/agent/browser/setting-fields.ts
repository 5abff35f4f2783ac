import { businessNameMaxLength, greetingMaxLength } from '#agent/domain/agent-settings.ts'
import { saveOver } from '#platform/browser/storage/save-over.ts'
import type { TypedField } from '#platform/browser/storage/typed-fields.ts'
import { nameProblem, textProblem } from '#platform/domain/text/typed-text.ts'
import { noteAgentSettings } from './agent-settings-store.ts'

/** Returns a field for one of the customer's own words for the agent; empty, it is null. */
const settingField = (
  userId: string,
  column: 'business_name' | 'greeting',
  label: string,
  problemOf: (text: string) => string | undefined,
): TypedField<string | null> => ({
  name: `${userId}:${column}`,
  label,
  text: (value) => value ?? '',
  parse: (typed) => {
    const text = typed.trim()
    const problem = problemOf(text)
    return problem === undefined ? { value: text || null } : { problem }
  },
  save: (change) => saveOver('agent_settings', userId, column, change),
  note: (value) => noteAgentSettings({ [column]: value }),
})

/** The field for the name that the agent answers with. */
export const businessNameField = (userId: string) =>
  settingField(userId, 'business_name', 'Name of your business', (text) =>
    nameProblem(text, businessNameMaxLength),
  )

/** The field for the agent's first words. */
export const greetingField = (userId: string) =>
  settingField(userId, 'greeting', 'Greeting', (text) => textProblem(text, greetingMaxLength))

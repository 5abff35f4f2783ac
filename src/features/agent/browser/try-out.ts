import { $agentSettings, loadAgentSettings } from '#agent/browser/agent-settings-store.ts'
import { readKnowledge } from '#agent/browser/knowledge.ts'
import { noSettings, type AgentSettingsRow } from '#agent/domain/agent-settings.ts'
import { firstWords } from '#agent/domain/disclosure.ts'
import { generalTemplateIds, industryTemplates } from '#agent/domain/industry-templates.ts'
import { noKnowledge, type AgentKnowledge } from '#agent/domain/knowledge/knowledge.ts'
import { startConversation } from '#platform/browser/conversation.ts'

/**
 * Lets a customer try the own agent. It answers from what is saved; its name and its first words are those of the page.
 * @param place where the customer does so
 */
export function tryOut(
  place: 'onboarding' | 'portal',
  { business_name: business, greeting, industry_template: template }: AgentSettingsRow,
  knowledge: AgentKnowledge,
): void {
  startConversation({
    place,
    name: business ? `${business} agent` : 'Your agent',
    greeting: firstWords(knowledge, { business, greeting, isRecorded: false }),
    asks: industryTemplates[template ?? generalTemplateIds[0]].asks,
  })
}

/** Does the same with what is stored. */
export async function tryOutStored(
  place: 'onboarding' | 'portal',
  userId: string,
  changes: Partial<AgentSettingsRow> = {},
): Promise<void> {
  const known = (): AgentSettingsRow | undefined => {
    const state = $agentSettings.get()
    return state.status === 'ready' && state.userId === userId ? state.settings : undefined
  }
  const [stored] = await Promise.all([readKnowledge(userId), known() ?? loadAgentSettings(userId)])
  const settings = known() ?? noSettings
  tryOut(place, { ...settings, ...changes }, stored?.knowledge ?? noKnowledge)
}

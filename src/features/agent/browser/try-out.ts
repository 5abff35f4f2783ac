import { $agentSettings, loadAgentSettings } from '#agent/browser/agent-settings-store.ts'
import { readKnowledge } from '#agent/browser/knowledge.ts'
import { noSettings, testRole, type AgentSettingsRow } from '#agent/domain/agent-settings.ts'
import type { AgentKnowledge } from '#agent/domain/knowledge/knowledge.ts'
import { agentPrompt } from '#agent/domain/prompt.ts'
import { startConversation } from '#platform/browser/conversation.ts'

/**
 * Lets the site's own agent play the customer's, from what was taught or else from the industry template.
 * @param knowledge null if the customer has taught nothing
 */
export function tryOut(settings: AgentSettingsRow, knowledge: AgentKnowledge | null): void {
  const role = testRole(settings)
  if (!knowledge) return startConversation(role)
  const { business_name: business, greeting, industry_template: template } = settings
  startConversation({
    ...role,
    ...agentPrompt({ business, greeting, template, knowledge, isRecorded: false }),
  })
}

/** Does the same with what is stored. Without an answer of the server, the industry template has to do. */
export async function tryOutStored(userId: string, changes: Partial<AgentSettingsRow> = {}): Promise<void> {
  const known = (): AgentSettingsRow | undefined => {
    const state = $agentSettings.get()
    return state.status === 'ready' && state.userId === userId ? state.settings : undefined
  }
  const [stored] = await Promise.all([readKnowledge(userId), known() ?? loadAgentSettings(userId)])
  const settings = known() ?? noSettings
  tryOut({ ...settings, ...changes }, stored?.version ? stored.knowledge : null)
}

import { atom } from 'nanostores'
import type { AgentSettingsRow } from '#agent/domain/agent-settings.ts'
import { readAgentSettings } from './agent-settings.ts'

export type AgentSettingsState =
  | { status: 'loading' }
  | { status: 'failed' }
  | { status: 'ready'; userId: string; settings: AgentSettingsRow }

/** What the signed-in customer has chosen for the agent. */
export const $agentSettings = atom<AgentSettingsState>({ status: 'loading' })

let latest = 0

function isKnown(userId: string): boolean {
  const state = $agentSettings.get()
  return state.status === 'ready' && state.userId === userId
}

/** Reads the choices of this customer, or reads them again. What is known stays, whatever becomes of that. */
export async function loadAgentSettings(userId: string): Promise<void> {
  const request = ++latest
  if (!isKnown(userId)) $agentSettings.set({ status: 'loading' })
  const settings = await readAgentSettings(userId)
  if (request !== latest) return
  if (settings) $agentSettings.set({ status: 'ready', userId, settings })
  else if (!isKnown(userId)) $agentSettings.set({ status: 'failed' })
}

/** Takes over what the database has just accepted. */
export function noteAgentSettings(columns: Partial<AgentSettingsRow>): void {
  const state = $agentSettings.get()
  if (state.status === 'ready') $agentSettings.set({ ...state, settings: { ...state.settings, ...columns } })
}

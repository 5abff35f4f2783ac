import { atom } from 'nanostores'
import type { AgentSettingsRow } from '#agent/domain/agent-settings.ts'
import { readAgentSettings } from './agent-settings.ts'

type AgentSettingsState =
  | { status: 'loading' }
  | { status: 'failed' }
  | { status: 'ready'; userId: string; settings: AgentSettingsRow }

/** The signed-in customer's settings of the agent. */
export const $agentSettings = atom<AgentSettingsState>({ status: 'loading' })

let latestRequest = 0

function isLoadedFor(userId: string): boolean {
  const state = $agentSettings.get()
  return state.status === 'ready' && state.userId === userId
}

/** Reads the settings of this customer. Known settings stay until the answer arrives, and after a failure. */
export async function loadAgentSettings(userId: string): Promise<void> {
  const request = ++latestRequest
  if (!isLoadedFor(userId)) $agentSettings.set({ status: 'loading' })
  const settings = await readAgentSettings(userId)
  if (request !== latestRequest) return
  if (settings) $agentSettings.set({ status: 'ready', userId, settings })
  else if (!isLoadedFor(userId)) $agentSettings.set({ status: 'failed' })
}

/** Updates the store with columns that were saved. */
export function noteAgentSettings(columns: Partial<AgentSettingsRow>): void {
  const state = $agentSettings.get()
  if (state.status === 'ready') $agentSettings.set({ ...state, settings: { ...state.settings, ...columns } })
}

import { atom } from 'nanostores'
import { type AgentSettingsRow, agentSettingsRow, noSettings } from '#agent/domain/agent-settings.ts'
import * as z from 'zod/mini'
import { supabase } from '#platform/browser/supabase.ts'

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

/** Reads this customer's settings of the agent; undefined without a readable answer. */
export async function readAgentSettings(userId: string): Promise<AgentSettingsRow | undefined> {
  const { data, error } = await supabase()
    .from('agent_settings')
    .select(
      'voice_sample_path, voice_sample_name, voice_sample_bytes, industry_template, business_name, greeting',
    )
    .eq('user_id', userId)
    .maybeSingle()
  if (error) return undefined
  return data === null ? noSettings : z.safeParse(agentSettingsRow, data).data
}

/** Writes the given columns and leaves the others as they are. Returns whether that succeeded. */
export async function saveAgentSettings(
  userId: string,
  columns: Partial<AgentSettingsRow>,
): Promise<boolean> {
  const { error } = await supabase()
    .from('agent_settings')
    .upsert({ user_id: userId, ...columns })
  return !error
}

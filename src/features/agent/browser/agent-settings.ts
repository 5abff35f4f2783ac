import * as z from 'zod/mini'
import { agentSettingsRow, noSettings, type AgentSettingsRow } from '#agent/domain/agent-settings.ts'
import { supabase } from '#platform/browser/supabase.ts'

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

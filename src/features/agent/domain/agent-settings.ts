import * as z from 'zod/mini'
import { industryTemplateIds } from './industry-templates.ts'

/** A row of agent_settings: a customer's choices for the agent, made in onboarding or in the portal. */
export const agentSettingsRow = z.object({
  voice_sample_path: z.nullable(z.string()),
  voice_sample_name: z.nullable(z.string()),
  voice_sample_bytes: z.nullable(z.number()),
  industry_template: z.nullable(z.enum(industryTemplateIds)),
  business_name: z.nullable(z.string()),
  /** The agent's first words; null for the template's. */
  greeting: z.nullable(z.string()),
})
export type AgentSettingsRow = z.infer<typeof agentSettingsRow>

/** In characters; the database enforces them too. */
export const businessNameMaxLength = 80
export const greetingMaxLength = 300

/** A recording in the bucket. */
export interface VoiceSample {
  /** The path in the bucket; it begins with the customer's id. */
  path: string
  /** The name of the customer's file. */
  name: string
  bytes: number
}

export const noSettings: AgentSettingsRow = {
  voice_sample_path: null,
  voice_sample_name: null,
  voice_sample_bytes: null,
  industry_template: null,
  business_name: null,
  greeting: null,
}

/** Returns the sample of a row, or null if none is stored. */
export function sampleOf(row: AgentSettingsRow): VoiceSample | null {
  if (!row.voice_sample_path) return null
  return {
    path: row.voice_sample_path,
    name: row.voice_sample_name ?? row.voice_sample_path.split('/').at(-1) ?? '',
    bytes: row.voice_sample_bytes ?? 0,
  }
}

export const sampleColumns = (
  sample: VoiceSample | null,
): Omit<AgentSettingsRow, 'industry_template' | 'business_name' | 'greeting'> => ({
  voice_sample_path: sample?.path ?? null,
  voice_sample_name: sample?.name ?? null,
  voice_sample_bytes: sample?.bytes ?? null,
})

import type { Vapi } from '@vapi-ai/server-sdk'

export interface VoiceModel {
  /** The day on which OpenAI removes it, YYYY-MM-DD; null if none is announced. */
  removedOn: string | null
  /** Keeps a reasoning model from thinking before it speaks; absent for a model that does not reason. */
  effort?: Vapi.OpenAiModelReasoningEffort
}

/**
 * The language models that agents can have: names that Vapi knows, with the days that OpenAI has announced
 * (https://developers.openai.com/api/docs/deprecations). To use another one, add it with its day.
 */
export const voiceModels = {
  'gpt-5.6-luna': { removedOn: null, effort: 'none' },
  'gpt-5.6-terra': { removedOn: null, effort: 'none' },
  'gpt-5.6-sol': { removedOn: null, effort: 'none' },
  'gpt-5.5': { removedOn: null, effort: 'none' },
  'gpt-5.4': { removedOn: null, effort: 'none' },
  'gpt-5.4-mini': { removedOn: null, effort: 'none' },
  'gpt-5.4-nano': { removedOn: '2027-04-01', effort: 'none' },
  'gpt-5.2': { removedOn: null, effort: 'none' },
  'gpt-5.1': { removedOn: '2027-04-01', effort: 'none' },
  'gpt-4.1': { removedOn: '2027-01-14' },
  'gpt-4.1-mini': { removedOn: '2027-01-14' },
  'gpt-4o': { removedOn: '2027-01-14' },
  'gpt-4o-mini': { removedOn: '2027-01-14' },
  'gpt-5': { removedOn: '2026-12-11', effort: 'minimal' },
  'gpt-5-mini': { removedOn: '2026-12-11', effort: 'minimal' },
  'gpt-5-nano': { removedOn: '2026-12-11', effort: 'minimal' },
} as const satisfies Partial<Record<Vapi.OpenAiModelModel, VoiceModel>>
export type VoiceModelName = keyof typeof voiceModels

/** The model of agents if `VAPI_MODEL` names none. */
export const defaultVoiceModel = 'gpt-5.6-luna' as const satisfies VoiceModelName

export const isVoiceModel = (name: string): name is VoiceModelName => Object.hasOwn(voiceModels, name)

/** How long before its removal a model is warned of, in days: enough to try another one on real calls. */
const warnedDays = 60

/**
 * Says that a model is removed, or will be within 60 days; undefined otherwise.
 * @param now in milliseconds since 1970
 */
export function removalProblem(name: VoiceModelName, now: number): string | undefined {
  const { removedOn }: VoiceModel = voiceModels[name]
  if (removedOn === null || Date.parse(removedOn) - now > warnedDays * 86_400_000) return undefined
  return `OpenAI removes ${name} on ${removedOn}: set VAPI_MODEL to another one (docs/operations.md).`
}

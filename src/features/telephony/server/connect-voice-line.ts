import { EnvironmentError, type ServerEnv } from '#platform/server/env.ts'
import { defaultVoiceModel, isVoiceModel, type VoiceModelName } from '#telephony/domain/voice-models.ts'
import { vapiLine } from '#telephony/server/vapi/vapi-line.ts'
import type { VoiceLine } from './voice-line.ts'

/**
 * Connects to the voice provider if its key is set. Without a key, agents are set up by hand. Loads the
 * provider's SDK, which consists of 2,000 modules: call this after all checks of a request.
 * @throws EnvironmentError if a variable is missing that the key needs, or the model is unknown
 */
export async function voiceLine(env: ServerEnv): Promise<VoiceLine | undefined> {
  const { VAPI_API_KEY: apiKey, VAPI_WEBHOOK_CREDENTIAL, VAPI_WEBHOOK_SECRET } = env
  if (!apiKey) return undefined
  return vapiLine({
    apiKey,
    url: env.VAPI_API_URL,
    credential: needed('VAPI_WEBHOOK_CREDENTIAL', VAPI_WEBHOOK_CREDENTIAL),
    webhookSecret: needed('VAPI_WEBHOOK_SECRET', VAPI_WEBHOOK_SECRET),
    model: voiceModel(env),
  })
}

/**
 * Returns the language model of all agents.
 * @throws EnvironmentError if `VAPI_MODEL` names one that is not in the table
 */
export function voiceModel({
  VAPI_MODEL: name = defaultVoiceModel,
}: Pick<ServerEnv, 'VAPI_MODEL'>): VoiceModelName {
  if (!isVoiceModel(name)) throw new EnvironmentError(['VAPI_MODEL'])
  return name
}

function needed(name: string, value: string | undefined): string {
  if (!value) throw new EnvironmentError([name])
  return value
}

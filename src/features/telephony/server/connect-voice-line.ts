import { EnvironmentError, type ServerEnv } from '#platform/server/env.ts'
import type { LineProvider } from '#telephony/domain/voice-line.ts'
import { defaultVoiceModel, isVoiceModel, type VoiceModelName } from '#telephony/domain/voice-models.ts'
import { retellLine } from './retell-line.ts'
import { vapiLine } from './vapi-line.ts'
import type { VoiceLine } from './voice-line.ts'

/**
 * Connects to the voice provider whose key is set. Without a key, agents are set up by hand. Loads the
 * provider's SDK, and Vapi's consists of 2,000 modules: call this after all checks of a request.
 * @throws EnvironmentError if a variable is missing that the key needs, or the model is unknown
 */
export async function voiceLine(env: ServerEnv): Promise<VoiceLine | undefined> {
  const { VAPI_API_KEY, VAPI_WEBHOOK_CREDENTIAL, VAPI_WEBHOOK_SECRET, RETELL_API_KEY, RETELL_WEBHOOK_KEY } =
    env
  if (VAPI_API_KEY) {
    return vapiLine({
      apiKey: VAPI_API_KEY,
      url: env.VAPI_API_URL,
      credential: needed('VAPI_WEBHOOK_CREDENTIAL', VAPI_WEBHOOK_CREDENTIAL),
      webhookSecret: needed('VAPI_WEBHOOK_SECRET', VAPI_WEBHOOK_SECRET),
      model: voiceModel(env),
    })
  }
  if (RETELL_API_KEY) {
    return retellLine({
      apiKey: RETELL_API_KEY,
      url: env.RETELL_API_URL,
      webhookKey: needed('RETELL_WEBHOOK_KEY', RETELL_WEBHOOK_KEY),
    })
  }
  return undefined
}

/**
 * Connects to a provider that runs no agents any more, to delete its calls there; undefined unless its former key is set. Its
 * requests to us are not answered.
 */
export async function formerVoiceLine(
  provider: LineProvider,
  env: ServerEnv,
): Promise<Pick<VoiceLine, 'purge'> | undefined> {
  const { FORMER_VAPI_API_KEY, FORMER_RETELL_API_KEY, VAPI_API_URL, RETELL_API_URL } = env
  const unused = { credential: '', webhookSecret: '', webhookKey: '', model: defaultVoiceModel }
  if (provider === 'vapi' && FORMER_VAPI_API_KEY)
    return vapiLine({ ...unused, apiKey: FORMER_VAPI_API_KEY, url: VAPI_API_URL })
  if (provider === 'retell' && FORMER_RETELL_API_KEY)
    return retellLine({ ...unused, apiKey: FORMER_RETELL_API_KEY, url: RETELL_API_URL })
  return undefined
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

import type { VoiceProvider, VoiceSetting } from './voice-setting.ts'

/** The sources that the content security policy must allow for a provider's widget. */
interface Sources {
  script: readonly string[]
  connect: readonly string[]
  frame: readonly string[]
  media: readonly string[]
}

/** The hosts of each provider besides its script's. Daily carries Vapi's calls. */
const reached: Record<VoiceProvider, { connect: readonly string[]; script?: readonly string[] }> = {
  own: { connect: [] },
  vapi: {
    connect: ['https://*.vapi.ai', 'wss://*.vapi.ai', 'https://*.daily.co', 'wss://*.daily.co'],
    script: ['https://*.daily.co'],
  },
  global: { connect: [] },
}

/** Returns the sources of a setting, if there is one: its provider's, its script's origin, and those of the option `connect` (comma-separated). */
export function voiceSources(setting: VoiceSetting | undefined): Sources {
  const { provider, options }: VoiceSetting = setting ?? { provider: 'own', options: {} }
  const origin = options.script ? [new URL(options.script).origin] : []
  const { connect, script = [] } = reached[provider]
  const further = options.connect?.split(',').filter(Boolean) ?? []
  const hosts = [...origin, ...connect, ...further]
  return {
    script: [...origin, ...script],
    connect: hosts,
    frame: hosts.filter((host) => host.startsWith('https:')),
    media: hosts.filter((host) => host.startsWith('https:')),
  }
}

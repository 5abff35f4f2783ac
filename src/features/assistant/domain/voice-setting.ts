/**
 * Who answers on the pages: `own` is the site's own agent, another provider's widget is the value of PUBLIC_VOICE_WIDGET. It names
 * the provider and its options, written as a URL writes a query: `vapi?apiKey=…&assistant=…`. docs/voice-agent.md lists the providers.
 */
export interface VoiceSetting {
  provider: VoiceProvider
  options: Readonly<Record<string, string>>
}

/** The options that each provider needs, and its script unless the options name another. */
const providers = {
  vapi: {
    needs: ['apiKey', 'assistant'],
    script: 'https://cdn.jsdelivr.net/gh/VapiAI/html-script-tag@latest/dist/assets/index.js',
  },
  global: { needs: ['script', 'global'], script: '' },
} as const
type WidgetProvider = keyof typeof providers
export type VoiceProvider = 'own' | WidgetProvider

const isProvider = (name: string): name is WidgetProvider => Object.hasOwn(providers, name)

/**
 * Parses PUBLIC_VOICE_WIDGET. Without it the site's own agent answers if a language model is connected, else nobody: undefined.
 * @throws Error that names an unknown provider or a missing option; it stops the build
 */
export function voiceSetting(text: string | undefined, hasTalk: boolean): VoiceSetting | undefined {
  if (!text) return hasTalk ? { provider: 'own', options: {} } : undefined
  const [name = '', query] = text.split(/\?(.*)/s)
  if (!isProvider(name))
    throw new Error(
      `PUBLIC_VOICE_WIDGET names the provider "${name}". It may be one of: ${Object.keys(providers).join(', ')}.`,
    )
  const { needs, script } = providers[name]
  const options = { ...(script && { script }), ...Object.fromEntries(new URLSearchParams(query)) }
  const missing = needs.filter((need) => !(need in options))
  if (missing.length > 0)
    throw new Error(
      `PUBLIC_VOICE_WIDGET lacks ${missing.join(' and ')}: write ${name}?${needs.map((need) => `${need}=…`).join('&')}.`,
    )
  return { provider: name, options }
}

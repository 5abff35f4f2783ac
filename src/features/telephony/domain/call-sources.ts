import type { LineProvider } from './voice-line.ts'

/**
 * The sources that a page's content policy has to allow for a call to an agent. Vapi's SDK loads Daily's code from
 * c.daily.co by a script element (docs/decisions/0022-calls-from-the-browser.md); its own API is asked by our server.
 */
const sources: Record<LineProvider, { script?: string; connect: string }> = {
  vapi: { script: 'https://c.daily.co', connect: 'https://*.daily.co wss://*.daily.co' },
  retell: { connect: 'https://*.livekit.cloud wss://*.livekit.cloud' },
}

type Keys = Readonly<Partial<Record<'VAPI_API_KEY' | 'RETELL_API_KEY', string | undefined>>>

/** Returns the voice provider whose key is set. */
export const connectedProvider = (env: Keys): LineProvider | undefined =>
  env.VAPI_API_KEY ? 'vapi' : env.RETELL_API_KEY ? 'retell' : undefined

/** Returns what the content policy has to allow for calls, by the environment; nothing without a voice provider. */
export const callSources = (env: Keys): (typeof sources)[LineProvider] | undefined => {
  const provider = connectedProvider(env)
  return provider && sources[provider]
}

import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import type { AgentSpec } from '#telephony/domain/voice-line.ts'
import { defaultVoiceModel } from '#telephony/domain/voice-models.ts'
import { vapiLine } from '#telephony/server/vapi/vapi-line.ts'
import type { VoiceLine } from '#telephony/server/voice-line.ts'
import type { Outcome } from '../../local/voice/calls.ts'
import type { LoggedRequest } from '../../local/voice/controls.ts'
import { startVoiceProvider, type VoiceProvider } from '../../local/voice/provider.ts'
import type { Tables } from '../../local/voice/state.ts'

export const keys = {
  api: 'vapi-suite',
  credential: 'credential-suite',
  webhookSecret: 'secret-suite',
}

/** A request that the stand-in sent to us. */
export interface Received {
  request: Request
  body: string
}

export interface VoiceBench {
  standIn: VoiceProvider
  url: string
  /** The URL under which the bench receives rings and reports. */
  hook: string
  /** Returns the provider's line, with its real SDK. */
  line(): Promise<VoiceLine>
  received: Received[]
  /** Responds to the stand-in's requests; at first with 200 and `{}`. */
  respond(how: (received: Received) => Response | Promise<Response>): void
  control<T = Record<string, unknown>>(name: string, body?: object): Promise<T>
  /** @param patience how long we are waited for, in milliseconds; by default as long as the provider waits */
  ring(number: string, caller?: string, patience?: number): Promise<Outcome>
  requests(): Promise<LoggedRequest[]>
  state(): Promise<{ [Name in Exclude<keyof Tables, 'settings'>]: Tables[Name][] }>
  close(): Promise<void>
}

const mount = '/local/voice'

/** Starts the stand-in for the voice provider behind a real HTTP server, and an endpoint for its requests. */
export async function startVoiceBench(options: { stateFile?: string } = {}): Promise<VoiceBench> {
  const received: Received[] = []
  let respond: Parameters<VoiceBench['respond']>[0] = () => Response.json({})
  const listener = getRequestListener(async (request, env) => {
    const url = new URL(request.url)
    if (url.pathname === '/hook') {
      const one = { request, body: await request.text() }
      received.push(one)
      return respond(one)
    }
    url.pathname = url.pathname.slice(mount.length)
    const { outgoing } = env as { outgoing: ServerResponse }
    return standIn.fetch(new Request(url, request), () => outgoing.destroy())
  })
  const server: Server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, resolve))
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`
  const url = origin + mount
  const standIn = startVoiceProvider({
    publicUrl: url,
    keys: { api: keys.api, secrets: { [keys.credential]: keys.webhookSecret } },
    activation: 0,
    ...options,
  })
  const control = async <T>(name: string, body: object = {}): Promise<T> => {
    const answer = await fetch(`${url}/test/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${name}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as T
  }
  const read = async <T>(name: string): Promise<T> => (await (await fetch(`${url}/test/${name}`)).json()) as T
  return {
    standIn,
    url,
    hook: `${origin}/hook`,
    line: () =>
      vapiLine({
        apiKey: keys.api,
        url: `${url}/vapi`,
        credential: keys.credential,
        webhookSecret: keys.webhookSecret,
        model: defaultVoiceModel,
      }),
    received,
    respond(how) {
      respond = how
    },
    control,
    // JSON leaves out what is undefined.
    ring: (number, caller, patience) => control('ring', { number, caller, patience }),
    requests: async () => (await read<{ requests: LoggedRequest[] }>('requests')).requests,
    state: () => read('state'),
    async close() {
      await standIn.close()
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

/** Returns the spec of an agent of this account. */
export const specOf = (account: string, more: Partial<AgentSpec> = {}): AgentSpec => ({
  account,
  greeting: 'Harbour Hotel, an assistant speaking. How may I help?',
  prompt: 'You answer the phone of Harbour Hotel.',
  languages: ['en-US'],
  timeZone: 'America/New_York',
  voice: null,
  handOver: null,
  maxSeconds: 600,
  silenceSeconds: 30,
  keepRecordings: false,
  reportsTo: 'http://localhost/reports',
  tools: [],
  ...more,
})

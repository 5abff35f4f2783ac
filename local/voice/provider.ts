import { setTimeout as sleep } from 'node:timers/promises'
import { Hono } from 'hono'
import { Faults } from '../stripe/faults.ts'
import { Store } from '../stripe/store.ts'
import { broughtNumbers, verifyRecordingUrl, type Account } from './account.ts'
import { takeMessage, type Answer } from './agent-answers.ts'
import { addBroughtNumber, controls, type LoggedRequest, type VoiceFault } from './controls.ts'
import { Deliveries } from './deliveries.ts'
import type { Tables } from './state.ts'
import { vapiApi, vapiError } from './vapi-api.ts'
import { wavOf } from './wav.ts'

interface VoiceProviderOptions {
  /** The file that keeps the account; if absent, the account is kept in memory. */
  stateFile?: string
  /** The URL under which `fetch` is mounted, without a slash at its end. */
  publicUrl: string
  keys: Account['keys']
  /** How an agent replies to callers. */
  answer?: Answer
  /** How long it takes to activate a number, in milliseconds. */
  activation?: number
}

export interface VoiceProvider {
  /**
   * Responds to `/vapi/…`, `/recordings/…` and `/test/<control>`, relative to the mount.
   * @param breakConnection closes the client's connection; without it a lost response never arrives
   */
  fetch(request: Request, breakConnection?: () => void): Promise<Response>
  /** Stops the deliveries and closes the file. */
  close(): Promise<void>
}

/** The path of the API. */
const mount = '/vapi'
/** The delay of a lost response, in milliseconds: longer than any client waits. */
const lostFor = 90_000

/**
 * Starts the stand-in for the voice provider: an account at Vapi, behind the real SDK. It carries no sound: callers are
 * typed. After a kill it still has every change to which it has responded. controls.ts controls it;
 * docs/voice-agent.md lists the differences.
 * @throws Error if the state file cannot be read or written
 */
export function startVoiceProvider(options: VoiceProviderOptions): VoiceProvider {
  const { publicUrl, keys, answer = takeMessage, activation = 3_000 } = options
  const store = new Store<Tables>(options.stateFile)
  const account: Account = { store, publicUrl, keys, activation }
  const faults = new Faults<VoiceFault>()
  const requests: LoggedRequest[] = []
  const deliveries = new Deliveries(account)
  if (!store.get('settings', 'seeded')) {
    for (const number of broughtNumbers) addBroughtNumber(account, number)
    store.transact(() => store.put('settings', 'seeded', { done: true }))
  }

  const api = vapiApi(account)
  const failed = (status: number, message: string) => Response.json(vapiError(status, message), { status })

  async function handle(request: Request, path: string, breakConnection?: () => void): Promise<Response> {
    const lose = async (): Promise<Response> => {
      if (breakConnection) breakConnection()
      else await sleep(lostFor, undefined, { signal: request.signal, ref: false }).catch(() => undefined)
      return new Response(null, { status: 502 })
    }
    const fault = faults.take(request.method, path)
    if (fault?.status) return failed(fault.status, 'Injected by a control.')
    if (fault?.drop) return lose()
    if (fault?.delaySeconds) await sleep(fault.delaySeconds * 1000, undefined, { ref: false })
    if (request.headers.get('authorization') !== `Bearer ${keys.api}`)
      return failed(401, 'Invalid Key. Hot tip, you may be using the wrong one.')
    const url = new URL(request.url)
    url.pathname = path.slice(mount.length)
    const response = await api.fetch(new Request(url, request))
    return fault?.timeout ? lose() : response
  }

  const app = new Hono()
  app.get('/recordings/:file', (c) => {
    const id = c.req.param('file').replace(/\.wav$/, '')
    const call = store.get('calls', id)
    if (!call?.recorded) return c.text('Not found', 404)
    const { expires = '', signature = '' } = c.req.query()
    if (!verifyRecordingUrl(account, `/recordings/${id}.wav`, expires, signature))
      return c.text('Expired', 403)
    return c.body(wavOf(call.turns.map(({ who }) => who)), 200, { 'content-type': 'audio/wav' })
  })
  app.route('/', controls({ account, faults, deliveries, requests, answer }))

  deliveries.start()
  return {
    async fetch(request, breakConnection) {
      const path = decodeURI(new URL(request.url).pathname)
      if (!path.startsWith(`${mount}/`)) return app.fetch(request)
      const response = await handle(request, path, breakConnection)
      requests.push({ method: request.method, path, status: response.status })
      if (requests.length > 1_000) requests.shift()
      return response
    },
    async close() {
      await deliveries.close()
      store.close()
    },
  }
}

import { createHmac, randomUUID } from 'node:crypto'
import type { Account } from './account.ts'
import { vapiReportOf } from './reports.ts'
import type { Call, Delivery, Fields } from './state.ts'

/** How a message is signed. `none` is how Vapi sends it without a credential. */
export type Signing = 'valid' | 'forged' | 'stale' | 'none'

/** How long Vapi waits for the response to a report, in milliseconds. */
const patience = 20_000
const tick = 1_000
/** Older than any receiver accepts. */
const staleAge = 600_000

/**
 * Returns the headers with the provider's signature, by the credential that the owner of the server named.
 * @param signing how it is signed instead; by default as Vapi does, which is not at all if there is no such credential
 */
export function signedHeaders(
  { keys }: Account,
  body: string,
  server: Fields | undefined,
  signing: Signing = 'valid',
): Record<string, string> {
  const own = keys.secrets[String(server?.credentialId)]
  const type = { 'content-type': 'application/json' }
  if (signing === 'none' || !own) return type
  const age = signing === 'stale' ? staleAge : 0
  const timestamp = String(Math.floor((Date.now() - age) / 1000))
  const secret = signing === 'forged' ? 'not the secret' : own
  return {
    ...type,
    'x-timestamp': timestamp,
    'x-signature': createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex'),
  }
}

/** Asks us something, and reads our answer; the response is the error's name if none came. */
export async function ask(
  url: string,
  headers: Record<string, string>,
  body: string,
  patience: number,
): Promise<{ status: number; json: unknown; response: string }> {
  try {
    const signal = AbortSignal.timeout(patience)
    const response = await fetch(url, { method: 'POST', headers, body, signal })
    const text = await response.text()
    let json: unknown
    try {
      json = JSON.parse(text)
    } catch {
      json = undefined
    }
    return { status: response.status, json, response: `${response.status} ${text}` }
  } catch (error) {
    return { status: 0, json: undefined, response: error instanceof Error ? error.name : 'failed' }
  }
}

interface Sent {
  url: string
  headers: Record<string, string>
  body: string
}

/** Sends the reports of calls, again after a failure, also after a restart. */
export class Deliveries {
  readonly #account: Account
  readonly #sending = new Map<string, Promise<void>>()
  /** The latest request of each call, in the same bytes. */
  readonly #latest = new Map<string, Sent>()
  #timer: NodeJS.Timeout | undefined

  constructor(account: Account) {
    this.#account = account
  }

  start(): void {
    this.#timer = setInterval(() => this.#sendDue(), tick).unref()
  }

  /**
   * Reports a call as its agent is configured, and resolves after the first attempts.
   * @param options.times how often the report is sent
   */
  async report(call: Call, options: { times?: number; signing?: Signing } = {}): Promise<string[]> {
    const { times = 1, signing = 'valid' } = options
    const responses: string[] = []
    const delivery = this.#reportOf(call)
    for (let copy = 0; delivery && copy < times; copy++) {
      const queued = { ...delivery, id: randomUUID(), ...(signing === 'valid' ? {} : { tries: 1 }) }
      this.#put(queued)
      await this.#send(queued, signing)
      responses.push(this.#account.store.get('deliveries', queued.id)?.lastResponse ?? '')
    }
    return responses
  }

  /** Sends the latest request of a call again, in the same bytes and with the same signature. */
  async replay(call: string): Promise<string> {
    const sent = this.#latest.get(call)
    return sent ? this.#post(sent, patience) : 'nothing was sent'
  }

  /** Sends everything that is pending now. */
  async retry(): Promise<void> {
    for (const one of this.#pending()) await this.#send(one, 'valid')
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await Promise.allSettled(this.#sending.values())
  }

  /** Returns the report of a call, if its assistant wants one. */
  #reportOf(call: Call): Omit<Delivery, 'id'> | undefined {
    const assistant = this.#account.store.get('assistants', call.agent)
    const server = assistant?.server as Fields | undefined
    const messages = assistant?.serverMessages as string[] | undefined
    if (!server?.url || (messages && !messages.includes('end-of-call-report'))) return undefined
    const plan = server.backoffPlan as { maxRetries: number; baseDelaySeconds: number } | undefined
    return {
      call: call.id,
      attempts: 0,
      state: 'pending',
      nextAt: Date.now(),
      lastResponse: null,
      url: String(server.url),
      body: vapiReportOf(this.#account, call),
      tries: 1 + (plan?.maxRetries ?? 0),
      wait: (plan?.baseDelaySeconds ?? 1) * 1000,
    }
  }

  #pending(): Delivery[] {
    return this.#account.store.all('deliveries').filter(({ state }) => state === 'pending')
  }

  #sendDue(): void {
    for (const one of this.#pending())
      if (one.nextAt <= Date.now() && !this.#sending.has(one.id)) void this.#send(one, 'valid')
  }

  #put(delivery: Delivery): void {
    this.#account.store.transact(() => this.#account.store.put('deliveries', delivery.id, delivery))
  }

  async #send(delivery: Delivery, signing: Signing): Promise<void> {
    const sending = this.#attempt(delivery, signing)
    this.#sending.set(delivery.id, sending)
    await sending
    this.#sending.delete(delivery.id)
  }

  async #attempt(delivery: Delivery, signing: Signing): Promise<void> {
    const { body, url } = delivery
    const server = this.#account.store
      .all('assistants')
      .map((assistant) => assistant.server as Fields | undefined)
      .find((each) => each?.url === url)
    const headers = signedHeaders(this.#account, body, server, signing)
    const sent = { url, headers, body }
    this.#latest.set(delivery.call, sent)
    const lastResponse = await this.#post(sent, patience)
    const attempts = delivery.attempts + 1
    const delivered = /^2\d\d/.test(lastResponse)
    this.#put({
      ...delivery,
      attempts,
      lastResponse,
      state: delivered ? 'delivered' : attempts < delivery.tries ? 'pending' : 'failed',
      nextAt: Date.now() + delivery.wait * 2 ** delivery.attempts,
    })
  }

  async #post({ url, headers, body }: Sent, wait: number): Promise<string> {
    return (await ask(url, headers, body, wait)).response
  }
}

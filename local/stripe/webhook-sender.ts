import { Stripe } from 'stripe'
import type { Delivery } from './state.ts'
import type { Store } from './store.ts'

/** The seconds until the next attempt after each failure; the last value repeats. Stripe begins more slowly. */
const backOff = [1, 2, 5, 15, 60, 300, 900, 3600] as const
/** How long a delivery is retried, in milliseconds: three days, as at Stripe. */
const retryPeriod = 3 * 86_400_000
const concurrency = 4
const responseTimeout = 20_000

interface Endpoint {
  url: string
  secret: string
}

/** Sends signed events to the webhook endpoint, several at once and so in any order, and retries failed deliveries. */
export class WebhookSender {
  readonly #store: Store
  readonly #endpoint: Endpoint
  readonly #signer = new Stripe('sk_test_signer').webhooks
  readonly #inFlight = new Map<string, Promise<void>>()
  readonly #closing = new AbortController()
  readonly #waiting = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  /** Whether a check is already scheduled, so that deliveries of one transaction are handled together. */
  #isScheduled = false
  #idle: (() => void)[] = []

  constructor(store: Store, endpoint: Endpoint) {
    this.#store = store
    this.#endpoint = endpoint
    for (const delivery of store.all('deliveries')) {
      if (delivery.state === 'pending') this.#waiting.add(delivery.id)
    }
    store.watch((table, id) => {
      if (table !== 'deliveries') return
      this.#waiting.add(id)
      if (!this.#isScheduled) setImmediate(() => this.#wake())
      this.#isScheduled = true
    })
  }

  /** Sends the deliveries that the last run left; new deliveries are sent as they are queued. */
  start(): void {
    this.#wake()
  }

  #wake(): void {
    this.#isScheduled = false
    clearTimeout(this.#timer)
    if (this.#closing.signal.aborted) return
    let next = Infinity
    for (const id of this.#waiting) {
      const delivery = this.#store.get('deliveries', id)
      if (delivery?.state !== 'pending') this.#waiting.delete(id)
      else if (delivery.nextAt > Date.now()) next = Math.min(next, delivery.nextAt)
      else if (this.#inFlight.size < concurrency && !this.#inFlight.has(id)) this.#send(delivery)
    }
    if (next < Infinity) {
      this.#timer = setTimeout(() => this.#wake(), Math.min(next - Date.now(), 2 ** 31 - 1)).unref()
    }
    if (!this.#busy()) for (const resolve of this.#idle.splice(0)) resolve()
  }

  /** Resolves when no delivery is being sent or due. Held deliveries and later attempts do not count. */
  settle(): Promise<void> {
    if (!this.#busy()) return Promise.resolve()
    return new Promise((resolve) => this.#idle.push(resolve))
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer)
    this.#closing.abort()
    await Promise.all(this.#inFlight.values())
    for (const resolve of this.#idle.splice(0)) resolve()
  }

  #busy(): boolean {
    if (this.#inFlight.size > 0) return true
    return [...this.#waiting].some((id) => {
      const delivery = this.#store.get('deliveries', id)
      return delivery?.state === 'pending' && delivery.nextAt <= Date.now()
    })
  }

  #send(delivery: Delivery): void {
    const done = this.#post(delivery.event).then((response) => {
      this.#inFlight.delete(delivery.id)
      // A delivery that close() has aborted is sent again after the next start.
      if (this.#closing.signal.aborted && response !== '2xx') return
      this.#store.transact(() => this.#record(delivery.id, response))
      this.#wake()
    })
    this.#inFlight.set(delivery.id, done)
  }

  /** @returns "2xx", or the status or the error of a failure */
  async #post(eventId: string): Promise<string> {
    const event = this.#store.get('events', eventId)
    const payload = JSON.stringify(event, null, 2)
    // The receiver compares the timestamp with the real time, not with the account's time.
    const signature = await this.#signer.generateTestHeaderStringAsync({
      payload,
      secret: this.#endpoint.secret,
      timestamp: Math.floor(Date.now() / 1000),
    })
    try {
      const response = await fetch(this.#endpoint.url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'stripe-signature': signature,
          'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
        },
        body: payload,
        redirect: 'manual',
        signal: AbortSignal.any([this.#closing.signal, AbortSignal.timeout(responseTimeout)]),
      })
      await response.body?.cancel()
      return response.ok ? '2xx' : String(response.status)
    } catch (error) {
      return error instanceof Error ? error.name : 'failed'
    }
  }

  #record(id: string, response: string): void {
    const delivery = this.#store.get('deliveries', id)
    if (!delivery) return
    const attempts = delivery.attempts + 1
    const wait = backOff[Math.min(attempts, backOff.length) - 1] ?? 3600
    const failedState = Date.now() - delivery.since > retryPeriod ? 'failed' : delivery.state
    this.#store.put('deliveries', id, {
      ...delivery,
      attempts,
      lastResponse: response,
      nextAt: Date.now() + wait * 1000,
      state: response === '2xx' ? 'delivered' : failedState,
    })
    const event = this.#store.get('events', delivery.event)
    if (response === '2xx' && event) this.#store.put('events', event.id, { ...event, pending_webhooks: 0 })
  }
}

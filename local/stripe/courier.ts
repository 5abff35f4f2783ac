import { Stripe } from 'stripe'
import type { Delivery } from './state.ts'
import type { Store } from './store.ts'

/** Seconds until the next attempt after each failure; the last for all that follow. Stripe begins slower. */
const backOff = [1, 2, 5, 15, 60, 300, 900, 3600] as const
/** After three days an event is given up, as at Stripe. In milliseconds. */
const givenUpAfter = 3 * 86_400_000
const atOnce = 4
const answerWithin = 20_000

interface Endpoint {
  url: string
  secret: string
}

/** Brings events to the webhook endpoint: signed, several at once and so in no order, again until they are taken. */
export class Courier {
  readonly #store: Store
  readonly #endpoint: Endpoint
  readonly #signer = new Stripe('sk_test_signer').webhooks
  readonly #onTheWay = new Map<string, Promise<void>>()
  readonly #closing = new AbortController()
  readonly #waiting = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  /** Set while several deliveries of one turn wait to be looked at together. */
  #soon = false
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
      if (!this.#soon) setImmediate(() => this.#wake())
      this.#soon = true
    })
  }

  /** Begins with what the last run left behind; later deliveries are noticed as they are queued. */
  start(): void {
    this.#wake()
  }

  #wake(): void {
    this.#soon = false
    clearTimeout(this.#timer)
    if (this.#closing.signal.aborted) return
    let next = Infinity
    for (const id of this.#waiting) {
      const delivery = this.#store.get('deliveries', id)
      if (delivery?.state !== 'pending') this.#waiting.delete(id)
      else if (delivery.nextAt > Date.now()) next = Math.min(next, delivery.nextAt)
      else if (this.#onTheWay.size < atOnce && !this.#onTheWay.has(id)) this.#send(delivery)
    }
    if (next < Infinity) {
      this.#timer = setTimeout(() => this.#wake(), Math.min(next - Date.now(), 2 ** 31 - 1)).unref()
    }
    if (!this.#busy()) for (const resolve of this.#idle.splice(0)) resolve()
  }

  /** Resolves when nothing is on its way or due; what waits for another attempt, or is held, does not count. */
  settle(): Promise<void> {
    if (!this.#busy()) return Promise.resolve()
    return new Promise((resolve) => this.#idle.push(resolve))
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer)
    this.#closing.abort()
    await Promise.all(this.#onTheWay.values())
    for (const resolve of this.#idle.splice(0)) resolve()
  }

  #busy(): boolean {
    if (this.#onTheWay.size > 0) return true
    return [...this.#waiting].some((id) => {
      const delivery = this.#store.get('deliveries', id)
      return delivery?.state === 'pending' && delivery.nextAt <= Date.now()
    })
  }

  #send(delivery: Delivery): void {
    const done = this.#post(delivery.event).then((answer) => {
      this.#onTheWay.delete(delivery.id)
      // What was cut off by our own closing is sent again at the next start.
      if (this.#closing.signal.aborted && answer !== '2xx') return
      this.#store.transact(() => this.#record(delivery.id, answer))
      this.#wake()
    })
    this.#onTheWay.set(delivery.id, done)
  }

  /** @returns "2xx", or the status or the reason why it failed */
  async #post(eventId: string): Promise<string> {
    const event = this.#store.get('events', eventId)
    const payload = JSON.stringify(event, null, 2)
    // The receiver goes by its own clock, not by the account's.
    const signature = await this.#signer.generateTestHeaderStringAsync({
      payload,
      secret: this.#endpoint.secret,
      timestamp: Math.floor(Date.now() / 1000),
    })
    try {
      const answer = await fetch(this.#endpoint.url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'stripe-signature': signature,
          'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
        },
        body: payload,
        redirect: 'manual',
        signal: AbortSignal.any([this.#closing.signal, AbortSignal.timeout(answerWithin)]),
      })
      await answer.body?.cancel()
      return answer.ok ? '2xx' : String(answer.status)
    } catch (error) {
      return error instanceof Error ? error.name : 'failed'
    }
  }

  #record(id: string, answer: string): void {
    const delivery = this.#store.get('deliveries', id)
    if (!delivery) return
    const attempts = delivery.attempts + 1
    const wait = backOff[Math.min(attempts, backOff.length) - 1] ?? 3600
    const failedState = Date.now() - delivery.since > givenUpAfter ? 'failed' : delivery.state
    this.#store.put('deliveries', id, {
      ...delivery,
      attempts,
      lastAnswer: answer,
      nextAt: Date.now() + wait * 1000,
      state: answer === '2xx' ? 'delivered' : failedState,
    })
    const event = this.#store.get('events', delivery.event)
    if (answer === '2xx' && event) this.#store.put('events', event.id, { ...event, pending_webhooks: 0 })
  }
}

/** A fault that a test wants in the next requests. */
export interface Fault {
  /** The beginning of the path, `/v1/subscriptions`; "POST /v1/…" names the method as well. */
  path?: string
  /** Respond with this status, such as 500 or 429, and do nothing. */
  status?: number
  /** Respond with the status as if the request had begun: the response is repeated for its idempotency key. */
  began?: boolean
  /** Handle the request after this delay; its idempotency key is in use meanwhile. */
  delaySeconds?: number
  times: number
}

/** The pending faults. */
export class Faults<Kind extends Fault = Fault> {
  readonly #waiting: Kind[] = []

  add(fault: Kind): void {
    this.#waiting.push(fault)
  }

  clear(): void {
    this.#waiting.length = 0
  }

  /** Takes the fault for a request, if any. */
  take(method: string, path: string): Kind | undefined {
    const index = this.#waiting.findIndex(
      (fault) => !fault.path || path.startsWith(fault.path) || `${method} ${path}`.startsWith(fault.path),
    )
    const fault = this.#waiting[index]
    if (!fault) return undefined
    if (--fault.times <= 0) this.#waiting.splice(index, 1)
    return fault
  }
}

/** What a test asked to go wrong with the next calls. */
export interface Fault {
  /** Only calls whose path begins with this, `/v1/subscriptions`; "POST /v1/…" names the method as well. */
  path?: string
  /** Answer with this status, 500 or 429 and the like, and do nothing. */
  status?: number
  /** Do what is asked, and let the answer get lost. */
  timeout?: boolean
  /** Begin only after so many seconds; the idempotency key is in use meanwhile. */
  delaySeconds?: number
  times: number
}

/** The faults that wait for their calls. */
export class Faults {
  readonly #waiting: Fault[] = []

  add(fault: Fault): void {
    this.#waiting.push(fault)
  }

  clear(): void {
    this.#waiting.length = 0
  }

  /** Takes the fault that this call meets, if any. */
  take(method: string, path: string): Fault | undefined {
    const index = this.#waiting.findIndex(
      (fault) => !fault.path || path.startsWith(fault.path) || `${method} ${path}`.startsWith(fault.path),
    )
    const fault = this.#waiting[index]
    if (!fault) return undefined
    if (--fault.times <= 0) this.#waiting.splice(index, 1)
    return fault
  }
}

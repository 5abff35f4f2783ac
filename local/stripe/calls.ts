/** One call of the API, for tests to count and for the dashboard to show. */
export interface Call {
  method: string
  path: string
  status: number
  idempotencyKey: string | null
  /** The answer had been given before. */
  replayed: boolean
}

const keptCalls = 1_000

/** The latest calls of the API, oldest first, since the start or the last reset. */
export class Calls {
  #calls: Call[] = []

  add(call: Call): void {
    this.#calls.push(call)
    if (this.#calls.length > keptCalls) this.#calls.shift()
  }

  all(): readonly Call[] {
    return this.#calls
  }

  reset(): void {
    this.#calls = []
  }
}

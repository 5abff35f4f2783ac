/** A request to the API, for tests to count and for the dashboard to show. */
export interface LoggedRequest {
  method: string
  path: string
  status: number
  idempotencyKey: string | null
  /** Whether the response was a repetition, for the same idempotency key. */
  replayed: boolean
}

const keptRequests = 1_000

/** The latest requests to the API since the start or the last reset, oldest first. */
export class RequestLog {
  #requests: LoggedRequest[] = []

  add(request: LoggedRequest): void {
    this.#requests.push(request)
    if (this.#requests.length > keptRequests) this.#requests.shift()
  }

  all(): readonly LoggedRequest[] {
    return this.#requests
  }

  reset(): void {
    this.#requests = []
  }
}

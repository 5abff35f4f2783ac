import { StripeFailure } from './errors.ts'
import type { SavedResponse } from './state.ts'
import type { Store } from './store.ts'

/** How long a response is kept for its key, in seconds: a day, as at Stripe. */
const keptFor = 86_400

/**
 * Stripe's idempotency: the first response for a key, even an error, is repeated for the same request with the same key.
 * A malformed request is refused before it begins and not saved, so it can be corrected and sent again.
 */
export class IdempotencyKeys {
  readonly #store: Store
  readonly #now: () => number
  readonly #inUse = new Set<string>()

  constructor(store: Store, now: () => number) {
    this.#store = store
    this.#now = now
  }

  /**
   * @returns the saved response, if any
   * @throws StripeFailure 400 if the key was used with other parameters, 409 if its first request is still in progress
   */
  earlier(key: string, fingerprint: string): SavedResponse | undefined {
    if (this.#inUse.has(key)) {
      throw new StripeFailure(
        409,
        {
          type: 'invalid_request_error',
          code: 'idempotency_key_in_use',
          message: `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`,
        },
        { began: false },
      )
    }
    const saved = this.#store.get('responses', key)
    if (!saved || saved.at + keptFor < this.#now()) return undefined
    if (saved.fingerprint === fingerprint) return saved
    throw new StripeFailure(
      400,
      {
        type: 'idempotency_error',
        message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
      },
      { began: false },
    )
  }

  begin(key: string): void {
    this.#inUse.add(key)
  }

  end(key: string): void {
    this.#inUse.delete(key)
  }

  /** Saves a response, in the transaction of its request. */
  save(response: Omit<SavedResponse, 'at'>): void {
    this.#store.put('responses', response.key, { ...response, at: this.#now() })
  }

  /** Deletes expired responses. */
  prune(): void {
    for (const { key, at } of this.#store.all('responses')) {
      if (at + keptFor < this.#now()) this.#store.remove('responses', key)
    }
  }
}

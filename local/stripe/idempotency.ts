import { StripeFailure } from './errors.ts'
import type { SavedAnswer } from './state.ts'
import type { Store } from './store.ts'

/** How long an answer is kept under its key, in seconds: Stripe promises a day. */
const keptFor = 86_400

/**
 * Stripe's idempotency: the first answer to a key, be it an error, is given again to whoever asks the same with that key.
 * Only what began is kept: a request that is refused as malformed may be mended and sent again.
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
   * @returns the answer that was given before, if any
   * @throws StripeFailure 400 where the key came with other parameters, 409 where its first request is still being worked on
   */
  earlier(key: string, fingerprint: string): SavedAnswer | undefined {
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
    const saved = this.#store.get('answers', key)
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

  /** To be called in the transaction that the answer tells of. */
  save(answer: Omit<SavedAnswer, 'at'>): void {
    this.#store.put('answers', answer.key, { ...answer, at: this.#now() })
  }

  /** Forgets the answers that nobody may count on any more. */
  prune(): void {
    for (const { key, at } of this.#store.all('answers')) {
      if (at + keptFor < this.#now()) this.#store.remove('answers', key)
    }
  }
}

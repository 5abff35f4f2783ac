import type { Account } from './account.ts'
import { nextDueWork } from './billing/renewal.ts'
import type { Store } from './store.ts'

const realNow = (): number => Math.floor(Date.now() / 1000)

/** The account's clock: the real time, plus the offset that test controls have set. */
export class Clock {
  readonly #store: Store
  /** The present time while past work is done: the moment at which it was due. */
  #moment: number | undefined

  constructor(store: Store) {
    this.#store = store
  }

  /** The account's time, in seconds since 1970. */
  now(): number {
    return this.#moment ?? realNow() + this.ahead()
  }

  /** The offset from the real time, in seconds. */
  ahead(): number {
    return this.#store.get('settings', 'clock')?.seconds ?? 0
  }

  /** Advances the time, and does all work that falls due, each at its own moment. */
  advance(account: Account, to: number): void {
    this.#store.transact(() => {
      this.catchUp(account, to)
      this.#store.put('settings', 'clock', { seconds: Math.max(this.ahead(), to - realNow()) })
    })
  }

  /** Does all work that is due now, or at the given time, in seconds since 1970. */
  catchUp(account: Account, until = this.now()): void {
    try {
      for (;;) {
        const work = nextDueWork(account)
        if (!work || work.at > until) return
        this.#moment = Math.max(work.at, this.#moment ?? 0)
        this.#store.transact(work.run)
      }
    } finally {
      this.#moment = undefined
    }
  }
}

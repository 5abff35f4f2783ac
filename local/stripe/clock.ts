import type { Account } from './account.ts'
import { nextDueWork } from './billing/renewal.ts'
import type { Store } from './store.ts'

const realNow = (): number => Math.floor(Date.now() / 1000)

/** The account's time: the real one, and as far ahead of it as a test control has moved it. */
export class Clock {
  readonly #store: Store
  /** Set while past work is done at the moment at which it was due. */
  #moment: number | undefined

  constructor(store: Store) {
    this.#store = store
  }

  /** Seconds since 1970. */
  now(): number {
    return this.#moment ?? realNow() + this.ahead()
  }

  /** How far ahead of the real time, in seconds. */
  ahead(): number {
    return this.#store.get('settings', 'clock')?.seconds ?? 0
  }

  /** Moves the time on, and does on the way all that falls due, each at its own moment. */
  advance(account: Account, to: number): void {
    this.#store.transact(() => {
      this.catchUp(account, to)
      this.#store.put('settings', 'clock', { seconds: Math.max(this.ahead(), to - realNow()) })
    })
  }

  /** Does what has fallen due until now, or until the given time, in seconds since 1970. */
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

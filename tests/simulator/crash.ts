import { AsyncLocalStorage } from 'node:async_hooks'

/** The point at which a function dies: at its n-th request, before the request is sent or before its response is read. */
export interface CrashPoint {
  request: number
  when: 'before' | 'after'
}

interface Invocation {
  requests: number
  point: CrashPoint | undefined
  isDead: boolean
  die: () => void
}

const invocations = new AsyncLocalStorage<Invocation>()
/** The requests that have been sent and not been answered yet, also those of functions that have died. */
const underWay = new Set<Promise<unknown>>()
const never = new Promise<never>(() => undefined)

/**
 * Runs a function that may die at a crash point. Its changes up to that point remain.
 * @returns undefined if the function died
 */
export function runUntilCrash<T>(
  point: CrashPoint | undefined,
  run: () => Promise<T>,
): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const invocation: Invocation = { requests: 0, point, isDead: false, die: () => resolve(undefined) }
    invocations.run(invocation, () => void run().then(resolve, reject))
  })
}

/** Waits until what has been sent is answered, as it is long before the minutes that a history lets pass are over. */
export const requestsAnswered = (): Promise<unknown> => Promise.allSettled(underWay)

/** Sends a request of the running function, unless the function has died or dies here. */
export async function requestUnlessDead<T>(send: () => Promise<T>): Promise<T> {
  const invocation = invocations.getStore()
  if (!invocation) return send()
  if (invocation.isDead) return never
  const isHere = ++invocation.requests === invocation.point?.request
  const dies = (): Promise<never> => {
    invocation.isDead = true
    invocation.die()
    return never
  }
  if (isHere && invocation.point?.when === 'before') return dies()
  const sent = send()
  underWay.add(sent)
  const response = await sent.finally(() => underWay.delete(sent))
  return isHere || invocation.isDead ? dies() : response
}

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
  const response = await send()
  return isHere || invocation.isDead ? dies() : response
}

import { AsyncLocalStorage } from 'node:async_hooks'

/** Where a function dies: at its n-th call to anything, before the call is made or before its answer is read. */
export interface CrashPoint {
  call: number
  when: 'before' | 'after'
}

interface Invocation {
  calls: number
  point: CrashPoint | undefined
  isDead: boolean
  die: () => void
}

const invocations = new AsyncLocalStorage<Invocation>()
const never = new Promise<never>(() => undefined)

/** Runs a function that may die on the way; undefined when it did. What it began stays as it is. */
export function runUntilCrash<T>(
  point: CrashPoint | undefined,
  run: () => Promise<T>,
): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const invocation: Invocation = { calls: 0, point, isDead: false, die: () => resolve(undefined) }
    invocations.run(invocation, () => void run().then(resolve, reject))
  })
}

/** Makes a call of the function that runs, unless it dies here. */
export async function callUnlessDead<T>(call: () => Promise<T>): Promise<T> {
  const invocation = invocations.getStore()
  if (!invocation) return call()
  if (invocation.isDead) return never
  const isHere = ++invocation.calls === invocation.point?.call
  const dies = (): Promise<never> => {
    invocation.isDead = true
    invocation.die()
    return never
  }
  if (isHere && invocation.point?.when === 'before') return dies()
  const answer = await call()
  return isHere || invocation.isDead ? dies() : answer
}

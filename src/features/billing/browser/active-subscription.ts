import { cacheSubscription } from './subscription-cache.ts'
import { readSubscription } from './subscriptions.ts'

/** Milliseconds between the looks at a subscription that has just been paid; 20 seconds in all. */
const waits = [500, 500, 1_000, 1_000, 2_000, 3_000, 4_000, 4_000, 4_000]

/**
 * Waits until the provider's event has made a paid subscription active, and caches it, so that the portal shows it at
 * once. Gives up after 20 seconds.
 */
export async function awaitActiveSubscription(userId: string): Promise<void> {
  for (const ms of waits) {
    const subscription = await readSubscription(userId)
    if (subscription?.status === 'active') return cacheSubscription(userId, subscription)
    await new Promise((resolve) => setTimeout(resolve, ms))
  }
}

import * as z from 'zod/mini'
import { storageKey } from '#site'
import { subscription, type Subscription } from '#billing/domain/subscription.ts'
import { browserStorage } from '#platform/browser/storage/storage.ts'

const keyOf = (userId: string): string => storageKey(`subscription_${userId}`)

/** Returns the subscription as this browser last saw it (specification, section 3); null if none is readable. */
export function readCachedSubscription(userId: string): Subscription | null {
  try {
    return z.safeParse(subscription, JSON.parse(browserStorage.read(keyOf(userId)) ?? 'null')).data ?? null
  } catch {
    return null
  }
}

/** Keeps the subscription, if the storage takes it: without it only the first paint is slower. */
export const cacheSubscription = (userId: string, value: Subscription) =>
  void browserStorage.write(keyOf(userId), JSON.stringify(value))

export const forgetCachedSubscription = (userId: string) => browserStorage.remove(keyOf(userId))

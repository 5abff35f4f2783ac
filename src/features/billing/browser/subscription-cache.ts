import * as z from 'zod/mini'
import { storageKey } from '#site'
import { subscription, type Subscription } from '#billing/domain/subscription.ts'

const keyOf = (userId: string): string => storageKey(`subscription_${userId}`)

/** The subscription as this browser last saw it (specification, section 3); null where that is nothing or garbage. */
export function readCachedSubscription(userId: string): Subscription | null {
  try {
    return z.safeParse(subscription, JSON.parse(localStorage.getItem(keyOf(userId)) ?? 'null')).data ?? null
  } catch {
    return null
  }
}

export function cacheSubscription(userId: string, value: Subscription): void {
  try {
    localStorage.setItem(keyOf(userId), JSON.stringify(value))
  } catch {
    // A full or forbidden storage costs a faster first paint and nothing else.
  }
}

export const forgetCachedSubscription = (userId: string): void => localStorage.removeItem(keyOf(userId))

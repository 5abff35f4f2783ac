import * as z from 'zod/mini'
import { subscription, type Subscription } from '#billing/domain/subscription.ts'
import { supabase } from '#platform/browser/supabase.ts'
import { storageKey } from '#site'
import { browserStorage } from '#platform/browser/storage/storage.ts'

/** Reads this user's subscription with its minutes; null if there is no row, undefined without a readable answer. */
export async function readSubscription(userId: string): Promise<Subscription | null | undefined> {
  const { data, error } = await supabase()
    .from('subscription_overview')
    .select(
      'plan, status, minutes_used, minutes_limit, onboarding_completed, current_period_end, cancel_at, price_cents, plan_minutes, next_plan, next_price_cents, next_minutes, past_due_since, next_attempt_at, grace_ends, minutes_taken, minutes_owed',
    )
    .eq('user_id', userId)
    .maybeSingle()
  if (error) return undefined
  return data === null ? null : z.safeParse(subscription, data).data
}

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

/** Milliseconds between the looks at a subscription that has just been paid; 20 seconds in all. */
const waits = [500, 500, 1_000, 1_000, 2_000, 3_000, 4_000, 4_000, 4_000]

/**
 * Waits until the provider's event has made a paid subscription active, and caches it, so that the portal shows it at
 * once. Gives up after 20 seconds.
 */
export async function awaitActiveSubscription(userId: string): Promise<void> {
  for (const ms of waits) {
    const read = await readSubscription(userId)
    if (read?.status === 'active') return cacheSubscription(userId, read)
    await new Promise((resolve) => setTimeout(resolve, ms))
  }
}

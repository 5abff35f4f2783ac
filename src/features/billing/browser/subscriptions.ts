import * as z from 'zod/mini'
import { subscription, type Subscription } from '#billing/domain/subscription.ts'
import { supabase } from '#platform/browser/supabase.ts'

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

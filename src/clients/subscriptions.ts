import { supabase } from './supabase.ts'

/**
 * Writes whether onboarding is complete: false at signup, true at its end (specification, section 7).
 * @returns whether the database took it; with no row of this user there is nothing to take
 */
export async function setOnboardingCompleted(userId: string, completed: boolean): Promise<boolean> {
  const { error } = await supabase()
    .from('user_subscriptions')
    .update({ onboarding_completed: completed })
    .eq('user_id', userId)
  return !error
}

/** Whether this user has completed onboarding; undefined when the database gives no answer. */
export async function readOnboardingCompleted(userId: string): Promise<boolean | undefined> {
  const { data, error } = await supabase()
    .from('user_subscriptions')
    .select('onboarding_completed')
    .eq('user_id', userId)
    .maybeSingle()
  if (error) return undefined
  return data?.onboarding_completed === true
}

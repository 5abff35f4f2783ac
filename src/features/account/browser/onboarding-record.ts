import { noteDenial } from '#platform/browser/permission-errors.ts'
import { supabase } from '#platform/browser/supabase.ts'

/** Writes that onboarding is not complete, at signup (specification, section 7). */
export async function resetOnboarding(userId: string): Promise<boolean> {
  const { error } = await supabase()
    .from('user_subscriptions')
    .update({ onboarding_completed: false })
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

/**
 * Writes that onboarding is complete (specification, section 7).
 * @returns whether a row took it: a customer whose record is missing has completed nothing
 */
export async function completeOnboarding(userId: string): Promise<boolean> {
  const { data, error } = await supabase()
    .from('user_subscriptions')
    .update({ onboarding_completed: true })
    .eq('user_id', userId)
    .select('user_id')
  const taken = !error && data.length === 1
  // A policy that refuses an update leaves it without a row, and without an error.
  if (!error && !taken) noteDenial()
  return taken
}

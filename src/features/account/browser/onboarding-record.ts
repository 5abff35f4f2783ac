import { reportPermissionDenied } from '#platform/browser/permission-errors.ts'
import { supabase } from '#platform/browser/supabase.ts'
import { storageKey } from '#site'
import { tabStorage } from '#platform/browser/storage/storage.ts'

/** Marks onboarding as not complete, at signup (specification, section 7). */
export async function resetOnboarding(userId: string): Promise<boolean> {
  const { error } = await supabase()
    .from('user_subscriptions')
    .update({ onboarding_completed: false })
    .eq('user_id', userId)
  return !error
}

/** Returns whether this user has completed onboarding; undefined if the database does not answer. */
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
 * Marks onboarding as complete (specification, section 7).
 * @returns whether a row was updated; there is none if the customer's record is missing
 */
export async function completeOnboarding(userId: string): Promise<boolean> {
  const { data, error } = await supabase()
    .from('user_subscriptions')
    .update({ onboarding_completed: true })
    .eq('user_id', userId)
    .select('user_id')
  const isUpdated = !error && data.length === 1
  // If a policy refuses an update, no row changes and no error is returned.
  if (!error && !isUpdated) reportPermissionDenied()
  return isUpdated
}

const key = storageKey('onboarding_later')

/** Remembers Finish Later: the portal lets this user in from this tab until the next sign-in (decision 0003). */
export const postponedOnboarding = {
  postpone: (userId: string) => void tabStorage.write(key, userId),
  isPostponed: (userId: string) => tabStorage.read(key) === userId,
  forget: () => tabStorage.remove(key),
}

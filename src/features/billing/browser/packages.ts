import * as z from 'zod/mini'
import { invokeAsUser } from '#account/browser/invoke-as-user.ts'
import {
  buyPackageAnswer,
  minutesState,
  type BuyPackageAnswer,
  type MinutesState,
} from '#billing/domain/minutes/packages.ts'
import { supabase } from '#platform/browser/supabase.ts'
import type { Result } from '#platform/domain/result.ts'

/** Reads how the signed-in customer's minutes stand; undefined without a readable answer. */
export async function readMinutes(): Promise<MinutesState | undefined> {
  const { data, error } = await supabase().rpc('my_minutes')
  return error ? undefined : z.safeParse(minutesState, data).data
}

/**
 * Puts a package on the next invoice.
 * @param request the name of the press; the same one buys once
 */
export function buyPackage(request: string): Promise<Result<BuyPackageAnswer>> {
  return invokeAsUser('buy-package', { request }, buyPackageAnswer)
}

/** Sets what packages may cost in a period. Returns whether that succeeded. */
export async function saveCap(userId: string, cents: number): Promise<boolean> {
  const { error } = await supabase()
    .from('user_subscriptions')
    .update({ spend_cap_cents: cents })
    .eq('user_id', userId)
  return !error
}

import * as z from 'zod/mini'
import type { Failure } from '#platform/domain/failures.ts'
import type { Result } from '#platform/domain/result.ts'
import { signedInUser } from '#account/server/signed-in-user.ts'
import { DatabaseError } from '#platform/server/database.ts'
import type { Services } from '#platform/server/services.ts'

const noSubscription: Failure = {
  code: 'no_subscription',
  message: 'There is no subscription to manage yet.',
}

const customerRow = z.nullable(z.object({ stripe_customer_id: z.nullable(z.string()) }))

/** Returns the Stripe customer of the signed-in user. */
export async function signedInCustomer(request: Request, connected: Services): Promise<Result<string>> {
  const user = await signedInUser(request, connected)
  if (!user.ok) return user
  const { data, error } = await connected.supabase
    .from('user_subscriptions')
    .select('stripe_customer_id')
    .eq('user_id', user.value.id)
    .maybeSingle()
  if (error) throw new DatabaseError('user_subscriptions', error.code)
  const customer = z.parse(customerRow, data)?.stripe_customer_id
  return customer ? { ok: true, value: customer } : { ok: false, failure: noSubscription }
}

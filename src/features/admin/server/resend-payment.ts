import * as z from 'zod/mini'
import type { Failure } from '#platform/domain/failures.ts'
import type { ResendPaymentLinkAnswer } from '#admin/domain/contracts.ts'
import type { Result } from '#platform/domain/result.ts'
import { accountLinks, requestLink } from '#account/server/account-link.ts'
import { checkAdmin } from './check-admin.ts'
import { DatabaseError } from '#platform/server/database.ts'
import { startJob } from '#platform/server/jobs.ts'
import { logFailure } from '#platform/server/log.ts'
import { providerFailure } from '#platform/server/outgoing/provider-failure.ts'
import type { Services } from '#platform/server/services.ts'
import { makeSignupToken } from '#account/server/signup-token.ts'
import { nextSequence, syncSubscription } from '#billing/server/sync.ts'

const notPaid: Failure = { code: 'not_found', message: 'This checkout has no payment without an account.' }
const notMailed: Failure = {
  code: 'provider_unavailable',
  message: 'The link could not be mailed yet. It is tried again by itself.',
}

const paidCheckout = z.nullable(
  z.object({
    email: z.string(),
    user_id: z.nullable(z.string()),
    stripe_subscription_id: z.nullable(z.string()),
  }),
)

/**
 * Mails a paid checkout's link again, for the admin. If the account no longer exists, it is created again, and the payment
 * is assigned to it.
 */
export async function resendPaymentLink(
  { checkoutId }: { checkoutId: string },
  connected: Services,
  { request }: { request: Request },
): Promise<Result<ResendPaymentLinkAnswer>> {
  const denied = await checkAdmin(request, connected)
  if (denied) return { ok: false, failure: denied }
  const { supabase } = connected
  const { data, error } = await supabase
    .from('checkouts')
    .select('email, user_id, stripe_subscription_id')
    .eq('id', checkoutId)
    .eq('state', 'paid')
    .maybeSingle()
  if (error) throw new DatabaseError('checkouts', error.code)
  const checkout = z.parse(paidCheckout, data)
  if (!checkout?.stripe_subscription_id) return { ok: false, failure: notPaid }
  const { email, user_id: userId, stripe_subscription_id: subscription } = checkout

  try {
    if (!userId) await createAccount({ checkoutId, email, subscription }, connected)
    const user = await requestLink(email, 'payment', connected)
    if (!user) return { ok: false, failure: notPaid }
    return (await startJob(accountLinks, user, connected))
      ? { ok: true, value: { mailed: true } }
      : { ok: false, failure: notMailed }
  } catch (caught) {
    logFailure('resend-payment-link', caught)
    const failure = providerFailure(caught)
    if (!failure) throw caught
    return { ok: false, failure }
  }
}

async function createAccount(
  { checkoutId, email, subscription }: { checkoutId: string; email: string; subscription: string },
  connected: Services,
): Promise<void> {
  const { supabase } = connected
  const { userId } = await makeSignupToken(supabase, email, null)
  const { error } = await supabase.from('checkouts').update({ user_id: userId }).eq('id', checkoutId)
  if (error) throw new DatabaseError('checkouts', error.code)
  await syncSubscription(subscription, await nextSequence(supabase), connected)
}

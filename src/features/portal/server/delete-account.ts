import type { SupabaseClient } from '@supabase/supabase-js'
import type Stripe from 'stripe'
import * as z from 'zod/mini'
import type { DeleteAccountAnswer, DeleteAccountRequest } from '#portal/domain/contracts.ts'
import type { Failure } from '#platform/domain/failures.ts'
import { normalizeEmail } from '#platform/domain/email.ts'
import type { Result } from '#platform/domain/result.ts'
import { voiceSampleBucket } from '#agent/domain/voice-sample.ts'
import { priceAmount } from '#plans/domain/plans.ts'
import { site } from '#site'
import { billWhatWaits } from '#billing/server/last-invoice.ts'
import { billPackages } from '#billing/server/packages.ts'
import { giveUp } from '#billing/server/rivals.ts'
import { nextTicket, syncSubscription } from '#billing/server/sync.ts'
import { signedInUser } from '#account/server/signed-in-user.ts'
import { CodedError } from '#platform/server/coded-error.ts'
import { runSql, DatabaseError } from '#platform/server/database.ts'
import type { Invocation } from '#platform/server/http.ts'
import { logFailure } from '#platform/server/log.ts'
import { sendMail } from '#platform/server/mail.ts'
import { checkoutInProgress, providerFailure } from '#platform/server/provider-failure.ts'
import type { Services } from '#platform/server/services.ts'
import { unlessUnknown } from '#platform/server/stripe.ts'
import { purgeCalls } from '#telephony/server/recordings.ts'
import { updateAgents } from '#telephony/server/update-agent.ts'

const obstacles = ['admin', 'blocked', 'in_progress'] as const
const begun = z.object({ obstacle: z.nullable(z.enum(obstacles)), customers: z.array(z.string()) })
const ended = z.enum(['deleted', 'gone', ...obstacles])

const otherEmail: Failure = {
  code: 'invalid_request',
  message: 'This is not the email address of your account.',
}
const failures: Record<(typeof obstacles)[number], Failure> = {
  admin: { code: 'forbidden', message: 'The admin’s account cannot be deleted here.' },
  blocked: {
    code: 'forbidden',
    message: `Your account is blocked. Write to ${site.email} to have it deleted.`,
  },
  in_progress: checkoutInProgress,
}

/**
 * Deletes the signed-in user's account for good: first ends its subscriptions at Stripe, at once and without a refund, and
 * bills the packages that no invoice had charged, then removes the voice samples, then all its rows. In this order, an
 * account can be deleted again if a step fails, and no subscription charges for a deleted account. Stripe keeps the customer
 * and the invoices. An account with one subscription takes four sequential requests to Stripe, and five if packages waited.
 */
export async function deleteAccount(
  { email }: DeleteAccountRequest,
  connected: Services,
  { request, defer }: Invocation,
): Promise<Result<DeleteAccountAnswer>> {
  const { supabase } = connected
  const user = await signedInUser(request, connected)
  if (!user.ok) return user
  const { id } = user.value
  if (email !== normalizeEmail(user.value.email ?? '')) return { ok: false, failure: otherEmail }

  const account = { p_user_id: id }
  const before = await runSql(supabase, 'begin_account_deletion', account, begun)
  if (before.obstacle) return { ok: false, failure: failures[before.obstacle] }
  let charged = 0
  try {
    for (const customer of before.customers) charged += await endSubscriptions(customer, id, connected)
  } catch (error) {
    const failure = providerFailure(error)
    if (!failure) throw error
    logFailure('delete-account', error)
    return { ok: false, failure }
  }
  await removeSamples(id, supabase)
  await forgetSample(id, supabase)
  const outcome = await runSql(supabase, 'delete_account', account, ended)
  if (outcome !== 'deleted' && outcome !== 'gone') return { ok: false, failure: failures[outcome] }
  if (outcome === 'deleted') {
    defer(() => sendMail({ kind: 'account deleted', to: email, ...deletionMail(charged) }, connected))
    // If one of these fails, a scheduled function removes the agent at the voice provider, the calls, and the recordings.
    defer(() => updateAgents(connected, id))
    defer(() => purgeCalls(connected))
    // Removes files whose upload ended after the first removal.
    defer(() => removeSamples(id, supabase))
  }
  return { ok: true, value: { deleted: true } }
}

/**
 * Ends a customer's subscriptions, and bills the packages that wait. Packages that Stripe does not have yet are brought to
 * it first; what cannot be brought now is given up.
 * @returns what the last invoices charge, in cents
 * @throws StripeInvalidRequestError if Stripe does not know the customer: the key may belong to another account or mode, so
 * its subscriptions may still be running
 */
async function endSubscriptions(customer: string, user: string, connected: Services): Promise<number> {
  const { stripe, supabase } = connected
  // Stripe ends the subscriptions of a customer that is deleted there.
  if ((await stripe.customers.retrieve(customer)).deleted) return 0
  const { data } = await stripe.subscriptions.list({ customer, limit: 100 })
  let charged = 0
  for (const subscription of data.filter(({ status }) => !hasEnded(status))) {
    // The invoice of an update that waits for its payment has taken the waiting packages.
    if (subscription.pending_update && (await giveUp(subscription, stripe)))
      await syncSubscription(subscription.id, await nextTicket(supabase), connected)
    await billPackages(connected, user)
    await endSubscription(subscription.id, stripe)
    charged += await billWhatWaits(subscription, stripe)
  }
  return charged
}

async function endSubscription(id: string, stripe: Stripe): Promise<void> {
  // Stripe does not find a subscription to cancel if it ended a moment ago.
  const { status } =
    (await stripe.subscriptions.cancel(id).catch(unlessUnknown)) ?? (await stripe.subscriptions.retrieve(id))
  if (!hasEnded(status)) throw new SubscriptionRunsError(id, status)
}

const hasEnded = (status: Stripe.Subscription.Status): boolean =>
  status === 'canceled' || status === 'incomplete_expired'

/** A subscription still runs after it was canceled. */
class SubscriptionRunsError extends CodedError {
  override readonly name = 'SubscriptionRunsError'

  constructor(subscription: string, status: string) {
    super('subscription_runs', { subscription, status })
  }
}

/** Removes a customer's recordings. They are directly in the folder whose name is the customer's id. */
async function removeSamples(userId: string, supabase: SupabaseClient): Promise<void> {
  const files = supabase.storage.from(voiceSampleBucket)
  for (;;) {
    const { data, error: unread } = await files.list(userId)
    if (unread) throw new DatabaseError('voice-samples list', undefined)
    if (data.length === 0) return
    const { data: removed, error } = await files.remove(data.map(({ name }) => `${userId}/${name}`))
    if (error) throw new DatabaseError('voice-samples remove', undefined)
    // Another request has removed them.
    if (removed.length === 0) return
  }
}

/** Clears the recording's columns, in case that the account cannot be deleted after all. */
async function forgetSample(userId: string, supabase: SupabaseClient): Promise<void> {
  const { error } = await supabase
    .from('agent_settings')
    .update({ voice_sample_path: null, voice_sample_name: null, voice_sample_bytes: null })
    .eq('user_id', userId)
  if (error) throw new DatabaseError('agent_settings', error.code)
}

/** @param charged what the last invoice charges, in cents */
const deletionMail = (charged: number) => ({
  subject: `Your ${site.name} account has been deleted`,
  text: `Your ${site.name} account has been deleted, along with its settings, calls, recordings, minutes and voice sample. Your
subscription has ended.
${
  charged > 0
    ? `Packages of minutes that no invoice had charged yet are charged once more, ${priceAmount(charged)}. After that you will not be
charged again.`
    : 'You will not be charged again.'
}

Our payment provider keeps your invoices, as the law requires. If you did not request this, please write to
${site.email}.

There is nothing left for you to do. Thank you for having been our customer.
`,
})

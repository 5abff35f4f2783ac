import type { SupabaseClient } from '@supabase/supabase-js'
import type Stripe from 'stripe'
import * as z from 'zod/mini'
import type { DeleteAccountAnswer, DeleteAccountRequest } from '#portal/domain/contracts.ts'
import type { Failure } from '#platform/domain/failures.ts'
import { normalizeEmail } from '#platform/domain/email.ts'
import type { Result } from '#platform/domain/result.ts'
import { voiceSampleBucket } from '#agent/domain/voice-sample.ts'
import { site } from '#site'
import { signedInUser } from '#account/server/authenticate.ts'
import { CodedError } from '#platform/server/coded-error.ts'
import { callSql, DatabaseError } from '#platform/server/database.ts'
import { logFailure } from '#platform/server/log.ts'
import { sendMail } from '#platform/server/mail.ts'
import { checkoutInProgress, providerFailure } from '#platform/server/provider-failure.ts'
import type { Services } from '#platform/server/services.ts'
import { unlessUnknown } from '#platform/server/stripe.ts'

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
 * Deletes the caller's account for good: first ends its subscriptions at Stripe, at once and without a refund, then
 * removes the voice samples, then every row that belongs to it. In this order a step that fails leaves an account that
 * can be deleted again, and nobody is charged for one that is gone. Stripe keeps the customer and the invoices.
 * Three sequential calls to Stripe for an account with one subscription.
 */
export async function deleteAccount(
  { email }: DeleteAccountRequest,
  connected: Services,
  { request, later }: { request: Request; later: (work: () => Promise<unknown>) => void },
): Promise<Result<DeleteAccountAnswer>> {
  const { env, stripe, supabase } = connected
  const caller = await signedInUser(request, connected)
  if (!caller.ok) return caller
  const { id } = caller.value
  if (email !== normalizeEmail(caller.value.email ?? '')) return { ok: false, failure: otherEmail }

  const account = { p_user_id: id }
  const before = await callSql(supabase, 'begin_account_deletion', account, begun)
  if (before.obstacle) return { ok: false, failure: failures[before.obstacle] }
  try {
    for (const customer of before.customers) await endSubscriptions(customer, stripe)
  } catch (error) {
    const failure = providerFailure(error)
    if (!failure) throw error
    logFailure('delete-account', error)
    return { ok: false, failure }
  }
  await removeSamples(id, supabase)
  await forgetSample(id, supabase)
  const outcome = await callSql(supabase, 'delete_account', account, ended)
  if (outcome !== 'deleted' && outcome !== 'gone') return { ok: false, failure: failures[outcome] }
  if (outcome === 'deleted') {
    later(() => sendMail({ to: email, ...farewell }, env))
    // What was being uploaded when the others were removed.
    later(() => removeSamples(id, supabase))
  }
  return { ok: true, value: { deleted: true } }
}

/**
 * Ends what a customer pays for.
 * @throws Stripe's error also where it does not know the customer: the key may be of another account or mode, and what
 * it cannot see it has not ended
 */
async function endSubscriptions(customer: string, stripe: Stripe): Promise<void> {
  // Stripe has ended the subscriptions of a customer that was deleted there.
  if ((await stripe.customers.retrieve(customer)).deleted) return
  const { data } = await stripe.subscriptions.list({ customer, limit: 100 })
  for (const { id, status } of data) if (!hasEnded(status)) await endSubscription(id, stripe)
}

async function endSubscription(id: string, stripe: Stripe): Promise<void> {
  // One that ended a moment ago is not found any more by this call.
  const { status } =
    (await stripe.subscriptions.cancel(id).catch(unlessUnknown)) ?? (await stripe.subscriptions.retrieve(id))
  if (!hasEnded(status)) throw new SubscriptionRunsError(id, status)
}

const hasEnded = (status: Stripe.Subscription.Status): boolean =>
  status === 'canceled' || status === 'incomplete_expired'

/** A subscription was to be ended, and goes on. */
class SubscriptionRunsError extends CodedError {
  override readonly name = 'SubscriptionRunsError'

  constructor(subscription: string, status: string) {
    super('subscription_runs', { subscription, status })
  }
}

/** A customer's recordings lie directly in the folder named by the customer's id. */
async function removeSamples(userId: string, supabase: SupabaseClient): Promise<void> {
  const files = supabase.storage.from(voiceSampleBucket)
  for (;;) {
    const { data, error: unread } = await files.list(userId)
    if (unread) throw new DatabaseError('voice-samples list', undefined)
    if (data.length === 0) return
    const { data: removed, error } = await files.remove(data.map(({ name }) => `${userId}/${name}`))
    if (error) throw new DatabaseError('voice-samples remove', undefined)
    // Another request was faster.
    if (removed.length === 0) return
  }
}

/** An account that stays after all is not to name a recording that is gone. */
async function forgetSample(userId: string, supabase: SupabaseClient): Promise<void> {
  const { error } = await supabase
    .from('agent_settings')
    .update({ voice_sample_path: null, voice_sample_name: null, voice_sample_bytes: null })
    .eq('user_id', userId)
  if (error) throw new DatabaseError('agent_settings', error.code)
}

const farewell = {
  subject: `Your ${site.name} account is deleted`,
  text: `Your ${site.name} account is deleted, with its settings, its calls, its minutes and its voice
sample, and your subscription has ended. Nothing more will be charged.

Your invoices stay with our payment provider, as the law asks. If this was not you, answer to ${site.email}.
`,
}

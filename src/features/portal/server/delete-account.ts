import type Stripe from 'stripe'
import * as z from 'zod/mini'
import type { DeleteAccountAnswer, DeleteAccountRequest } from '#portal/domain/contracts.ts'
import type { Failure } from '#platform/domain/failures.ts'
import { normalizeEmail } from '#platform/domain/text/email.ts'
import type { Result } from '#platform/domain/result.ts'
import { voiceSampleBucket } from '#agent/domain/voice/voice-sample.ts'
import { planName, priceAmount } from '#plans/domain/plans.ts'
import { site } from '#site'
import { billWhatWaits } from '#billing/server/invoices/last-invoice.ts'
import { packages } from '#billing/server/packages.ts'
import { voidInvoice } from '#billing/server/duplicate-payments.ts'
import { planOf } from '#billing/server/stripe-subscription.ts'
import { nextSequence, syncSubscription } from '#billing/server/sync.ts'
import { customersOf } from '#checkout/server/payment.ts'
import { signedInUser } from '#account/server/signed-in-user.ts'
import { CodedError } from '#platform/server/coded-error.ts'
import { runSql, DatabaseError, type Supabase } from '#platform/server/database.ts'
import type { Invocation } from '#platform/server/http.ts'
import { retryJob, runJobs, startJob, type JobKind } from '#platform/server/jobs.ts'
import { logFailure } from '#platform/server/log.ts'
import { sendMail } from '#platform/server/outgoing/mail.ts'
import { checkoutInProgress, providerFailure } from '#platform/server/outgoing/provider-failure.ts'
import type { Services } from '#platform/server/services.ts'
import type { Payloads } from '#supabase/types.ts'
import { unlessUnknown } from '#platform/server/stripe.ts'
import { purges } from '#telephony/server/recordings.ts'
import { agents } from '#telephony/server/update-agent.ts'

/** After a deletion, no call is purged after this time: the clock does the others. */
const purgesTimeoutMs = 10_000

const obstacles = ['admin', 'blocked', 'in_progress'] as const
const begun = z.object({
  obstacle: z.nullable(z.enum(obstacles)),
  customers: z.array(z.string()),
  subscriptions: z.array(z.string()),
  unrecorded: z.array(z.object({ id: z.string(), email: z.string(), stripe_customer_id: z.null() })),
})
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
 * account can be deleted again if a step fails, and no subscription charges for a deleted account. Stripe keeps a customer
 * who paid, and the invoices. An account with one subscription takes four sequential requests to Stripe, and five if packages waited.
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

  const before = await runSql(supabase, 'begin_account_deletion', { p_user_id: id }, begun)
  if (before.obstacle) return { ok: false, failure: failures[before.obstacle] }
  const endings: Ending[] = []
  const { customers, subscriptions } = before
  try {
    for (const checkout of before.unrecorded)
      customers.push(...(await customersOf(checkout, connected.stripe)))
    for (const customer of customers)
      endings.push(...(await endSubscriptions(customer, before, id, connected)))
  } catch (error) {
    const failure = providerFailure(error)
    if (!failure) throw error
    logFailure('delete-account', error)
    return { ok: false, failure }
  }
  await removeSamples(id, supabase)
  await forgetSample(id, supabase)
  const mail = {
    email,
    plans: endings.flatMap(({ plan }) => plan ?? []),
    charged: endings.reduce((sum, ending) => sum + ending.charged, 0),
  }
  const p = { user_id: id, customers, subscriptions, mail }
  const outcome = await runSql(supabase, 'delete_account', { p }, ended)
  if (outcome !== 'deleted' && outcome !== 'gone') return { ok: false, failure: failures[outcome] }
  if (outcome === 'deleted') {
    // What fails here, the clock does.
    defer(() => startJob(deletionMails, id, connected))
    defer(() => startJob(agents, id, connected))
    defer(() => runJobs(purges, connected, { until: Date.now() + purgesTimeoutMs }))
  }
  return { ok: true, value: { deleted: true } }
}

/** A subscription that was ended. */
interface Ending {
  /** The plan with its price, as the mail names it; null if it was never paid, or is none of ours. */
  plan: string | null
  /** What its last invoice charges for packages, in cents. */
  charged: number
}

/**
 * Ends a customer's subscriptions, and bills the packages that wait. Packages that Stripe does not have yet are brought to
 * it first; what cannot be brought now is given up.
 * @throws StripeInvalidRequestError if Stripe does not know the customer: the key may belong to another account or mode, so
 * its subscriptions may still be running
 */
async function endSubscriptions(
  customer: string,
  { subscriptions }: z.infer<typeof begun>,
  user: string,
  connected: Services,
): Promise<Ending[]> {
  const { stripe, supabase } = connected
  // Stripe ends the subscriptions of a customer that is deleted there.
  if ((await stripe.customers.retrieve(customer)).deleted) return []
  const { data } = await stripe.subscriptions.list({ customer, status: 'all', limit: 100 })
  const endings: Ending[] = []
  for (const subscription of data.filter(({ status }) => !hasEnded(status))) {
    // The invoice of an update that waits for its payment has taken the waiting packages.
    if (subscription.pending_update && (await voidInvoice(subscription, stripe)))
      await syncSubscription(subscription.id, await nextSequence(supabase), connected)
    await retryJob(packages, user, connected)
    await endSubscription(subscription.id, stripe)
    const charged = await billWhatWaits(subscription, connected)
    endings.push({ plan: planToName(subscription, connected), charged })
  }
  // An earlier try may have died before it had written the last invoice down.
  const over = data.find(({ id, status }) => hasEnded(status) && subscriptions.includes(id))
  if (over) await billWhatWaits(over, connected)
  return endings
}

function planToName(subscription: Stripe.Subscription, { env }: Services): string | null {
  const plan = planOf(subscription, env)
  const price = subscription.items.data[0]?.price.unit_amount
  return plan && price && subscription.status !== 'incomplete'
    ? `${planName(plan)} plan (${priceAmount(price)} a month)`
    : null
}

async function endSubscription(id: string, stripe: Stripe): Promise<void> {
  // Stripe does not find a subscription to cancel if it ended a moment ago.
  const { status } =
    (await stripe.subscriptions.cancel(id).catch(unlessUnknown)) ?? (await stripe.subscriptions.retrieve(id))
  if (!hasEnded(status)) throw new SubscriptionRunsError(id, status)
}

const hasEnded = (status: Stripe.Subscription.Status): boolean =>
  status === 'canceled' || status === 'incomplete_expired'

/** A subscription still runs after it was cancelled. */
class SubscriptionRunsError extends CodedError {
  override readonly name = 'SubscriptionRunsError'

  constructor(subscription: string, status: string) {
    super('subscription_runs', { subscription, status })
  }
}

/** Removes what was uploaded while the account was deleted. */
export const voiceSamples: JobKind = {
  kind: 'voice samples',
  run: ({ key: user }, { supabase }) => removeSamples(user, supabase),
}

/** Removes a customer's recordings. They are directly in the folder whose name is the customer's id. */
async function removeSamples(userId: string, supabase: Supabase): Promise<void> {
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
async function forgetSample(userId: string, supabase: Supabase): Promise<void> {
  const { error } = await supabase
    .from('agent_settings')
    .update({ voice_sample_path: null, voice_sample_name: null, voice_sample_bytes: null })
    .eq('user_id', userId)
  if (error) throw new DatabaseError('agent_settings', error.code)
}

/** The account's e-mail, the plans that have ended, as they are named to people, and the cents of a last invoice. */
const deletion = z.object({
  email: z.string(),
  plans: z.array(z.string()),
  charged: z.number(),
}) satisfies z.ZodMiniType<Payloads['deletion_mail_payload']>

/** Tells the owner of a deleted account. */
export const deletionMails: JobKind = {
  kind: 'deletion mails',
  async run({ key: user, payload }, connected) {
    const { email, ...ended } = z.parse(deletion, payload)
    const mail = { kind: 'account deleted', to: email, idempotencyKey: `deleted:${user}` } as const
    await sendMail({ ...mail, ...deletionMail(ended) }, connected)
  },
}

function deletionMail({ plans, charged }: Omit<z.infer<typeof deletion>, 'email'>) {
  const sentences = [
    ...plans.map((plan) => `Your ${plan} has ended.`),
    charged > 0
      ? `A last invoice of ${priceAmount(charged)} is for the packages of minutes that you had not paid yet. Nothing more will be charged.`
      : 'Nothing more will be charged.',
  ]
  return {
    subject: `Your ${site.name} account has been deleted`,
    text: `We have deleted your ${site.name} account, with its settings, calls, recordings, bookings, minutes and voice sample.

${sentences.join('\n')}

What to do next: nothing. Our payment provider keeps the invoices that you have paid, as the law requires.

If it was not you who deleted the account, please write to ${site.email}.
`,
  }
}

import type { SupabaseClient } from '@supabase/supabase-js'
import type Stripe from 'stripe'
import * as z from 'zod/mini'
import type { DeleteAccountAnswer, DeleteAccountRequest, Failure } from '#domain/contracts.ts'
import { normalizeEmail } from '#domain/email.ts'
import type { Result } from '#domain/result.ts'
import { site } from '#site'
import { signedInUser } from './caller.ts'
import { callSql, DatabaseError } from './database.ts'
import { logFailure } from './log.ts'
import { sendMail } from './mail.ts'
import { checkoutInProgress, providerFailure } from './provider-failure.ts'
import type { Services } from './services.ts'
import { unlessUnknown } from './stripe.ts'

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

const bucket = 'voice-samples'

/**
 * Deletes the caller's account for good: first ends its subscriptions at Stripe, at once and without a refund, then
 * removes the voice samples, then every row that belongs to it. In this order a step that fails leaves an account that
 * can be deleted again, and nobody is charged for one that is gone. Stripe keeps the customer and the invoices.
 * Two sequential calls to Stripe for an account with one subscription.
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
  const outcome = await callSql(supabase, 'delete_account', account, ended)
  if (outcome !== 'deleted' && outcome !== 'gone') return { ok: false, failure: failures[outcome] }
  if (outcome === 'deleted') later(() => sendMail({ to: email, ...farewell }, env))
  return { ok: true, value: { deleted: true } }
}

async function endSubscriptions(customer: string, stripe: Stripe): Promise<void> {
  const running = await stripe.subscriptions.list({ customer, limit: 100 }).catch(unlessUnknown)
  for (const { id, status } of running?.data ?? [])
    // One that ended a moment ago is not known any more.
    if (status !== 'incomplete_expired') await stripe.subscriptions.cancel(id).catch(unlessUnknown)
}

/** A customer's recordings lie directly in the folder named by the customer's id. */
async function removeSamples(userId: string, supabase: SupabaseClient): Promise<void> {
  const files = supabase.storage.from(bucket)
  const { data, error: unread } = await files.list(userId, { limit: 1000 })
  if (unread) throw new DatabaseError('voice-samples list', undefined)
  if (data.length === 0) return
  const { error } = await files.remove(data.map(({ name }) => `${userId}/${name}`))
  if (error) throw new DatabaseError('voice-samples remove', undefined)
}

const farewell = {
  subject: `Your ${site.name} account is deleted`,
  text: `Your ${site.name} account and everything in it has been deleted, and your subscription has ended.
Nothing more will be charged.

Your invoices stay with our payment provider, as the law asks. If this was not you, answer to ${site.email}.
`,
}

import * as z from 'zod/mini'
import { replayEventAnswer, resendPaymentLinkAnswer } from '#admin/domain/contracts.ts'
import type { Replay } from '#admin/domain/payment-events.ts'
import { withEmails, readPage, type Page } from '#admin/browser/content/records.ts'
import { invokeAsUser } from '#account/browser/invoke-as-user.ts'
import { supabase } from '#platform/browser/supabase.ts'

const paymentEvent = z.object({
  id: z.string(),
  type: z.string(),
  received_at: z.string(),
  handled_at: z.nullable(z.string()),
  outcome: z.nullable(z.string()),
  error: z.nullable(z.string()),
  attempts: z.number(),
  has_failed: z.boolean(),
  /** Null if the payer is not known, or their account was deleted. */
  email: z.nullable(z.string()),
  /** In cents; null if the event is not about money. */
  amount: z.nullable(z.number()),
  currency: z.nullable(z.string()),
  billing_reason: z.nullable(z.string()),
})
export type PaymentEvent = z.infer<typeof paymentEvent>

const unclaimedPayment = z.object({
  checkout_id: z.string(),
  email: z.string(),
  plan: z.string(),
  paid_at: z.string(),
  link_mailed: z.boolean(),
})
export type UnclaimedPayment = z.infer<typeof unclaimedPayment>

const owingAccount = z.object({
  /** Null until the failure of a charge was reported. */
  invoice: z.nullable(z.string()),
  /** Both are null if the account was deleted. */
  user_id: z.nullable(z.string()),
  email: z.nullable(z.string()),
  plan: z.string(),
  since: z.string(),
  /** Null if the plan has ended. */
  grace_ends: z.nullable(z.string()),
  /** What was used without payment. */
  minutes: z.number(),
  /** In cents; null until the failure of a charge was reported. So is the currency. */
  amount: z.nullable(z.number()),
  currency: z.nullable(z.string()),
  next_attempt: z.nullable(z.string()),
  mailed_at: z.nullable(z.string()),
})
export type OwingAccount = z.infer<typeof owingAccount>

const paymentFlag = z.object({
  kind: z.enum(['refund', 'dispute', 'early_fraud_warning']),
  stripe_id: z.string(),
  /** In cents. */
  amount: z.number(),
  currency: z.string(),
  status: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  user_id: z.nullable(z.string()),
  flagged_at: z.string(),
})
export type PaymentFlag = z.infer<typeof paymentFlag> & { email: string | null }

const paymentFinding = z.object({
  kind: z.enum([
    'payment_without_account',
    'account_without_subscription',
    'invoice_differs_from_quote',
    'invoice_not_final',
    'invoice_written_off',
  ]),
  subject: z.string(),
  found_at: z.string(),
})
export type PaymentFinding = z.infer<typeof paymentFinding> & { email: string | null }

const eventColumns =
  'id, type, received_at, handled_at, outcome, error, attempts, email, amount, currency, billing_reason, has_failed'

/**
 * Reads the events received from Stripe, newest first.
 * @param only those of a customer at Stripe, or those that have failed
 */
export async function readPaymentEvents(
  page: number,
  { customer, hasFailed = false }: { customer?: string; hasFailed?: boolean } = {},
): Promise<Page<PaymentEvent> | undefined> {
  let events = supabase().from('payment_events').select(eventColumns)
  if (customer) events = events.eq('stripe_customer_id', customer)
  if (hasFailed) events = events.eq('has_failed', true)
  return readPage(paymentEvent, events.order('received_at', { ascending: false }), page)
}

/** Reads payments whose payer has not set a password yet, newest first. */
export const readUnclaimedPayments = async (page: number): Promise<Page<UnclaimedPayment> | undefined> =>
  readPage(unclaimedPayment, supabase().rpc('unclaimed_payments'), page)

/** Reads the renewals that are owed, also of plans that have ended, those that have been owed longest first. */
export const readOwingAccounts = async (page: number): Promise<Page<OwingAccount> | undefined> =>
  readPage(owingAccount, supabase().rpc('owing_accounts'), page)

/** Reads payments that were refunded, disputed or reported as fraud, newest first. */
export const readPaymentFlags = async (page: number): Promise<Page<PaymentFlag> | undefined> =>
  withEmails(
    readPage(
      paymentFlag,
      supabase()
        .from('payment_flags')
        .select('kind, stripe_id, amount, currency, status, reason, user_id, flagged_at')
        .order('flagged_at', { ascending: false }),
      page,
    ),
    ({ user_id }) => user_id,
  )

/** Reads the unresolved findings of the reconciliation, newest first. */
export const readPaymentFindings = async (page: number): Promise<Page<PaymentFinding> | undefined> =>
  withEmails(
    readPage(
      paymentFinding,
      supabase()
        .from('payment_findings')
        .select('kind, subject, found_at')
        .is('resolved_at', null)
        .order('found_at', { ascending: false }),
      page,
    ),
    ({ kind, subject }) => (kind === 'account_without_subscription' ? subject : null),
  )

/** Makes the server read an event from Stripe and handle it again. */
export const replayEvent = (eventId: string) =>
  invokeAsUser('replay-webhook-event', { eventId }, replayEventAnswer)

/** How many events one press replays at most, and how many of them at once. */
const mostReplayed = 500
const atOnce = 3

/**
 * Replays the events that have failed, oldest first.
 * @param report receives how far it has come
 * @param signal stops it after the events that are under way
 * @returns undefined if the failed events could not be read
 */
export async function replayFailedEvents(
  report: (replay: Replay) => void,
  signal: AbortSignal,
): Promise<Replay | undefined> {
  const { data } = await supabase()
    .from('payment_events')
    .select('id')
    .eq('has_failed', true)
    .order('received_at')
    .limit(mostReplayed)
  const read = z.safeParse(z.array(z.object({ id: z.string() })), data)
  if (!read.success) return undefined
  let replay: Replay = { all: read.data.length, done: 0, failed: [] }
  report(replay)
  const waiting = read.data.values()
  const work = async (): Promise<void> => {
    for (const { id } of waiting) {
      if (signal.aborted) return
      const answer = await replayEvent(id)
      const { all, done, failed } = replay
      const message = answer.ok ? undefined : answer.failure.message
      replay = { all, done: done + 1, failed: message === undefined ? failed : [...failed, { id, message }] }
      report(replay)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return replay
}

/** Makes the server mail the link of a paid checkout again. */
export const resendPaymentLink = (checkoutId: string) =>
  invokeAsUser('resend-payment-link', { checkoutId }, resendPaymentLinkAnswer)

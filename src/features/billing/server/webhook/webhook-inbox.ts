import type Stripe from 'stripe'
import * as z from 'zod/mini'
import { accountLinks } from '#account/server/account-link.ts'
import { CodedError } from '#platform/server/coded-error.ts'
import { runSql } from '#platform/server/database.ts'
import { startJob } from '#platform/server/jobs.ts'
import { errorCode, logFailure, logNotice } from '#platform/server/log.ts'
import { billingMails } from '#billing/server/billing-mails.ts'
import { tellOfFailedRenewal } from '#billing/server/dunning.ts'
import { followInvoice } from '#billing/server/invoices/follow-invoice.ts'
import { noteInvoice } from '#billing/server/invoices/invoice-findings.ts'
import { flagPayment, isFlag } from '#billing/server/invoices/payment-flags.ts'
import type { Services } from '#platform/server/services.ts'
import { syncSubscription } from '#billing/server/sync.ts'
import { moneyOf, subscriptionOf } from './webhook-event.ts'

const taken = z.object({ handled: z.boolean(), sequence: z.number() })

/** Records an event, or another attempt to handle it, and takes the sequence number for reading its subscription. */
export const takeEvent = (event: Stripe.Event, { supabase }: Services) =>
  runSql(
    supabase,
    'begin_webhook_event',
    {
      p_id: event.id,
      p_type: event.type,
      p_subscription: subscriptionOf(event) ?? null,
      ...moneyOf(event),
    },
    taken,
  )

/**
 * Writes the object of an event into the database, sends the mails that are due, and then marks the event as handled. An
 * event that is cut off in between is delivered again. It can run any number of times, because it reads the object's present
 * state from Stripe.
 * @returns the outcome, as shown in the inbox
 * @throws any error, after its code was written into the inbox
 */
export async function handleEvent(
  event: Stripe.Event,
  sequence: number,
  connected: Services,
): Promise<string> {
  const end = (outcome: string | null, error: string | null) =>
    runSql(
      connected.supabase,
      'end_webhook_event',
      { p_id: event.id, p_outcome: outcome, p_error: error },
      z.unknown(),
    )
  try {
    const outcome = await writeObject(event, sequence, connected)
    await end(outcome, null)
    return outcome
  } catch (error) {
    await end(null, errorCode(error)).catch((unwritten: unknown) =>
      logFailure('end_webhook_event', unwritten),
    )
    throw error
  }
}

/** Stripe sends both about one attempt if the bank asks for a confirmation. */
const isFailedCharge = (
  event: Stripe.Event,
): event is Stripe.InvoicePaymentFailedEvent | Stripe.InvoicePaymentActionRequiredEvent =>
  event.type === 'invoice.payment_failed' || event.type === 'invoice.payment_action_required'

async function writeObject(event: Stripe.Event, sequence: number, connected: Services): Promise<string> {
  if (isFlag(event.type)) return flagPayment(event, sequence, connected)
  const subscription = subscriptionOf(event)
  const { object } = event.data
  const { outcome, user } = subscription
    ? await syncSubscription(subscription, sequence, connected)
    : {
        outcome: object.object === 'invoice' ? await followInvoice(object.id, connected) : 'not_ours',
        user: null,
      }
  // A paid checkout has lost its account. The admin has to decide, so the event stays unhandled.
  if (outcome === 'account_missing')
    throw new CodedError('account_missing', { subscription: subscription ?? '' })
  if (outcome !== 'not_ours' && outcome !== 'gone') {
    if (isFailedCharge(event)) await tellOfFailedRenewal(event.data.object.id, connected)
    if (event.type === 'invoice.finalization_failed' || event.type === 'invoice.marked_uncollectible')
      await noteInvoice(event.data.object.id, connected)
  }
  if (user) for (const mails of [accountLinks, billingMails]) await startJob(mails, user, connected)
  if (outcome === 'not_ours' || outcome === 'unknown_customer' || outcome === 'gone') {
    logNotice('stripe-webhook', { outcome, stripe_event: event.id })
  }
  return outcome
}

import type Stripe from 'stripe'
import * as z from 'zod/mini'
import { runSql } from '#platform/server/database.ts'
import type { Services } from '#platform/server/services.ts'
import { idOf } from '#platform/server/stripe.ts'
import { followInvoice } from './follow-invoice.ts'

/** The states of a dispute in which the money is ours: the bank has only asked, or the dispute was won. */
const isHarmless: ReadonlySet<string> = new Set<Stripe.Dispute.Status>([
  'warning_needs_response',
  'warning_under_review',
  'warning_closed',
  'won',
])

/** An invoice whose money may have been given back in part. */
interface Kept {
  invoice: Stripe.Invoice
  /** The share of its money that is kept, from 0 to 1. */
  share: number
}

/**
 * Returns the invoices that a charge has paid, each with the share of its money that is kept: less what was refunded,
 * is disputed, or was lost in a dispute. Money from the customer's balance is kept.
 * Sequential requests to Stripe: 1, beside another if the charge was disputed.
 */
async function keptOf(charge: Stripe.Charge, stripe: Stripe): Promise<Kept[]> {
  if (!charge.payment_intent) return []
  const [{ data: paid }, disputes] = await Promise.all([
    stripe.invoicePayments.list({
      payment: { type: 'payment_intent', payment_intent: idOf(charge.payment_intent) },
      expand: ['data.invoice'],
    }),
    charge.disputed ? stripe.disputes.list({ charge: charge.id, limit: 100 }) : { data: [] },
  ])
  const back = disputes.data
    .filter(({ status }) => !isHarmless.has(status))
    .reduce((sum, { amount }) => sum + amount, charge.amount_refunded)
  return paid.flatMap(({ invoice }) => {
    if (typeof invoice === 'string' || invoice.deleted) return []
    return { invoice, share: Math.max(0, 1 - back / Math.max(invoice.total, invoice.amount_paid, 1)) }
  })
}

/** Records how much of a payment is kept, and updates what its invoice grants. */
export async function noteKept(charge: Stripe.Charge, sequence: number, connected: Services): Promise<void> {
  const { stripe, supabase } = connected
  for (const { invoice, share } of await keptOf(charge, stripe)) {
    const subscription = invoice.parent?.subscription_details?.subscription
    const paidAt = invoice.status_transitions.paid_at
    const p = {
      invoice: invoice.id,
      subscription: subscription ? idOf(subscription) : null,
      paid_at: paidAt ? new Date(paidAt * 1000).toISOString() : null,
      share,
      sequence,
    }
    await runSql(supabase, 'note_kept_share', { p }, z.unknown())
    // A reading that begins now sees the note, whatever other readings are under way.
    await followInvoice(invoice.id, connected)
  }
}

/**
 * Reads from Stripe which share is kept of each invoice that a customer has paid since a moment (in seconds since
 * 1970), because an event may still be on its way. Invoices that are not listed are kept whole.
 * Sequential requests to Stripe: 1, and 1 for each payment of which something was given back.
 */
export async function keptSince(
  customer: string,
  since: number,
  stripe: Stripe,
): Promise<Map<string, number>> {
  const shares = new Map<string, number>()
  const charges = stripe.charges.list({ customer, created: { gte: since }, limit: 100 })
  for await (const charge of charges) {
    if (charge.amount_refunded === 0 && !charge.disputed) continue
    for (const { invoice, share } of await keptOf(charge, stripe)) shares.set(invoice.id, share)
  }
  return shares
}

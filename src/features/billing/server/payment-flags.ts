import type Stripe from 'stripe'
import * as z from 'zod/mini'
import { runSql } from '#platform/server/database.ts'
import type { Services } from '#platform/server/services.ts'
import { idOf } from '#platform/server/stripe.ts'
import { followInvoice } from './follow-invoice.ts'

/** Events about a payment, not about a subscription. */
const flags = {
  'charge.refunded': refund,
  'charge.dispute.created': dispute,
  'radar.early_fraud_warning.created': earlyFraudWarning,
} as const
type FlagType = keyof typeof flags

export const isFlag = (type: string): type is FlagType => type in flags

interface Flag {
  kind: 'refund' | 'dispute' | 'early_fraud_warning'
  stripe_id: string
  charge: Stripe.Charge
  /** In cents. */
  amount: number
  status: string | null
  reason: string | null
}

const subject = z.object({ id: z.string() })

/**
 * Reads a refund, a dispute or a fraud warning from Stripe, and flags the payment for the admin. A payment that was given
 * back in full takes its minutes back; goodwill in part does not.
 */
export async function flagPayment(event: Stripe.Event, connected: Services): Promise<'flagged'> {
  const { stripe, supabase } = connected
  const { id } = z.parse(subject, event.data.object)
  const { charge, ...flag } = await flags[event.type as FlagType](id, stripe)
  const { customer, currency } = charge
  await runSql(
    supabase,
    'flag_payment',
    {
      p: {
        ...flag,
        charge: charge.id,
        currency,
        customer: customer ? idOf(customer) : null,
        event: event.id,
      },
    },
    z.unknown(),
  )
  if (flag.status === 'full') await withdrawMinutes(charge, connected)
  return 'flagged'
}

/** Withdraws what the invoice of a payment granted. */
async function withdrawMinutes(
  { payment_intent: intent }: Stripe.Charge,
  connected: Services,
): Promise<void> {
  const { stripe, supabase } = connected
  if (!intent) return
  const { data: paid } = await stripe.invoicePayments.list({
    payment: { type: 'payment_intent', payment_intent: idOf(intent) },
    expand: ['data.invoice'],
  })
  for (const { invoice } of paid) {
    if (typeof invoice === 'string' || invoice.deleted) continue
    await runSql(supabase, 'note_refunded_invoice', { p_invoice: invoice.id }, z.unknown())
    // A reading that begins now sees the note, whatever other readings are under way.
    await followInvoice(invoice.id, connected)
  }
}

async function refund(id: string, stripe: Stripe): Promise<Flag> {
  const charge = await stripe.charges.retrieve(id)
  const status = charge.refunded ? 'full' : 'partial'
  return { kind: 'refund', stripe_id: id, charge, amount: charge.amount_refunded, status, reason: null }
}

async function dispute(id: string, stripe: Stripe): Promise<Flag> {
  const found = await stripe.disputes.retrieve(id)
  const charge = await stripe.charges.retrieve(idOf(found.charge))
  const { amount, status, reason } = found
  return { kind: 'dispute', stripe_id: id, charge, amount, status, reason }
}

async function earlyFraudWarning(id: string, stripe: Stripe): Promise<Flag> {
  const found = await stripe.radar.earlyFraudWarnings.retrieve(id)
  const charge = await stripe.charges.retrieve(idOf(found.charge))
  const status = found.actionable ? 'actionable' : 'settled'
  const { fraud_type: reason } = found
  return { kind: 'early_fraud_warning', stripe_id: id, charge, amount: charge.amount, status, reason }
}

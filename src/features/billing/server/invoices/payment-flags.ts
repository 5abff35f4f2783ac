import type Stripe from 'stripe'
import * as z from 'zod/mini'
import { runSql } from '#platform/server/database.ts'
import type { Services } from '#platform/server/services.ts'
import { idOf, unlessUnknown } from '#platform/server/stripe.ts'
import { noteKept } from './kept-money.ts'

/** Events about a payment, not about a subscription. */
const flags = {
  'charge.refunded': refund,
  'charge.dispute.created': dispute,
  'charge.dispute.funds_withdrawn': dispute,
  'charge.dispute.funds_reinstated': dispute,
  'charge.dispute.closed': dispute,
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
 * Reads a refund, a dispute or a fraud warning from Stripe, and flags the payment for the admin. Money that was given
 * back takes its minutes with it.
 * @param sequence taken before the payment is read
 */
export async function flagPayment(
  event: Stripe.Event,
  sequence: number,
  connected: Services,
): Promise<'flagged' | 'gone'> {
  const { stripe, supabase } = connected
  const { id } = z.parse(subject, event.data.object)
  const found = await flags[event.type as FlagType](id, stripe).catch(unlessUnknown)
  if (!found) return 'gone'
  const { charge, ...flag } = found
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
  if (flag.kind !== 'early_fraud_warning') await noteKept(charge, sequence, connected)
  return 'flagged'
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

import * as z from 'zod/mini'
import { runSql } from '#platform/server/database.ts'
import type { Services } from '#platform/server/services.ts'
import { idOf, unlessUnknown } from '#platform/server/stripe.ts'
import { itemsOn } from './last-invoice.ts'
import { withAllLines } from './stripe-subscription.ts'
import { nextTicket, syncSubscription, type Synced } from './sync.ts'

const followed = z.enum(['synced', 'unknown_customer'])

/**
 * Writes what an invoice has charged into the database: by its subscription or, if it has none, like the last invoice of a
 * subscription that has ended, by the packages on it.
 */
export async function followInvoice(id: string, connected: Services): Promise<Synced['outcome']> {
  const { stripe, supabase } = connected
  const found = await stripe.invoices.retrieve(id).catch(unlessUnknown)
  if (!found) return 'gone'
  const invoice = await withAllLines(found, stripe)
  const subscription = invoice.parent?.subscription_details?.subscription
  if (subscription)
    return (await syncSubscription(idOf(subscription), await nextTicket(supabase), connected)).outcome
  const packages = itemsOn(invoice)
  // Before it is paid it says nothing, and a late reading would take a payment back.
  if (!invoice.customer || packages.length === 0 || invoice.status !== 'paid') return 'not_ours'
  const p = { customer: idOf(invoice.customer), packages }
  return runSql(supabase, 'follow_last_invoice', { p }, followed)
}

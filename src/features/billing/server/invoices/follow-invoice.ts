import type { Services } from '#platform/server/services.ts'
import { idOf, unlessUnknown } from '#platform/server/stripe.ts'
import { writeLastInvoice } from './last-invoice.ts'
import { withAllLines } from '#billing/server/stripe-subscription.ts'
import { nextSequence, syncSubscription, type Synced } from '#billing/server/sync.ts'

/**
 * Writes what an invoice charges into the database: by its subscription or, if it has none, like the last invoice of a
 * subscription that has ended, by the packages on it.
 */
export async function followInvoice(id: string, connected: Services): Promise<Synced['outcome']> {
  const { stripe, supabase } = connected
  const invoice = await stripe.invoices.retrieve(id).catch(unlessUnknown)
  if (!invoice) return 'gone'
  const subscription = invoice.parent?.subscription_details?.subscription
  if (subscription)
    return (await syncSubscription(idOf(subscription), await nextSequence(supabase), connected)).outcome
  return writeLastInvoice(await withAllLines(invoice, stripe), supabase)
}

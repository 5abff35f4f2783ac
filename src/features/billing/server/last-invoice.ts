import type Stripe from 'stripe'
import { idOf } from '#platform/server/stripe.ts'
import type { WholeInvoice } from './stripe-subscription.ts'

/**
 * Bills the packages that wait for a subscription that has ended: no other invoice would take them. It does so once,
 * however often it is called. Sequential requests to Stripe: 1, and 2 if something waits.
 * @returns what the invoice charges, in cents
 */
export async function billWhatWaits(
  { id, customer }: Pick<Stripe.Subscription, 'id' | 'customer'>,
  stripe: Stripe,
): Promise<number> {
  // Stripe deletes what waits for a customer together with the customer.
  if (typeof customer !== 'string' && customer.deleted) return 0
  const owner = idOf(customer)
  const { data: waiting } = await stripe.invoiceItems.list({ customer: owner, pending: true, limit: 100 })
  const newest = waiting.find(
    ({ metadata, parent }) => metadata?.package && parent?.subscription_details?.subscription === id,
  )
  if (!newest) return 0
  const invoice = await stripe.invoices.create(
    { customer: owner, pending_invoice_items_behavior: 'include', auto_advance: true },
    { idempotencyKey: `last-invoice:${newest.id}` },
  )
  return invoice.amount_due
}

/** Returns the items on an invoice that were added to it, as packages are. */
export const itemsOn = ({ id, status, billing_reason: reason, lines }: WholeInvoice) =>
  lines.data.flatMap(({ parent }) => {
    const item = parent?.invoice_item_details?.invoice_item
    return item ? [{ item, invoice: id, status, reason }] : []
  })

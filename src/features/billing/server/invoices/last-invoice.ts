import type Stripe from 'stripe'
import * as z from 'zod/mini'
import { runSql, type Supabase } from '#platform/server/database.ts'
import type { Services } from '#platform/server/services.ts'
import { idOf } from '#platform/server/stripe.ts'
import { voidInvoice, refundOnce } from '#billing/server/duplicate-payments.ts'
import { withAllLines, type Reading, type WholeInvoice } from '#billing/server/stripe-subscription.ts'

/**
 * Ends the upgrades of a subscription that has ended, those of these invoices that customers have confirmed: an open one is
 * voided, because Stripe leaves it to be paid for a plan that nobody gets; what was paid after the end, by a 3-D Secure that
 * was open until then, is given back. The packages on a void invoice are then billed by the last invoice. What the operator
 * has billed stays open. It is done once, however often this is called.
 */
export async function endUpgrades(
  { subscription, invoices }: Reading,
  useless: readonly string[],
  { stripe, supabase }: Services,
): Promise<void> {
  const p = { p_subscription: subscription.id }
  const moments = await runSql(supabase, 'quoted_moments', p, z.array(z.number()))
  for (const { id, status, lines } of invoices) {
    if (!useless.includes(id) || !lines.data.some(({ period }) => moments.includes(period.start))) continue
    if (status === 'paid') await refundInvoice(id, stripe)
    else await voidInvoice({ latest_invoice: id }, stripe)
  }
}

async function refundInvoice(invoice: string, stripe: Stripe): Promise<void> {
  const { data } = await stripe.invoicePayments.list({ invoice })
  for (const { payment, status } of data)
    if (status === 'paid' && payment.payment_intent)
      await refundOnce(idOf(payment.payment_intent), 'requested_by_customer', stripe)
}

/**
 * Bills the packages that wait for a subscription that has ended: no other invoice would take them. It does so once,
 * however often it is called; if an earlier call died before it had written the invoice down, this one does. Until the
 * invoice is paid, what was used of them is owed. Sequential requests to Stripe: 1, and 2 if there is such an invoice.
 * @returns what the invoice charges, in cents
 */
export async function billWhatWaits(
  { id, customer }: Pick<Stripe.Subscription, 'id' | 'customer'>,
  { stripe, supabase }: Services,
): Promise<number> {
  // Stripe deletes what waits for a customer together with the customer.
  if (typeof customer !== 'string' && customer.deleted) return 0
  const owner = idOf(customer)
  const { data: items } = await stripe.invoiceItems.list({ customer: owner, limit: 100 })
  const packages = items.filter(
    ({ metadata, parent }) => metadata?.package && (parent?.subscription_details?.subscription ?? id) === id,
  )
  const waiting = packages.find(({ invoice }) => !invoice)
  const [newest] = packages
  if (!waiting && !newest?.invoice) return 0
  const invoice = waiting
    ? await stripe.invoices.create(
        { customer: owner, pending_invoice_items_behavior: 'include', auto_advance: true },
        { idempotencyKey: `last-invoice:${waiting.id}` },
      )
    : await stripe.invoices.retrieve(idOf(newest!.invoice!))
  // The subscription's own invoices are written down with its reading.
  if (invoice.parent?.subscription_details) return 0
  await writeLastInvoice(await withAllLines(invoice, stripe), supabase)
  return invoice.amount_due
}

const written = z.enum(['synced', 'unknown_customer'])

/** Writes what an invoice of no subscription charges for packages into the database. */
export async function writeLastInvoice(
  invoice: WholeInvoice,
  supabase: Supabase,
): Promise<z.infer<typeof written> | 'not_ours'> {
  const packages = itemsOn(invoice)
  if (!invoice.customer || packages.length === 0) return 'not_ours'
  const p = { customer: idOf(invoice.customer), packages }
  return runSql(supabase, 'follow_last_invoice', { p }, written)
}

/** Returns the items on an invoice that were added to it, as packages are. */
export const itemsOn = ({ id, status, billing_reason: reason, lines }: WholeInvoice) =>
  lines.data.flatMap(({ parent }) => {
    const item = parent?.invoice_item_details?.invoice_item
    return item ? [{ item, invoice: id, status, reason }] : []
  })

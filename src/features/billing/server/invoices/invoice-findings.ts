import * as z from 'zod/mini'
import { runSql } from '#platform/server/database.ts'
import type { Services } from '#platform/server/services.ts'
import { unlessUnknown } from '#platform/server/stripe.ts'

/** The most invoices that one run looks at again. */
const limit = 20

/**
 * Records for the admin that an invoice could not be made final, or was written off. It is read as it is now: an event that
 * is late says nothing about an invoice that was corrected or paid.
 */
export async function noteInvoice(id: string, { stripe, supabase }: Services): Promise<void> {
  const invoice = await stripe.invoices.retrieve(id).catch(unlessUnknown)
  const kind =
    invoice?.status === 'uncollectible'
      ? 'invoice_written_off'
      : invoice?.status === 'draft' && invoice.last_finalization_error
        ? 'invoice_not_final'
        : null
  if (kind) await runSql(supabase, 'note_invoice_finding', { p_kind: kind, p_invoice: id }, z.unknown())
}

/** Looks again at the invoices that could not be made final: those that are by now are no finding any more. */
export async function recheckInvoices({ stripe, supabase }: Services): Promise<void> {
  const { data } = await supabase
    .from('payment_findings')
    .select('subject')
    .eq('kind', 'invoice_not_final')
    .is('resolved_at', null)
    .order('found_at')
    .limit(limit)
    .throwOnError()
  for (const { subject } of data) {
    const invoice = await stripe.invoices.retrieve(subject).catch(unlessUnknown)
    if (invoice?.status !== 'draft')
      await runSql(supabase, 'resolve_invoice_finding', { p_invoice: subject }, z.unknown())
  }
}

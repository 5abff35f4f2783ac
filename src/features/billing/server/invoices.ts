import type Stripe from 'stripe'
import type { Invoice, InvoicesAnswer } from '#billing/domain/invoices.ts'
import { invoice as invoiceSchema } from '#billing/domain/invoices.ts'
import type { Result } from '#platform/domain/result.ts'
import { logFailure } from '#platform/server/log.ts'
import { providerFailure } from '#platform/server/provider-failure.ts'
import type { Services } from '#platform/server/services.ts'
import { signedInCustomer } from './customer.ts'
import { withAllLines } from './stripe-subscription.ts'

/** The most invoices that are shown: of eight years. */
const limit = 100

/**
 * Lists the signed-in customer's invoices and the card that is charged. One sequential request to Stripe, and one more for
 * an invoice of more than ten lines.
 */
export async function listInvoices(
  _body: object,
  connected: Services,
  { request }: { request: Request },
): Promise<Result<InvoicesAnswer>> {
  const { stripe } = connected
  const customer = await signedInCustomer(request, connected)
  if (!customer.ok) return customer
  try {
    const [{ data }, owner] = await Promise.all([
      stripe.invoices.list({ customer: customer.value, limit }),
      stripe.customers.retrieve(customer.value, { expand: ['invoice_settings.default_payment_method'] }),
    ])
    const invoices = await Promise.all(data.map((one) => withAllLines(one, stripe)))
    return { ok: true, value: { invoices: invoices.map(shown), card: cardOf(owner) } }
  } catch (caught) {
    const failure = providerFailure(caught)
    if (!failure) throw caught
    logFailure('list-invoices', caught)
    return { ok: false, failure }
  }
}

function cardOf(owner: Stripe.Customer | Stripe.DeletedCustomer): InvoicesAnswer['card'] {
  const method = owner.deleted ? null : owner.invoice_settings.default_payment_method
  if (!method || typeof method === 'string' || !method.card) return null
  const { brand, last4 } = method.card
  return { brand, last4 }
}

const isoTime = (seconds: number): string => new Date(seconds * 1000).toISOString()

function shown(one: Stripe.Invoice): Invoice {
  return {
    id: one.id,
    number: one.number,
    status: invoiceSchema.shape.status.parse(one.status),
    created: isoTime(one.created),
    currency: one.currency,
    total: one.total,
    tax: (one.total_taxes ?? []).reduce((sum, { amount }) => sum + amount, 0),
    owed: one.amount_remaining,
    next_attempt: one.next_payment_attempt === null ? null : isoTime(one.next_payment_attempt),
    pdf: one.invoice_pdf ?? null,
    lines: one.lines.data.map(({ id, description, amount, period }) => ({
      id,
      description: description ?? 'Item',
      amount,
      start: isoTime(period.start),
      end: isoTime(period.end),
    })),
  }
}

import type Stripe from 'stripe'
import type { Invoice, InvoicesAnswer } from '#billing/domain/invoices.ts'
import { invoice as invoiceSchema } from '#billing/domain/invoices.ts'
import type { Result } from '#platform/domain/result.ts'
import { logFailure } from '#platform/server/log.ts'
import { providerFailure } from '#platform/server/provider-failure.ts'
import type { Services } from '#platform/server/services.ts'
import { signedInCustomer } from './customer.ts'
import { isoTime, nextAttempt } from './next-attempt.ts'
import { withAllLines } from './stripe-subscription.ts'

/** The most invoices that are shown: enough for eight years. */
const limit = 100

/**
 * Lists the signed-in customer's invoices and the card that is charged. One sequential request to Stripe, one more for an
 * invoice of more than ten lines, and one for an invoice that is owed.
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
    const invoices = await Promise.all(
      data.map(async (one) => withNextAttempt(await withAllLines(one, stripe), owner, stripe)),
    )
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

/** Reads when the card is charged again for an invoice, if it is owed. */
async function withNextAttempt(
  one: Stripe.Invoice,
  owner: Stripe.Customer | Stripe.DeletedCustomer,
  stripe: Stripe,
): Promise<Stripe.Invoice> {
  if (one.status !== 'open' || one.next_payment_attempt === null) return one
  const { data } = await stripe.invoicePayments.list({
    invoice: one.id,
    limit: 1,
    expand: ['data.payment.payment_intent'],
  })
  const intent = data[0]?.payment.payment_intent
  const failed = typeof intent === 'object' ? intent.last_payment_error : null
  return { ...one, next_payment_attempt: nextAttempt(one, owner, failed) }
}

function shown(one: Stripe.Invoice): Invoice {
  return {
    id: one.id,
    number: one.number,
    status: invoiceSchema.shape.status.parse(one.status),
    created: new Date(one.created * 1000).toISOString(),
    currency: one.currency,
    total: one.total,
    tax: (one.total_taxes ?? []).reduce((sum, { amount }) => sum + amount, 0),
    owed: one.amount_remaining,
    next_attempt: isoTime(one.next_payment_attempt),
    pdf: one.invoice_pdf ?? null,
    lines: one.lines.data.map(({ id, description, amount, period }) => ({
      id,
      description: description ?? 'Item',
      amount,
      start: new Date(period.start * 1000).toISOString(),
      end: new Date(period.end * 1000).toISOString(),
    })),
  }
}

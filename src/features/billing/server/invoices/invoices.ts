import type Stripe from 'stripe'
import type { Invoice, InvoicesAnswer, InvoicesRequest } from '#billing/domain/invoices.ts'
import { invoice as invoiceSchema } from '#billing/domain/invoices.ts'
import type { Result } from '#platform/domain/result.ts'
import { logFailure } from '#platform/server/log.ts'
import { providerFailure } from '#platform/server/outgoing/provider-failure.ts'
import type { Services } from '#platform/server/services.ts'
import { signedInCustomer } from '#billing/server/customer.ts'
import { isoTime, nextAttempt } from './next-attempt.ts'
import { withAllLines } from '#billing/server/stripe-subscription.ts'

/** The number of invoices on a page: the most that Stripe lists at once. */
const limit = 100

/**
 * Lists a page of the signed-in customer's invoices, what is unpaid, the card that is charged and the balance. One sequential request
 * to Stripe, one more for an invoice of more than ten lines, one for an invoice that is owed, and one for what is unpaid if
 * the page is not the only one.
 */
export async function listInvoices(
  { after }: InvoicesRequest,
  connected: Services,
  { request }: { request: Request },
): Promise<Result<InvoicesAnswer>> {
  const { stripe } = connected
  const customer = await signedInCustomer(request, connected)
  if (!customer.ok) return customer
  try {
    const whose = { customer: customer.value, limit }
    const [{ data, has_more: more }, owner] = await Promise.all([
      stripe.invoices.list(after === undefined ? whose : { ...whose, starting_after: after }),
      stripe.customers.retrieve(customer.value, { expand: ['invoice_settings.default_payment_method'] }),
    ])
    const read = (listed: readonly Stripe.Invoice[]): Promise<Invoice[]> =>
      Promise.all(
        listed.map(async (one) =>
          shown(await withNextAttempt(await withAllLines(one, stripe), owner, stripe)),
        ),
      )
    const invoices = await read(data)
    const isAll = after === undefined && !more
    const unpaid = isAll
      ? invoices.filter(({ status }) => unpaidStatuses.some((each) => each === status))
      : await read(await listUnpaid(customer.value, stripe))
    const balance = owner.deleted ? 0 : owner.balance
    return { ok: true, value: { invoices, more, unpaid, card: cardOf(owner), balance } }
  } catch (caught) {
    const failure = providerFailure(caught)
    if (!failure) throw caught
    logFailure('list-invoices', caught)
    return { ok: false, failure }
  }
}

const unpaidStatuses = ['open', 'uncollectible'] as const

/** Lists what a customer has not paid: what is owed may be older than the page that is shown. */
async function listUnpaid(customer: string, stripe: Stripe): Promise<Stripe.Invoice[]> {
  const lists = await Promise.all(
    unpaidStatuses.map((status) => stripe.invoices.list({ customer, status, limit })),
  )
  return lists.flatMap(({ data }) => data)
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

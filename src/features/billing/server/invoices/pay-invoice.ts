import { createHash } from 'node:crypto'
import Stripe from 'stripe'
import type { PayInvoiceAnswer, PayInvoiceRequest } from '#billing/domain/invoices.ts'
import type { Failure } from '#platform/domain/failures.ts'
import type { Result } from '#platform/domain/result.ts'
import { logFailure } from '#platform/server/log.ts'
import { cardDeclined, providerFailure, unconfirmed } from '#platform/server/outgoing/provider-failure.ts'
import type { Services } from '#platform/server/services.ts'
import { idOf, unlessUnknown } from '#platform/server/stripe.ts'
import { signedInCustomer } from '#billing/server/customer.ts'

const unknownInvoice: Failure = { code: 'not_found', message: 'There is no such invoice to pay.' }
const noCard = cardDeclined('No card is saved. Please add one first.')

const paid: Result<PayInvoiceAnswer> = { ok: true, value: { status: 'paid', clientSecret: null } }

/**
 * Pays an open invoice, or one that was written off, of the signed-in customer with the customer's card. Two sequential requests to Stripe. The webhook
 * writes what follows from it into the database.
 */
export async function payInvoice(
  { invoice: id }: PayInvoiceRequest,
  connected: Services,
  { request }: { request: Request },
): Promise<Result<PayInvoiceAnswer>> {
  const { stripe } = connected
  const customer = await signedInCustomer(request, connected)
  if (!customer.ok) return customer
  let clientSecret: string | null = null
  try {
    const invoice = await stripe.invoices
      .retrieve(id, { expand: ['confirmation_secret', 'customer', 'payments.data.payment.payment_intent'] })
      .catch(unlessUnknown)
    const owner = invoice?.customer
    if (!invoice || !owner || typeof owner === 'string' || owner.id !== customer.value || owner.deleted)
      return { ok: false, failure: unknownInvoice }
    if (invoice.status === 'paid') return paid
    if (invoice.status !== 'open' && invoice.status !== 'uncollectible')
      return { ok: false, failure: unknownInvoice }
    const card = owner.invoice_settings.default_payment_method
    if (!card) return { ok: false, failure: noCard }
    clientSecret = invoice.confirmation_secret?.client_secret ?? null
    await stripe.invoices.pay(
      id,
      { off_session: false, payment_method: idOf(card) },
      keyOf(invoice, idOf(card)),
    )
    return paid
  } catch (caught) {
    if (caught instanceof Stripe.errors.StripeError && clientSecret !== null) {
      if (caught.code === 'invoice_payment_intent_requires_action')
        return { ok: true, value: { status: 'requires_action', clientSecret } }
    }
    const failure = providerFailure(caught)
    if (!failure) throw caught
    if (failure.code !== 'card_declined') logFailure('pay-invoice', caught)
    return { ok: false, failure }
  }
}

/**
 * Returns the key of one attempt. Two clicks at once are one attempt; after a decline the same card can be tried again,
 * because the charge that failed is part of the key (manual attempts are not counted by Stripe).
 * @returns no key after a confirmation that failed: it leaves no charge that would tell the next attempt from it
 */
function keyOf({ id, attempt_count, payments }: Stripe.Invoice, card: string): Stripe.RequestOptions {
  const last = payments?.data.at(-1)?.payment.payment_intent
  const payment = typeof last === 'object' ? last : null
  if (payment?.last_payment_error?.code === unconfirmed) return {}
  const attempt = JSON.stringify([
    id,
    attempt_count,
    card,
    payment?.latest_charge && idOf(payment.latest_charge),
  ])
  return { idempotencyKey: `pay:${createHash('sha256').update(attempt).digest('hex').slice(0, 40)}` }
}

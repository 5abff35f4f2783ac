import type { Stripe } from 'stripe'
import { idOf, known, type Account } from '../account.ts'
import { expireSubscription } from '../billing/cancellation.ts'
import { defaultMethod, draft, paymentOf, subscriptionIdOf, voidInvoice } from '../billing/invoices.ts'
import { changedItems, periodOf } from '../billing/items.ts'
import { addedCharge, itemCharge, type Charge } from '../billing/lines.ts'
import { attemptPayment } from '../billing/payment.ts'
import { newInvoiceItem, pendingItems, prorationItem } from '../billing/pending.ts'
import { nextPeriodEnd } from '../billing/period.ts'
import { authenticationRequired } from '../cards.ts'
import { declined, invalid, malformed } from '../errors.ts'
import type { Handlers } from '../handlers.ts'
import { page, within } from '../lists.ts'
import { ownMethod } from './subscriptions.ts'

type Endpoints =
  | 'GET /v1/invoices'
  | 'GET /v1/invoices/:id'
  | 'GET /v1/invoices/:id/lines'
  | 'POST /v1/invoices/create_preview'
  | 'POST /v1/invoices/:id/pay'
  | 'POST /v1/invoices/:id/void'

export const invoices: Pick<Handlers, Endpoints> = {
  'GET /v1/invoices'(account, params) {
    const found = account.store
      .all('invoices')
      .filter((one) => !params.customer || one.customer === params.customer)
      .filter((one) => !params.subscription || subscriptionIdOf(one) === params.subscription)
      .filter((one) => !params.status || one.status === params.status)
      .filter((one) => within(params.created, one.created))
    return page(found, params, '/v1/invoices')
  },

  'GET /v1/invoices/:id': (account, _params, id) => known(account, 'invoices', id),

  'GET /v1/invoices/:id/lines'(account, params, id) {
    const { data } = known(account, 'invoices', id).lines
    return page(data.toReversed(), params, `/v1/invoices/${id}/lines`)
  },

  'POST /v1/invoices/create_preview': (account, params) => preview(account, params),

  'POST /v1/invoices/:id/pay'(account, params, id) {
    const invoice = known(account, 'invoices', id)
    if (invoice.status === 'paid') throw invalid('Invoice is already paid')
    if (invoice.status !== 'open') throw invalid(`This invoice can no longer be paid (${invoice.status}).`)
    const customer = idOf(invoice.customer) ?? ''
    const subscription = account.store.get('subscriptions', subscriptionIdOf(invoice) ?? '') ?? null
    const method =
      ownMethod(account, customer, params.payment_method) ?? defaultMethod(account, customer, subscription)
    if (!method) throw invalid('There is no `default_payment_method` set on this Customer or Invoice.')
    const intentId = idOf(paymentOf(account, id)?.payment.payment_intent) ?? ''
    const outcome = attemptPayment(account, known(account, 'paymentIntents', intentId), {
      method,
      onSession: params.off_session === false,
    })
    if (outcome.kind === 'declined') throw declined(outcome.decline, { payment_intent: outcome.intent })
    if (outcome.kind === 'action') {
      throw declined(
        { ...authenticationRequired, code: 'invoice_payment_intent_requires_action' },
        { payment_intent: outcome.intent },
      )
    }
    return known(account, 'invoices', id)
  },

  'POST /v1/invoices/:id/void'(account, _params, id) {
    const invoice = known(account, 'invoices', id)
    if (invoice.status !== 'open') throw invalid(`You can only void open invoices (${invoice.status}).`)
    const intentId = idOf(paymentOf(account, id)?.payment.payment_intent)
    if (account.store.get('paymentIntents', intentId ?? '')?.status === 'processing') {
      throw invalid('You cannot void this invoice while a payment for it is processing.')
    }
    const subscription = account.store.get('subscriptions', subscriptionIdOf(invoice) ?? '')
    if (subscription?.status === 'incomplete') expireSubscription(account, subscription)
    else voidInvoice(account, invoice)
    return known(account, 'invoices', id)
  },
}

/**
 * Previews the next invoice of a subscription with the prorations of a change, without making the change. With
 * `always_invoice` it previews the invoice of the change itself.
 */
function preview(account: Account, params: Stripe.InvoiceCreatePreviewParams): Stripe.Invoice {
  const subscription = params.subscription
    ? known(account, 'subscriptions', params.subscription, 'subscription')
    : account.store.all('subscriptions').find((one) => one.customer === params.customer && !one.ended_at)
  if (!subscription) {
    throw malformed('You must pass a `subscription` or a `customer` that has one.', {
      code: 'parameter_missing',
    })
  }
  if (subscription.ended_at) {
    throw invalid(`No upcoming invoices for subscription: ${subscription.id}`, {
      code: 'invoice_upcoming_none',
    })
  }
  const details = params.subscription_details
  const change = changedItems(
    account,
    subscription,
    details?.items ?? [],
    details?.proration_date ?? account.now(),
  )
  const behaviour = details?.proration_behavior ?? 'create_prorations'
  const prorations = behaviour === 'none' ? [] : change.prorations
  const customer = idOf(subscription.customer) ?? ''
  const added = (params.invoice_items ?? []).map((item) =>
    newInvoiceItem(account, {
      customer,
      subscription: subscription.id,
      subscriptionItem: null,
      amount: item.amount ?? (item.unit_amount ?? 0) * (item.quantity ?? 1),
      quantity: item.quantity ?? 1,
      description: item.description ?? null,
      period: item.period ?? { start: account.now(), end: account.now() },
      metadata: {},
      price: null,
      proration: false,
    }),
  )
  const pending: Charge[] = [
    ...pendingItems(account, subscription),
    ...prorations.map((one) => prorationItem(account, subscription, one)),
    ...added,
  ].map((item) => addedCharge(account, item))

  const current = periodOf(subscription)
  const recurring = change.items.data[0]?.price.recurring
  const end = nextPeriodEnd(
    subscription.billing_cycle_anchor,
    recurring?.interval ?? 'month',
    recurring?.interval_count ?? 1,
    current.end,
  )
  const now = behaviour === 'always_invoice' && details?.items !== undefined
  const ending = subscription.cancel_at_period_end || details?.cancel_at_period_end === true
  return draft(account, {
    customer,
    subscription,
    reason: now ? 'subscription_update' : 'upcoming',
    charges:
      now || ending
        ? pending
        : [
            ...pending,
            ...change.items.data.map((item) => itemCharge(account, item, { start: current.end, end })),
          ],
    period: current,
  })
}

import type { Stripe } from 'stripe'
import { change, idOf, known, mergedMetadata, type Account } from '../account.ts'
import { draftFor, expireSubscription } from '../billing/cancellation.ts'
import {
  defaultMethod,
  draft,
  finalize,
  openDraft,
  paymentOf,
  subscriptionIdOf,
  voidInvoice,
} from '../billing/invoices.ts'
import { changedItems, periodOf } from '../billing/items.ts'
import { addedCharge, itemCharge, productName, type Charge } from '../billing/lines.ts'
import { attemptPayment } from '../billing/payment.ts'
import { endUpdate, isHeld } from '../billing/pending-updates.ts'
import { newInvoiceItem, pendingItems, prorationItem } from '../billing/pending.ts'
import { prorationDate, prorationsOf } from '../billing/prorations.ts'
import { nextPeriodEnd } from '../billing/period.ts'
import { collect } from '../billing/renewal.ts'
import { statusByInvoices } from '../billing/settlement.ts'
import { updateSubscription } from '../billing/subscriptions.ts'
import { authenticationRequired } from '../cards.ts'
import { declined, invalid, malformed } from '../errors.ts'
import type { Handlers } from '../handlers.ts'
import { page, within } from '../lists.ts'
import { ownMethod } from './payment-methods.ts'

type Endpoints =
  | 'GET /v1/invoices'
  | 'GET /v1/invoices/:id'
  | 'GET /v1/invoices/:id/lines'
  | 'POST /v1/invoices'
  | 'POST /v1/invoices/:id'
  | 'DELETE /v1/invoices/:id'
  | 'POST /v1/invoices/:id/finalize'
  | 'POST /v1/invoices/:id/mark_uncollectible'
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

  'POST /v1/invoices': (account, params) => create(account, params),

  'POST /v1/invoices/:id'(account, params, id) {
    const before = known(account, 'invoices', id)
    const { auto_advance: advances } = params
    if (advances !== undefined && !['draft', 'open'].includes(before.status ?? '')) {
      throw invalid(`You can only change \`auto_advance\` of a draft or open invoice (${before.status}).`)
    }
    const invoice = change(account, 'invoices', before, {
      metadata: mergedMetadata(before.metadata, params.metadata),
      ...(params.description === undefined ? {} : { description: params.description || null }),
      ...(advances === undefined ? {} : advancing(account, before, advances)),
    })
    account.emit('invoice.updated', invoice, before)
    return invoice
  },

  'DELETE /v1/invoices/:id'(account, _params, id) {
    const invoice = known(account, 'invoices', id)
    if (invoice.status !== 'draft' || invoice.parent) {
      throw invalid('You can only delete draft invoices that belong to no subscription.')
    }
    for (const item of account.store.all('invoiceItems')) {
      if (item.invoice === id) account.store.remove('invoiceItems', item.id)
    }
    account.store.remove('invoices', id)
    account.emit('invoice.deleted', invoice)
    return { id, object: 'invoice', deleted: true }
  },

  'POST /v1/invoices/:id/finalize'(account, params, id) {
    const invoice = known(account, 'invoices', id)
    if (invoice.status !== 'draft') {
      throw invalid(`This invoice is already finalized, you can't re-finalize a non-draft invoice.`, {
        code: 'invoice_not_editable',
      })
    }
    const finalized = finalize(account, invoice)
    if (params.auto_advance ?? invoice.auto_advance) collect(account, finalized)
    return known(account, 'invoices', id)
  },

  'POST /v1/invoices/:id/mark_uncollectible'(account, _params, id) {
    const before = known(account, 'invoices', id)
    if (before.status !== 'open')
      throw invalid(`Only open invoices can be marked uncollectible (${before.status}).`)
    const invoice = change(account, 'invoices', before, {
      status: 'uncollectible',
      auto_advance: false,
      next_payment_attempt: null,
      status_transitions: { ...before.status_transitions, marked_uncollectible_at: account.now() },
    })
    account.emit('invoice.marked_uncollectible', invoice)
    return invoice
  },

  'POST /v1/invoices/:id/pay'(account, params, id) {
    const given = known(account, 'invoices', id)
    if (given.status === 'paid') throw invalid('Invoice is already paid')
    const invoice = given.status === 'draft' ? finalize(account, given) : given
    if (invoice.status === 'paid') return invoice
    if (invoice.status !== 'open' && invoice.status !== 'uncollectible') {
      throw invalid(`This invoice can no longer be paid (${invoice.status}).`)
    }
    const customer = idOf(invoice.customer) ?? ''
    const subscription = account.store.get('subscriptions', subscriptionIdOf(invoice) ?? '') ?? null
    const method =
      ownMethod(account, customer, params.payment_method) ?? defaultMethod(account, customer, subscription)
    if (!method) {
      throw invalid(
        'There is no `default_payment_method` set on this Customer or Invoice. Please set either of these or provide a `payment_method`.',
      )
    }
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
    if (invoice.status !== 'open' && invoice.status !== 'uncollectible') {
      throw invalid(`You can only void open invoices (${invoice.status}).`)
    }
    const intentId = idOf(paymentOf(account, id)?.payment.payment_intent)
    if (account.store.get('paymentIntents', intentId ?? '')?.status === 'processing') {
      throw invalid('You cannot void this invoice while a payment for it is processing.')
    }
    const subscription = account.store.get('subscriptions', subscriptionIdOf(invoice) ?? '')
    if (subscription?.status === 'incomplete') expireSubscription(account, subscription)
    else if (subscription && isHeld(subscription, id)) endUpdate(account, subscription, true)
    else {
      voidInvoice(account, invoice)
      if (subscription && !subscription.ended_at) {
        const status = statusByInvoices(account, subscription)
        if (status !== subscription.status) updateSubscription(account, subscription, { status })
      }
    }
    return known(account, 'invoices', id)
  },
}

/** Returns the fields of an invoice that Stripe finalizes and charges by itself, or not. */
const advancing = (
  account: Account,
  { status, automatically_finalizes_at }: Stripe.Invoice,
  advances: boolean,
) => ({
  auto_advance: advances,
  automatically_finalizes_at:
    advances && status === 'draft' ? (automatically_finalizes_at ?? account.now() + draftFor) : null,
  ...(advances ? {} : { next_payment_attempt: null }),
})

/** Creates a draft for a customer, with its waiting items if they are to be included. */
function create(account: Account, params: Stripe.InvoiceCreateParams): Stripe.Invoice {
  if (!params.customer) {
    throw malformed('Missing required param: customer.', { code: 'parameter_missing', param: 'customer' })
  }
  const customer = known(account, 'customers', params.customer, 'customer')
  const subscription = params.subscription
    ? known(account, 'subscriptions', params.subscription, 'subscription')
    : null
  const waiting = account.store
    .all('invoiceItems')
    .filter((one) => one.customer === customer.id && one.invoice === null)
    .filter((one) => !subscription || one.parent?.subscription_details?.subscription === subscription.id)
  const included = subscription || params.pending_invoice_items_behavior === 'include' ? waiting : []
  const now = account.now()
  const advances = params.auto_advance ?? false
  return openDraft(
    account,
    {
      customer: customer.id,
      subscription,
      reason: 'manual',
      charges: included.toReversed().map((item) => addedCharge(account, item)),
      period: { start: now, end: now },
    },
    {
      auto_advance: advances,
      automatically_finalizes_at: advances ? now + draftFor : null,
      description: params.description ?? null,
      metadata: mergedMetadata({}, params.metadata),
    },
  )
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
  const at = prorationDate(account, subscription, details)
  const { items, changes } = changedItems(account, subscription, details?.items ?? [])
  const behaviour = details?.proration_behavior ?? 'create_prorations'
  const prorations = behaviour === 'none' ? [] : prorationsOf(account, subscription, changes, at)
  const customer = idOf(subscription.customer) ?? ''
  const added = (params.invoice_items ?? []).map((item) => {
    const price = item.price ? known(account, 'prices', item.price, 'invoice_items[price]') : null
    const quantity = item.quantity ?? 1
    return newInvoiceItem(account, {
      customer,
      subscription: subscription.id,
      subscriptionItem: null,
      amount: item.amount ?? (price?.unit_amount ?? 0) * quantity,
      quantity,
      description: item.description ?? (price ? productName(account, price) : null),
      discountable: item.discountable ?? true,
      period: item.period ?? { start: account.now(), end: account.now() },
      metadata: {},
      price,
      proration: false,
    })
  })
  const pending: Charge[] = [
    ...prorations.map((one) => prorationItem(account, subscription, one)),
    ...added.toReversed(),
    ...pendingItems(account, subscription),
  ].map((item) => addedCharge(account, item))

  const current = periodOf(subscription)
  const recurring = items.data[0]?.price.recurring
  const end = nextPeriodEnd(
    subscription.billing_cycle_anchor,
    recurring?.interval ?? 'month',
    recurring?.interval_count ?? 1,
    current.end,
  )
  const now = behaviour === 'always_invoice' && details?.items !== undefined
  const ending = subscription.cancel_at !== null || details?.cancel_at_period_end === true
  return draft(account, {
    customer,
    subscription,
    reason: 'upcoming',
    charges:
      now || ending
        ? pending
        : [...pending, ...items.data.map((item) => itemCharge(account, item, { start: current.end, end }))],
    period: current,
  })
}

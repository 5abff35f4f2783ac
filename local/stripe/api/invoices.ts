import type { Stripe } from 'stripe'
import { change, idOf, known, mergedMetadata, type Account } from '../account.ts'
import { draftFor, expireSubscription } from '../billing/cancellation.ts'
import {
  defaultMethod,
  finalize,
  openDraft,
  paymentOf,
  subscriptionIdOf,
  voidInvoice,
} from '../billing/invoices.ts'
import { addedCharge } from '../billing/lines.ts'
import { attemptPayment } from '../billing/payment.ts'
import { endUpdate, isHeld } from '../billing/pending-updates.ts'
import { collect } from '../billing/renewal.ts'
import { statusByInvoices } from '../billing/settlement.ts'
import { updateSubscription } from '../billing/subscriptions.ts'
import { authenticationRequired } from '../cards.ts'
import { declined, invalid, malformed } from '../errors.ts'
import type { Handlers } from '../handlers.ts'
import { page, within } from '../lists.ts'
import { preview, previewed } from './invoice-preview.ts'
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
    const { data } = (previewed(account, id) ?? known(account, 'invoices', id)).lines
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

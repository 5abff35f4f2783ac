import type { Stripe } from 'stripe'
import { change, idOf, requireObject, type Account } from '../account.ts'
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
import { declined, invalid, missingParameter } from '../errors.ts'
import type { Handlers } from '../handlers.ts'
import { page } from '../lists.ts'
import { preview, findPreview } from './invoice-preview.ts'
import { ownMethod } from './payment-methods.ts'

type Endpoints =
  | 'GET /v1/invoices'
  | 'GET /v1/invoices/:id'
  | 'GET /v1/invoices/:id/lines'
  | 'POST /v1/invoices'
  | 'POST /v1/invoices/:id/finalize'
  | 'POST /v1/invoices/:id/mark_uncollectible'
  | 'POST /v1/invoices/create_preview'
  | 'POST /v1/invoices/:id/pay'
  | 'POST /v1/invoices/:id/void'

export const invoices: Pick<Handlers, Endpoints> = {
  'GET /v1/invoices'(account, params) {
    const { customer, subscription, status } = params
    const found = account.store
      .all('invoices')
      .filter((one) => !customer || one.customer === customer)
      .filter((one) => !subscription || subscriptionIdOf(one) === subscription)
      .filter((one) => !status || one.status === status)
    return page(found, params, '/v1/invoices')
  },

  'GET /v1/invoices/:id': (account, _params, id) => requireObject(account, 'invoices', id),

  'GET /v1/invoices/:id/lines'(account, params, id) {
    const { data } = (findPreview(account, id) ?? requireObject(account, 'invoices', id)).lines
    return page(data.toReversed(), params, `/v1/invoices/${id}/lines`)
  },

  'POST /v1/invoices/create_preview': (account, params) => preview(account, params),

  'POST /v1/invoices': (account, params) => create(account, params),

  'POST /v1/invoices/:id/finalize'(account, { auto_advance: advances }, id) {
    const invoice = requireObject(account, 'invoices', id)
    if (invoice.status !== 'draft') {
      throw invalid(`This invoice is already finalized, you can't re-finalize a non-draft invoice.`, {
        code: 'invoice_not_editable',
      })
    }
    const finalized = finalize(account, invoice)
    if (advances ?? invoice.auto_advance) collect(account, finalized)
    return requireObject(account, 'invoices', id)
  },

  'POST /v1/invoices/:id/mark_uncollectible'(account, _params, id) {
    const before = requireObject(account, 'invoices', id)
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

  'POST /v1/invoices/:id/pay'(account, { off_session: isAbsent, payment_method: named }, id) {
    const given = requireObject(account, 'invoices', id)
    if (given.status === 'paid') throw invalid('Invoice is already paid')
    const invoice = given.status === 'draft' ? finalize(account, given) : given
    if (invoice.status === 'paid') return invoice
    if (invoice.status !== 'open' && invoice.status !== 'uncollectible') {
      throw invalid(`This invoice can no longer be paid (${invoice.status}).`)
    }
    const customer = idOf(invoice.customer) ?? ''
    const subscription = account.store.get('subscriptions', subscriptionIdOf(invoice) ?? '') ?? null
    const method = ownMethod(account, customer, named) ?? defaultMethod(account, customer, subscription)
    if (!method) {
      throw invalid(
        'There is no `default_payment_method` set on this Customer or Invoice. Please set either of these or provide a `payment_method`.',
      )
    }
    const intentId = idOf(paymentOf(account, id)?.payment.payment_intent) ?? ''
    const outcome = attemptPayment(account, requireObject(account, 'paymentIntents', intentId), {
      method,
      onSession: isAbsent === false,
    })
    if (outcome.kind === 'declined') throw declined(outcome.decline, { payment_intent: outcome.intent })
    if (outcome.kind === 'action') {
      throw declined(
        { ...authenticationRequired, code: 'invoice_payment_intent_requires_action' },
        { payment_intent: outcome.intent },
      )
    }
    return requireObject(account, 'invoices', id)
  },

  'POST /v1/invoices/:id/void'(account, _params, id) {
    const invoice = requireObject(account, 'invoices', id)
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
    return requireObject(account, 'invoices', id)
  },
}

/** Creates a draft for a customer, with its waiting items if they are to be included. */
function create(account: Account, params: Stripe.InvoiceCreateParams): Stripe.Invoice {
  if (!params.customer) {
    throw missingParameter('customer')
  }
  const { auto_advance: advances = false, pending_invoice_items_behavior: behaviour } = params
  const customer = requireObject(account, 'customers', params.customer, 'customer')
  const waiting = account.store
    .all('invoiceItems')
    .filter((one) => one.customer === customer.id && one.invoice === null)
  const now = account.now()
  return openDraft(
    account,
    {
      customer: customer.id,
      subscription: null,
      reason: 'manual',
      charges: behaviour === 'include' ? waiting.toReversed().map((item) => addedCharge(account, item)) : [],
      period: { start: now, end: now },
    },
    { auto_advance: advances, automatically_finalizes_at: advances ? now + draftFor : null },
  )
}

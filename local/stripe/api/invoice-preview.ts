import type { Stripe } from 'stripe'
import { idOf, known, type Account } from '../account.ts'
import { draft } from '../billing/invoices.ts'
import { changedItems, periodOf } from '../billing/items.ts'
import { addedCharge, itemCharge, productName, type Charge } from '../billing/lines.ts'
import { newInvoiceItem, pendingItems, prorationItem } from '../billing/pending.ts'
import { nextPeriodEnd } from '../billing/period.ts'
import { prorationDate, prorationsOf } from '../billing/prorations.ts'
import { invalid, malformed } from '../errors.ts'

/** The number of previews whose lines can be listed. */
const mostPreviews = 100
/** The latest previews of an account. They are no invoices, so they are kept in memory alone. */
const previews = new WeakMap<Account, Stripe.Invoice[]>()

/** Returns a preview by its id. An invoice shows its first ten lines: the others are listed by the id, also of a preview. */
export const previewed = (account: Account, id: string): Stripe.Invoice | undefined =>
  previews.get(account)?.find((one) => one.id === id)

/**
 * Previews the next invoice of a subscription with the prorations of a change, without making the change. With
 * `always_invoice` it previews the invoice of the change itself.
 */
export function preview(account: Account, params: Stripe.InvoiceCreatePreviewParams): Stripe.Invoice {
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
      currency: subscription.currency,
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
  const invoice = draft(account, {
    customer,
    subscription,
    reason: 'upcoming',
    charges:
      now || ending
        ? pending
        : [...pending, ...items.data.map((item) => itemCharge(account, item, { start: current.end, end }))],
    period: current,
  })
  const latest = previews.get(account) ?? []
  previews.set(account, [invoice, ...latest.slice(0, mostPreviews - 1)])
  return invoice
}

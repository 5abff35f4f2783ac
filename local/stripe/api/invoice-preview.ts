import type { Stripe } from 'stripe'
import { idOf, requireObject, type Account } from '../account.ts'
import { draft } from '../billing/invoices.ts'
import { changedItems, periodOf } from '../billing/items.ts'
import { addedCharge, itemCharge } from '../billing/lines.ts'
import { pendingItems, prorationItem } from '../billing/pending.ts'
import { nextPeriodEnd } from '../billing/period.ts'
import { prorationDate, prorationsOf } from '../billing/prorations.ts'
import { invalid, missingParameter } from '../errors.ts'

/** The number of previews whose lines can be listed. */
const mostPreviews = 100
/** The latest previews of an account. They are no invoices, so they are kept in memory alone. */
const previews = new WeakMap<Account, Stripe.Invoice[]>()

/** Returns a preview by its id. An invoice shows its first ten lines: the others are listed by the id, also of a preview. */
export const findPreview = (account: Account, id: string): Stripe.Invoice | undefined =>
  previews.get(account)?.find((one) => one.id === id)

/**
 * Previews the next invoice of a subscription with the prorations of a change, without making the change. With
 * `always_invoice` it previews the invoice of the change itself.
 */
export function preview(account: Account, params: Stripe.InvoiceCreatePreviewParams): Stripe.Invoice {
  if (!params.subscription) throw missingParameter('subscription')
  const subscription = requireObject(account, 'subscriptions', params.subscription, 'subscription')
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
  const pending = [
    ...prorations.map((one) => prorationItem(account, subscription, one)),
    ...pendingItems(account, subscription),
  ].map((item) => addedCharge(account, item))

  const current = periodOf(subscription)
  const end = nextPeriodEnd(
    subscription.billing_cycle_anchor,
    items.data[0]?.price.recurring?.interval ?? 'month',
    current.end,
  )
  const isOfChange = behaviour === 'always_invoice' && details?.items !== undefined
  const invoice = draft(account, {
    customer: idOf(subscription.customer) ?? '',
    subscription,
    reason: 'upcoming',
    charges:
      isOfChange || subscription.cancel_at !== null
        ? pending
        : [...pending, ...items.data.map((item) => itemCharge(account, item, { start: current.end, end }))],
    period: current,
  })
  const latest = previews.get(account) ?? []
  previews.set(account, [invoice, ...latest.slice(0, mostPreviews - 1)])
  return invoice
}

import type { Stripe } from 'stripe'
import { idOf, type Account } from '../account.ts'
import { malformed } from '../errors.ts'
import { periodOf, type ItemChange } from './items.ts'
import { productName, type Period } from './lines.ts'

export interface Proration {
  amount: number
  description: string
  price: Stripe.Price
  quantity: number
  period: Period
  item: string
  /** The debit that a credit gives back; null for a debit. */
  credits: Stripe.InvoiceItem.ProrationDetails.CreditedItems | null
}

/** A price that was charged for a time, on an invoice or waiting for one. */
interface Debit {
  reference: Stripe.InvoiceItem.ProrationDetails.CreditedItems
  amount: number
  period: Period
  price: Stripe.Price
  quantity: number
  /** The end of the time that no credit has given back yet. */
  liveUntil: number
}

/** @throws StripeFailure 400 if prorations are calculated to a moment outside the period */
export function prorationDate(
  account: Account,
  subscription: Stripe.Subscription,
  params: { proration_date?: number; proration_behavior?: string } = {},
): number {
  const { proration_date: given, proration_behavior: behaviour } = params
  if (given === undefined) return account.now()
  if (behaviour === 'none') {
    throw malformed('You cannot pass `proration_date` when `proration_behavior` is set to `none`.', {
      param: 'proration_date',
    })
  }
  const { start, end } = periodOf(subscription)
  if (given >= start && given <= end) return given
  throw malformed('Cannot specify proration date outside of current subscription period.', {
    param: 'proration_date',
  })
}

/**
 * Returns the prorations of a change for the rest of the period, as in flexible billing mode: what was charged for the time
 * after the change is given back, one credit for each debit, and the new price is charged for it.
 * @param at the moment of the change, in seconds since 1970
 */
export function prorationsOf(
  account: Account,
  subscription: Stripe.Subscription,
  changes: readonly ItemChange[],
  at: number,
): Proration[] {
  const period = periodOf(subscription)
  return changes.flatMap(({ before, after }) => [
    ...(before ? credits(account, subscription, before, at) : []),
    debit(account, after, period, at),
  ])
}

function credits(
  account: Account,
  subscription: Stripe.Subscription,
  item: Stripe.SubscriptionItem,
  at: number,
): Proration[] {
  return debitsOf(account, subscription, item.id)
    .filter(({ period, liveUntil }) => Math.max(at, period.start) < liveUntil)
    .map(({ amount, liveUntil, period, price, quantity, reference }) => {
      const start = Math.max(at, period.start)
      const share = Math.round((amount * (liveUntil - start)) / (period.end - period.start))
      return {
        // Avoids minus zero, which Object.is distinguishes from zero.
        amount: 0 - share,
        description: `Unused time on ${productName(account, price)} after ${day(start)}`,
        price,
        quantity,
        period: { start, end: liveUntil },
        item: item.id,
        credits: reference,
      }
    })
}

function debit(account: Account, item: Stripe.SubscriptionItem, period: Period, at: number): Proration {
  const { price, quantity = 1 } = item
  const left = period.end - at
  return {
    amount: Math.round(((price.unit_amount ?? 0) * quantity * left) / (period.end - period.start)),
    description: `Remaining time on ${productName(account, price)} after ${day(at)}`,
    price,
    quantity,
    period: { start: at, end: period.end },
    item: item.id,
    credits: null,
  }
}

const day = (seconds: number): string =>
  new Date(seconds * 1000).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  })

/** Returns what a subscription item was charged, and how much of each time is not credited yet. */
function debitsOf(account: Account, subscription: Stripe.Subscription, itemId: string): Debit[] {
  const pending = subscription.pending_update ? idOf(subscription.latest_invoice) : null
  const counts = (invoice: string | null): boolean => {
    const found = account.store.get('invoices', invoice ?? '')
    return found !== undefined && found.status !== 'void' && found.id !== pending
  }
  const price = (id: string | null) => account.store.get('prices', id ?? '')
  const items = account.store
    .all('invoiceItems')
    .filter((one) => one.parent?.subscription_details?.subscription_item === itemId)
  const waiting = items.filter((one) => one.invoice === null)
  const given = [...waiting, ...items.filter((one) => counts(idOf(one.invoice)))].flatMap((one) => {
    const credited = one.proration_details?.credited_items
    return credited ? [{ credited, start: one.period.start }] : []
  })
  const liveUntil = (end: number, line: string | undefined, invoiceItem: string | null): number =>
    given
      .filter(
        ({ credited }) =>
          (line && credited.invoice_line_item_details?.invoice_line_items.includes(line)) ||
          (invoiceItem && credited.invoice_item === invoiceItem),
      )
      .reduce((earliest, { start }) => Math.min(earliest, start), end)

  const invoiced = account.store
    .all('invoices')
    .filter((invoice) => counts(invoice.id))
    .flatMap(({ id, lines }) => lines.data.map((line) => ({ invoice: id, line })))
    .flatMap(({ invoice, line }): Debit[] => {
      const details = line.parent?.subscription_item_details
      const charged = price(idOf(line.pricing?.price_details?.price))
      if (details?.subscription_item !== itemId || line.amount <= 0 || !charged) return []
      return [
        {
          reference: {
            type: 'invoice_line_items',
            invoice_line_item_details: { invoice, invoice_line_items: [line.id] },
          },
          amount: line.amount,
          period: line.period,
          price: charged,
          quantity: line.quantity ?? 1,
          liveUntil: liveUntil(line.period.end, line.id, details.invoice_item),
        },
      ]
    })
  const uninvoiced = waiting.flatMap((one): Debit[] => {
    const charged = price(idOf(one.pricing?.price_details?.price))
    if (one.amount <= 0 || !charged) return []
    return [
      {
        reference: { type: 'invoice_item', invoice_item: one.id },
        amount: one.amount,
        period: one.period,
        price: charged,
        quantity: one.quantity,
        liveUntil: liveUntil(one.period.end, undefined, one.id),
      },
    ]
  })
  return [...invoiced, ...uninvoiced]
}

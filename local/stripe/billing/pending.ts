import type { Stripe } from 'stripe'
import { decimal, idOf, newId, type Account } from '../account.ts'
import type { Proration } from './prorations.ts'
import type { Period } from './lines.ts'

interface ItemFields {
  customer: string
  subscription: string | null
  subscriptionItem: string | null
  amount: number
  currency: string
  quantity: number
  description: string | null
  period: Period
  metadata: Stripe.Metadata
  price: Stripe.Price | null
  proration: boolean
  /** Set for a proration. */
  credits?: Proration['credits']
  discountable?: boolean
}

/** Creates an item for the customer's next invoice. */
export function newInvoiceItem(account: Account, fields: ItemFields): Stripe.InvoiceItem {
  const { price } = fields
  return {
    id: newId('ii'),
    object: 'invoiceitem',
    amount: fields.amount,
    currency: fields.currency,
    customer: fields.customer,
    customer_account: null,
    date: account.now(),
    description: fields.description,
    discountable: fields.discountable ?? !fields.proration,
    discounts: [],
    invoice: null,
    livemode: false,
    metadata: fields.metadata,
    net_amount: fields.amount,
    parent: fields.subscription
      ? {
          type: 'subscription_details',
          subscription_details: {
            subscription: fields.subscription,
            subscription_item: fields.subscriptionItem ?? undefined,
          },
        }
      : null,
    period: fields.period,
    pricing: {
      type: 'price_details',
      unit_amount_decimal: decimal(fields.amount / (fields.quantity || 1)),
      ...(price ? { price_details: { price: price.id, product: idOf(price.product) ?? '' } } : {}),
    },
    proration: fields.proration,
    ...(fields.proration
      ? { proration_details: { credited_items: fields.credits ?? null, discount_amounts: [] } }
      : {}),
    quantity: fields.quantity,
    quantity_decimal: decimal(fields.quantity),
    tax_rates: [],
    test_clock: null,
  }
}

export const prorationItem = (
  account: Account,
  subscription: Stripe.Subscription,
  proration: Proration,
): Stripe.InvoiceItem =>
  newInvoiceItem(account, {
    customer: idOf(subscription.customer) ?? '',
    subscription: subscription.id,
    subscriptionItem: proration.item,
    amount: proration.amount,
    currency: subscription.currency,
    quantity: proration.quantity,
    description: proration.description,
    period: proration.period,
    metadata: {},
    price: proration.price,
    proration: true,
    credits: proration.credits,
  })

/**
 * Returns the items for the next invoice of a subscription, newest first: its own ones, and those of no subscription. The
 * prorations of one change stay in their order.
 */
export function pendingItems(account: Account, subscription: Stripe.Subscription): Stripe.InvoiceItem[] {
  const waiting = account.store.all('invoiceItems').filter((item) => {
    const owner = item.parent?.subscription_details?.subscription
    return (
      item.customer === subscription.customer &&
      item.invoice === null &&
      (!owner || owner === subscription.id)
    )
  })
  return [
    ...waiting.filter((one) => one.proration),
    ...waiting.filter((one) => !one.proration).reverse(),
  ].sort((one, other) => other.date - one.date)
}

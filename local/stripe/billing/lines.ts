import type { Stripe } from 'stripe'
import { money } from '#platform/domain/text/numbers.ts'
import { decimal, idOf, newId, type Account } from '../account.ts'

export interface Period {
  start: number
  end: number
}

/** A line of an invoice, in the currency's smallest unit, for a subscription's item or for an invoice item. */
export interface Charge {
  amount: number
  currency: string
  description: string
  period: Period
  quantity: number
  metadata: Stripe.Metadata
  price: Stripe.Price | null
  unitAmount: number
  subscription: string | null
  subscriptionItem: string | null
  invoiceItem: string | null
  proration: boolean
  discountable: boolean
  /** The lines that a credit gives back. */
  credited: Stripe.InvoiceLineItem.Parent.SubscriptionItemDetails.ProrationDetails.CreditedItems | null
}

/** Returns the name of a price's product. */
export function productName(account: Account, price: Stripe.Price): string {
  return account.store.get('products', idOf(price.product) ?? '')?.name ?? 'Subscription'
}

/** Returns the line of a subscription's item for a period. */
export function itemCharge(account: Account, item: Stripe.SubscriptionItem, period: Period): Charge {
  const { price, quantity = 1 } = item
  const each = price.unit_amount ?? 0
  return {
    amount: each * quantity,
    currency: price.currency,
    description: `${quantity} × ${productName(account, price)} (at ${money(each, price.currency)} / ${price.recurring?.interval ?? 'month'})`,
    period,
    quantity,
    metadata: item.metadata,
    price,
    unitAmount: each,
    subscription: item.subscription,
    subscriptionItem: item.id,
    invoiceItem: null,
    proration: false,
    discountable: true,
    credited: null,
  }
}

/** Returns the line of an invoice item, which was added by hand or by a proration. */
export function addedCharge(account: Account, item: Stripe.InvoiceItem): Charge {
  const details = item.pricing?.price_details
  return {
    amount: item.amount,
    currency: item.currency,
    description: item.description ?? 'Invoice item',
    period: item.period,
    quantity: item.quantity,
    metadata: item.metadata ?? {},
    price: account.store.get('prices', idOf(details?.price) ?? '') ?? null,
    unitAmount: Math.round(item.amount / (item.quantity || 1)),
    subscription: item.parent?.subscription_details?.subscription ?? null,
    subscriptionItem: item.parent?.subscription_details?.subscription_item ?? null,
    invoiceItem: item.id,
    proration: item.proration,
    discountable: item.discountable,
    credited: item.proration_details?.credited_items?.invoice_line_item_details ?? null,
  }
}

export function lineOf(charge: Charge, invoice: string): Stripe.InvoiceLineItem {
  return {
    id: newId('il'),
    object: 'line_item',
    amount: charge.amount,
    currency: charge.currency,
    description: charge.description,
    discount_amounts: [],
    discountable: charge.discountable,
    discounts: [],
    invoice,
    livemode: false,
    metadata: charge.metadata,
    parent: parentOf(charge),
    period: charge.period,
    pretax_credit_amounts: [],
    pricing: {
      ...(charge.price
        ? {
            price_details: {
              price: charge.price.id,
              product: idOf(charge.price.product) ?? '',
            },
          }
        : {}),
      type: 'price_details',
      unit_amount_decimal: decimal(charge.unitAmount),
    },
    quantity: charge.quantity,
    quantity_decimal: decimal(charge.quantity),
    subscription: charge.subscription,
    subtotal: charge.amount,
    taxes: [],
  }
}

function parentOf(charge: Charge): Stripe.InvoiceLineItem['parent'] {
  const { credited, invoiceItem, subscription, subscriptionItem, proration } = charge
  const shared = { proration, proration_details: { credited_items: credited }, subscription }
  if (subscriptionItem) {
    return {
      type: 'subscription_item_details',
      invoice_item_details: null,
      subscription_item_details: {
        ...shared,
        invoice_item: invoiceItem,
        subscription_item: subscriptionItem,
      },
    }
  }
  return {
    type: 'invoice_item_details',
    invoice_item_details: { ...shared, invoice_item: invoiceItem ?? '' },
    subscription_item_details: null,
  }
}

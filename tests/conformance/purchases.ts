import type { Stripe } from 'stripe'
import { expect } from 'vitest'
import type { Side } from './side.ts'

export const hour = 3600
export const day = 24 * hour

export type Plan = 'starter' | 'growth' | 'pro'

/** Replaces the card that pays for a customer, as the billing portal does. */
export async function useCard({ stripe }: Side, customer: string, token: string): Promise<string> {
  const { id } = await stripe.paymentMethods.attach(token, { customer })
  await stripe.customers.update(customer, { invoice_settings: { default_payment_method: id } })
  return id
}

export interface Bought {
  customer: string
  id: string
  item: string
  start: number
  end: number
}

/** Buys a plan with the customer's card. */
export async function buy(side: Side, plan: Plan = 'starter', token = 'pm_card_visa'): Promise<Bought> {
  const { id: customer } = await side.customer()
  await useCard(side, customer, token)
  const subscription = await side.stripe.subscriptions.create({
    customer,
    items: [{ price: side.prices[plan] }],
    billing_mode: { type: 'flexible' },
    payment_settings: { payment_method_types: ['card'], save_default_payment_method: 'off' },
  })
  expect(subscription.status).toBe('active')
  const item = itemOf(subscription)
  return {
    customer,
    id: subscription.id,
    item: item.id,
    start: item.current_period_start,
    end: item.current_period_end,
  }
}

export function itemOf({ items }: Stripe.Subscription): Stripe.SubscriptionItem {
  const [item] = items.data
  if (!item) throw new Error('The subscription has no item')
  return item
}

export const read = ({ stripe }: Side, { id }: Bought) =>
  stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] })
export const priceOf = (subscription: Stripe.Subscription): string => itemOf(subscription).price.id
export const invoiceOf = ({ latest_invoice: invoice }: Stripe.Subscription): Stripe.Invoice => {
  if (!invoice || typeof invoice === 'string') throw new Error('The invoice is not expanded')
  return invoice
}

/** A card that is attached, and declined at each charge. */
export const declining = 'pm_card_chargeCustomerFail'

/** Buys a plan whose renewal is declined. */
export async function owing(side: Side): Promise<{ bought: Bought; invoice: Stripe.Invoice }> {
  const bought = await buy(side)
  await useCard(side, bought.customer, declining)
  await side.advance(bought.end + 3 * hour)
  const renewed = await read(side, bought)
  expect(renewed.status).toBe('past_due')
  return { bought, invoice: invoiceOf(renewed) }
}

/** Creates a subscription whose first payment waits to be confirmed. */
export const createUnpaid = async (side: Side): Promise<Stripe.Subscription> => {
  const { id: customer } = await side.customer()
  return side.stripe.subscriptions.create({
    customer,
    items: [{ price: side.prices.starter }],
    billing_mode: { type: 'flexible' },
    payment_behavior: 'default_incomplete',
    payment_settings: { payment_method_types: ['card'], save_default_payment_method: 'off' },
    expand: ['latest_invoice.confirmation_secret'],
  })
}

/** Returns the payment of an invoice that shows its `confirmation_secret`. */
export const intentOf = (subscription: Stripe.Subscription): string =>
  invoiceOf(subscription).confirmation_secret?.client_secret.split('_secret_')[0] ?? ''

/** Confirms a payment as the checkout does: a card that pays is kept for the charges that follow. */
export const confirm = ({ stripe }: Side, intent: string, payment_method: string) =>
  stripe.paymentIntents.confirm(intent, {
    payment_method,
    setup_future_usage: 'off_session',
    return_url: 'https://example.com/',
  })

export const status = (statusCode: number, more: object = {}) =>
  expect.objectContaining({ statusCode, ...more })

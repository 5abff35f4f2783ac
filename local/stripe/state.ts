import type { Stripe } from 'stripe'
import type { CardBehaviour } from './cards.ts'

/** Everything the stand-in remembers. Objects are kept as the API shows them, with ids in place of expansions. */
export interface Tables {
  customers: Stripe.Customer
  deletedCustomers: Stripe.DeletedCustomer
  paymentMethods: Stripe.PaymentMethod
  /** By payment method id: how its card behaves. The number itself is never kept. */
  cards: CardBehaviour & { setUp: boolean }
  products: Stripe.Product
  prices: Stripe.Price
  subscriptions: Stripe.Subscription
  invoices: Stripe.Invoice
  invoiceItems: Stripe.InvoiceItem
  invoicePayments: Stripe.InvoicePayment
  paymentIntents: Stripe.PaymentIntent
  charges: Stripe.Charge
  refunds: Stripe.Refund
  disputes: Stripe.Dispute
  earlyFraudWarnings: Stripe.Radar.EarlyFraudWarning
  portalSessions: Stripe.BillingPortal.Session
  events: StoredEvent
  deliveries: Delivery
  /** By idempotency key. */
  answers: SavedAnswer
  /** Under the id `clock`, `webhooks` and so on. */
  settings: Setting
}
export type TableName = keyof Tables

/** An event as it is sent, the object in it frozen at the moment it happened. */
export type StoredEvent = Stripe.EventBase

export interface Delivery {
  id: string
  event: string
  state: 'pending' | 'held' | 'delivered' | 'failed' | 'dropped'
  attempts: number
  /** The real time of the next attempt, in milliseconds since 1970. */
  nextAt: number
  /** The real time at which it was first due, in milliseconds since 1970. */
  since: number
  /** The last answer: a status, or why there was none. */
  lastAnswer: string | null
}

export interface SavedAnswer {
  key: string
  fingerprint: string
  status: number
  body: string
  requestId: string
  /** On the stand-in's clock, in seconds since 1970. */
  at: number
}

export interface Setting {
  /** `clock`: how far ahead of the real time, in seconds. */
  seconds?: number
  /** `webhooks`: whether events are sent at once. */
  mode?: 'send' | 'hold'
  /** `fail-renewal`: the subscriptions and customers whose next renewal is declined. */
  ids?: readonly string[]
}

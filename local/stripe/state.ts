import type { Stripe } from 'stripe'
import type { CardBehaviour } from './cards.ts'

/** All stored data. Objects are stored as the API returns them, with ids instead of expanded objects. */
export interface Tables {
  customers: Stripe.Customer
  deletedCustomers: Stripe.DeletedCustomer
  paymentMethods: Stripe.PaymentMethod
  /** The behaviour of the card, by the id of its payment method. The number is never stored. */
  cards: CardBehaviour & { setUp: boolean }
  products: Stripe.Product
  prices: Stripe.Price
  subscriptions: Stripe.Subscription
  invoices: Stripe.Invoice
  invoiceItems: Stripe.InvoiceItem
  invoicePayments: Stripe.InvoicePayment
  paymentIntents: Stripe.PaymentIntent
  charges: Stripe.Charge
  disputes: Stripe.Dispute
  earlyFraudWarnings: Stripe.Radar.EarlyFraudWarning
  portalConfigurations: Stripe.BillingPortal.Configuration
  portalSessions: Stripe.BillingPortal.Session
  events: StoredEvent
  deliveries: Delivery
  /** The responses by their idempotency key. */
  responses: SavedResponse
  /** The settings by their name: `clock`, `webhooks`, `fail-renewal`. */
  settings: Setting
}
export type TableName = keyof Tables

/** An event as it is sent, with its object as it was at that moment. */
export type StoredEvent = Stripe.EventBase

export interface Delivery {
  id: string
  event: string
  state: 'pending' | 'held' | 'delivered' | 'failed'
  attempts: number
  /** The real time of the next attempt, in milliseconds since 1970. */
  nextAt: number
  /** The real time at which it was first due, in milliseconds since 1970. */
  since: number
  /** The last response: its status, or the error if there was none. */
  lastResponse: string | null
}

export interface SavedResponse {
  key: string
  fingerprint: string
  status: number
  body: string
  requestId: string
  /** The account's time, in seconds since 1970. */
  at: number
}

interface Setting {
  /** Of `clock`: the offset from the real time, in seconds. */
  seconds?: number
  /** Of `webhooks`: whether events are sent at once. */
  mode?: 'send' | 'hold'
  /** Of `fail-renewal`: the subscriptions whose next renewal is declined, each with the code of the decline. */
  declines?: Record<string, string>
}

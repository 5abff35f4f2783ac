import { randomBytes } from 'node:crypto'
import type { Stripe } from 'stripe'
import { missing } from './errors.ts'
import type { TableName, Tables } from './state.ts'
import type { Store } from './store.ts'

export type EventType = Stripe.EventBase['type']

/** One Stripe account: what it remembers, what time it is there, and what is told to its webhook endpoint. */
export interface Account {
  store: Store
  publicUrl: string
  /** The account's time, in seconds since 1970. */
  now(): number
  /**
   * Records an event and, where the endpoint listens to its type, queues its delivery.
   * @param before the object as it was, for the event's `previous_attributes`
   */
  emit(type: EventType, object: object, before?: object): void
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** "cus_" and 24 random letters and digits. */
export function newId(prefix: string, length = 24): string {
  let id = `${prefix}_`
  for (const byte of randomBytes(length)) id += alphabet[byte % alphabet.length]
  return id
}

/** What the API calls the objects of a table. */
const nouns: Partial<Record<TableName, string>> = {
  customers: 'customer',
  paymentMethods: 'PaymentMethod',
  products: 'product',
  prices: 'price',
  subscriptions: 'subscription',
  invoices: 'invoice',
  invoiceItems: 'invoiceitem',
  invoicePayments: 'invoice_payment',
  paymentIntents: 'payment_intent',
  charges: 'charge',
  refunds: 'refund',
  disputes: 'dispute',
  earlyFraudWarnings: 'early_fraud_warning',
  events: 'event',
}

/**
 * @param param the parameter that named the object; its place in the path where absent
 * @throws StripeFailure resource_missing
 */
export function known<T extends TableName>(
  account: Account,
  table: T,
  id: string,
  param?: string,
): Readonly<Tables[T]> {
  const found = account.store.get(table, id)
  if (!found) throw missing(nouns[table] ?? table, id, param)
  return found
}

type Named = { [T in TableName]: Tables[T] extends { id: string } ? T : never }[TableName]

/** Replaces fields of a kept object and returns it as it is now. */
export function change<T extends Named>(
  account: Account,
  table: T,
  object: Readonly<Tables[T]>,
  fields: Partial<Tables[T]>,
): Tables[T] {
  const changed: Tables[T] = Object.assign({}, object as Tables[T], fields)
  account.store.put(table, object.id, changed)
  return changed
}

/** The id of a reference that may have been expanded. */
export const idOf = (reference: string | { id: string } | null | undefined): string | null =>
  typeof reference === 'string' ? reference : (reference?.id ?? null)

/** A decimal as it stands on the wire: text, which the SDK turns into its own class. */
export const decimal = (value: number): Stripe.Decimal => String(value) as unknown as Stripe.Decimal

type MetadataParam = Record<string, string | number | null> | '' | null | undefined

/** Metadata after an update: names are added or replaced, an empty value removes its name, an empty text removes all. */
export function mergedMetadata(before: Stripe.Metadata | null, given: MetadataParam): Stripe.Metadata {
  if (given === undefined) return before ?? {}
  if (given === null || given === '') return {}
  const merged = new Map(Object.entries(before ?? {}))
  for (const [name, value] of Object.entries(given)) {
    if (value === null || value === '') merged.delete(name)
    else merged.set(name, String(value))
  }
  return Object.fromEntries(merged)
}

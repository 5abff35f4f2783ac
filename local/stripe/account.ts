import { randomBytes } from 'node:crypto'
import type { Stripe } from 'stripe'
import { missing } from './errors.ts'
import type { TableName, Tables } from './state.ts'
import type { Store } from './store.ts'

export type EventType = Stripe.EventBase['type']

/** A Stripe account: its objects, its clock and the events for its webhook endpoint. */
export interface Account {
  store: Store
  publicUrl: string
  /** The account's time, in seconds since 1970. */
  now(): number
  /**
   * Records an event and queues its delivery if the endpoint listens to its type.
   * @param before the object before the change, for the event's `previous_attributes`
   */
  emit(type: EventType, object: object, before?: object): void
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Returns a prefix such as `cus_` with 24 random letters and digits. */
export function newId(prefix: string, length = 24): string {
  let id = `${prefix}_`
  for (const byte of randomBytes(length)) id += alphabet[byte % alphabet.length]
  return id
}

/** The API's name for the objects of a table. */
const nouns: Partial<Record<TableName, string>> = {
  customers: 'customer',
  paymentMethods: 'PaymentMethod',
  products: 'product',
  prices: 'price',
  subscriptions: 'subscription',
  invoices: 'invoice',
  invoiceItems: 'invoiceitem',
  paymentIntents: 'payment_intent',
  charges: 'charge',
  disputes: 'dispute',
  earlyFraudWarnings: 'early_fraud_warning',
  portalConfigurations: 'configuration',
  events: 'event',
}

/**
 * Returns an object that must exist.
 * @param param the parameter that names the object; absent if the path names it
 * @throws StripeFailure resource_missing
 */
export function requireObject<T extends TableName>(
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

/** Replaces fields of a stored object and returns the changed object. */
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

/** Returns the id of a reference, even if it was expanded. */
export const idOf = (reference: string | { id: string } | null | undefined): string | null =>
  typeof reference === 'string' ? reference : (reference?.id ?? null)

/** Returns a decimal as the API sends it: as text, which the SDK turns into its own class. */
export const decimal = (value: number): Stripe.Decimal => String(value) as unknown as Stripe.Decimal

type MetadataParam = Record<string, string | number | null> | '' | null | undefined

/** Merges metadata: a name is added or replaced, an empty value removes its name, an empty text removes all names. */
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

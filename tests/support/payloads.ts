import type { Payloads } from '#supabase/types.ts'
import type { Schema } from '../../local/supabase/schema-introspection.ts'

/** Payloads without values, for tests that send an SQL function only what they look at. */
export const emptyReading = {
  sequence: null,
  user_id: null,
  checkout_id: null,
  customer: null,
  subscription: null,
  paid: false,
  stripe_status: null,
  billing_status: null,
  plan: null,
  price_cents: null,
  next_minutes: null,
  created: null,
  period_start: null,
  period_end: null,
  cancel_at: null,
  ended: null,
  next_attempt: null,
  invoices: [],
  packages: [],
  grants: [],
} as const satisfies Payloads['subscription_payload']

export const emptyCall = {
  user_id: null,
  call_id: null,
  kind: 'call',
  direction: 'inbound',
  phone_number: null,
  started_at: null,
  seconds: null,
  about: null,
  outcome: null,
  sentiment: null,
  succeeded: null,
  limited_by: null,
  transcript: null,
  promised: null,
  cost_cents: null,
} as const satisfies Payloads['call_report_payload']

export const emptyState = {
  subscription: null,
  is_blocked: false,
  has_ended: false,
  is_owing: false,
  plan: null,
  price: null,
  minutes: null,
  next_plan: null,
  next_price: null,
  next_minutes: null,
  period_end: null,
  ends_at: null,
  upgrade: null,
  bought: null,
  spent: null,
  most: null,
  ceiling: null,
  waiting: null,
  is_capped: false,
  grace: null,
  grace_ends: null,
  number_days: null,
} as const satisfies Payloads['billing_state_payload']

export const emptyDeletion = {
  user_id: null,
  customers: [],
  subscriptions: [],
  mail: { email: null, plans: [], charged: 0 },
} as const satisfies Payloads['deletion_payload']

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }
export type Fields = Record<string, Json>

/** A value of each type that arguments and keys have. */
const values: Record<string, Json> = {
  text: 'x',
  uuid: '00000000-0000-4000-8000-000000000001',
  timestamptz: '2026-11-24T00:00:00Z',
  bool: true,
  int4: 1,
  int8: 1,
  numeric: 1,
  _text: [],
}

/**
 * Returns a whole payload of a type, a list with one, or a value of another type.
 * @throws Error if there is no example of the type
 */
export function exampleOf(schema: Schema, type: string): Json {
  const payload = schema.payloads.find(({ name }) => name === type.replace(/^_|\[\]$/g, ''))
  if (!payload) {
    const value = values[type]
    if (value === undefined) throw new Error(`There is no example of ${type}`)
    return value
  }
  const fields = Object.fromEntries(payload.keys.map((key) => [key.name, exampleOf(schema, key.type)]))
  return /^_|\[\]$/.test(type) ? [fields] : fields
}

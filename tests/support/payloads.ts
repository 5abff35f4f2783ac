import type { Payloads } from '#supabase/types.ts'

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

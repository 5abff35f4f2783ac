import type { Subscription } from '../../src/features/billing/domain/subscription.ts'

/** A subscription of the Growth plan that is paid, and has used nothing of its period. */
export const growth: Subscription = {
  plan: 'growth',
  status: 'active',
  minutes_used: 0,
  minutes_limit: 750,
  onboarding_completed: true,
  current_period_end: '2026-12-01T12:00:00+00:00',
  cancel_at: null,
  price_cents: 500_00,
  plan_minutes: 750,
  next_plan: 'growth',
  next_price_cents: 500_00,
  next_minutes: 750,
  past_due_since: null,
  next_attempt_at: null,
  grace_ends: null,
  minutes_taken: 0,
  minutes_owed: 0,
}

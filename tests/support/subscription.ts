import type { Subscription } from '../../src/features/billing/domain/subscription.ts'
import { centsOf, minutesOf } from './plan-facts.ts'

const minutes = minutesOf('growth')
const price = centsOf('growth')

/** A subscription that is paid at today's price, and has used nothing of its period. */
export const growth: Subscription = {
  plan: 'growth',
  status: 'active',
  minutes_used: 0,
  minutes_limit: minutes,
  onboarding_completed: true,
  current_period_end: '2026-12-01T12:00:00+00:00',
  cancel_at: null,
  price_cents: price,
  plan_minutes: minutes,
  next_plan: 'growth',
  next_price_cents: price,
  next_minutes: minutes,
  past_due_since: null,
  next_attempt_at: null,
  grace_ends: null,
  minutes_taken: 0,
  minutes_owed: 0,
}

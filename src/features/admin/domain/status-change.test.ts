import { expect, test } from 'vitest'
import { changedStatus, consequences, statusBadge } from './status-change.ts'

const user = (subscriptionStatus: string | null, billingStatus: string | null) => ({
  id: 'ann',
  email: 'ann@hotel.example',
  plan: subscriptionStatus && 'growth',
  subscriptionStatus,
  billingStatus,
  minutesUsed: 0,
  minutesLimit: 750,
})

test.each([
  ['active', 'active', 'ok', null],
  ['payment_failed', 'payment_failed', 'bad', null],
  ['trialing', 'trialing', 'warn', null],
  ['active', 'payment_failed', 'warn', 'by you, payment failed'],
  ['active', 'canceled', 'warn', 'by you, canceled'],
  ['blocked', 'active', 'bad', 'by you, paid'],
  ['blocked', 'payment_failed', 'bad', 'by you, payment failed'],
  ['blocked', undefined, 'bad', null],
])('the badge of %s, which the provider calls %s: %s, %s', (status, billing, tone, more) => {
  expect(statusBadge(status, billing)).toEqual({ tone, more })
})

test.each([
  ['active', 'active', 'blocked', 'Goes on. To end it, cancel the subscription at Stripe.'],
  ['active', 'payment_failed', 'blocked', 'Goes on. To end it, cancel the subscription at Stripe.'],
  ['active', 'canceled', 'blocked', 'Nothing is charged: the subscription does not renew.'],
  ['blocked', 'active', 'active', 'Goes on as before.'],
  ['blocked', 'trialing', 'active', 'Goes on as before. Stripe’s next change of the status replaces yours.'],
  ['blocked', 'canceled', 'active', 'Nothing is charged. Stripe’s next change of the status replaces yours.'],
  [
    'payment_failed',
    'payment_failed',
    'active',
    'What is owed stays owed. Stripe’s next change of the status replaces yours.',
  ],
])('an account that is %s, and %s at the provider, becomes %s', (status, billing, to, sentence) => {
  expect(changedStatus(user(status, billing))).toBe(to)
  expect(Object.fromEntries(consequences(user(status, billing))).Billing).toBe(sentence)
})

test.each(['trialing', 'canceled', 'incomplete', 'unpaid', null])(
  'an account that is %s is activated: only an active one is blocked',
  (status) => {
    expect(changedStatus(user(status, status))).toBe('active')
  },
)

test('an account without a subscription is told to stay as it is', () => {
  expect(consequences(user(null, null))).toEqual([
    ['Changes', 'Nothing: this account has no subscription that could be active.'],
  ])
})

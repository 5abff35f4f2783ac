import { expect, test } from 'vitest'
import { billingStatus, isOver, statusLabel, statusTone } from './status.ts'

test.each([
  ['active', 'ok'],
  ['blocked', 'bad'],
  ['payment_failed', 'bad'],
  ['incomplete', 'warn'],
  ['canceled', 'warn'],
  ['paused', 'warn'],
  ['trialing', 'warn'],
  ['past_due', 'warn'],
  ['', 'warn'],
  ['Active', 'warn'],
])('%s is shown in the tone %s', (status, tone) => {
  expect(statusTone(status)).toBe(tone)
})

test.each([
  ['active', 'Active'],
  ['payment_failed', 'Payment failed'],
  ['past_due', 'Past due'],
  ['', ''],
])('customers read %s as "%s"', (status, label) => {
  expect(statusLabel(status)).toBe(label)
})

test.each([
  ['active', false, 'active'],
  ['past_due', false, 'payment_failed'],
  ['unpaid', false, 'payment_failed'],
  ['incomplete', false, 'incomplete'],
  ['incomplete', true, 'payment_failed'],
  ['canceled', true, 'canceled'],
  ['trialing', false, 'trialing'],
])('Stripe’s %s (payment error: %s) is kept as %s', (stripeStatus, paymentError, status) => {
  expect(billingStatus(stripeStatus, paymentError)).toBe(status)
})

test.each([
  ['canceled', true],
  ['incomplete', true],
  ['incomplete_expired', true],
  ['active', false],
  ['payment_failed', false],
  ['blocked', false],
  ['paused', false],
])('a subscription that is %s is over: %s', (status, over) => {
  expect(isOver(status)).toBe(over)
})

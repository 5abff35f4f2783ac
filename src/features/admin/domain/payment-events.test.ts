import { expect, test } from 'vitest'
import {
  byMessage,
  describeEvent,
  describeOutcome,
  failedEventsPath,
  replayText,
  showsFailedEvents,
} from './payment-events.ts'
import { trackedEvents } from '#billing/domain/tracked-events.ts'

const again = (...ids: string[]) => ids.map((id) => ({ id, message: id < 'c' ? 'Gone.' : 'Down.' }))

test.each([
  [{ all: 120, done: 12, failed: again('a') }, true, 'Replaying: 12 of 120 events.'],
  [{ all: 0, done: 0, failed: [] }, false, 'No event has failed.'],
  [{ all: 1, done: 1, failed: [] }, false, '1 event replayed.'],
  [{ all: 120, done: 120, failed: again('a', 'b') }, false, '118 events replayed, 2 failed again:'],
  [{ all: 120, done: 40, failed: [] }, false, 'Stopped after 40 of 120 events. 40 events replayed.'],
])('a replay of %o, running: %s, is told as: %s', (replay, isRunning, text) => {
  expect(replayText(replay, isRunning)).toBe(text)
})

test('what failed again is grouped by the reason', () => {
  expect(byMessage(again('a', 'c', 'b'))).toEqual([
    ['Gone.', ['a', 'b']],
    ['Down.', ['c']],
  ])
})

test('an address shows the failed events, or all', () => {
  expect(showsFailedEvents(new URL(failedEventsPath, 'https://desk.example'))).toBe(true)
  expect(showsFailedEvents(new URL('https://desk.example/admin/payments'))).toBe(false)
})

test.each([
  ['invoice.paid', 500_00, 'subscription_cycle', 'Renewal paid, $500'],
  ['invoice.paid', 99_50, null, 'Invoice paid, $99.50'],
  [
    'invoice.payment_failed',
    500_00,
    'subscription_create',
    'First payment not paid: the card was refused, $500',
  ],
  ['customer.subscription.deleted', null, null, 'Subscription ended'],
  ['price.created', null, null, 'price.created'],
])('%s about %s cents because of %s is told as: %s', (type, amount, billing_reason, words) => {
  expect(describeEvent({ type, amount, currency: amount === null ? null : 'usd', billing_reason })).toBe(
    words,
  )
})

test('each event that is handled has words of its own', () => {
  const event = { amount: null, currency: null, billing_reason: null }
  expect([...trackedEvents].filter((type) => describeEvent({ ...event, type }) === type)).toEqual([])
})

test('an outcome of which nothing is to be done is no alarm', () => {
  expect(describeOutcome('stale')).toEqual({ words: 'known already', isEffective: false })
  expect(describeOutcome('synced')).toEqual({ words: 'handled', isEffective: true })
})

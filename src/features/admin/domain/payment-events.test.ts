import { expect, test } from 'vitest'
import { byMessage, failedEventsPath, replayText, showsFailedEvents } from './payment-events.ts'

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

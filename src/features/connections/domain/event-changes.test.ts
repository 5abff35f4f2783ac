import { expect, test } from 'vitest'
import { eventChange, type EventChange, type Times } from './event-changes.ts'

const at = (hour: number): Times => ({ starts: hour, ends: hour + 1 })

test.each<[booked: number | null, known: number | null, event: number | null, waits: boolean, EventChange]>([
  [10, 10, 10, false, 'as booked'],
  [11, 10, 10, false, 'as known'],
  [11, 10, 11, false, 'as booked'],
  [10, 10, 14, false, 'moved'],
  [10, 10, null, false, 'deleted'],
  [11, 10, 14, false, 'clashing'],
  [null, 10, 14, false, 'clashing'],
  [null, 10, 10, false, 'as known'],
  [null, 10, null, false, 'as booked'],
  // It was deleted there, or clashes, and its owner has moved it since.
  [10, null, 14, true, 'moved'],
  [10, 14, 15, true, 'moved'],
  [10, 14, 14, true, 'as known'],
  [10, 14, 10, true, 'as booked'],
  [10, null, null, true, 'as known'],
])('booked at %s, known at %s, shown at %s, waiting %s → %s', (booked, known, event, waits, change) => {
  const times = (hour: number | null) => (hour === null ? null : at(hour))
  expect(eventChange({ booked: times(booked), known: times(known), event: times(event), waits })).toBe(change)
})

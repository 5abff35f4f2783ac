import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { minutesLeft, minutesShare, owedWords, subscription, takenWords } from './subscription.ts'
import { growth } from '../../../../tests/support/subscription.ts'

test.each([
  [0, 750, 0, 750],
  [412, 750, 412 / 750, 338],
  [750, 750, 1, 0],
  [900, 750, 1, 0],
  [-30, 750, 0, 780],
  [0, 0, 1, 0],
])('%d of %d minutes', (minutes_used, minutes_limit, share, left) => {
  expect(minutesShare({ ...growth, minutes_used, minutes_limit })).toBe(share)
  expect(minutesLeft({ ...growth, minutes_used, minutes_limit })).toBe(left)
})

test('the share is never above 1 and never below 0', () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer(), (minutes_used, minutes_limit) => {
      const share = minutesShare({ ...growth, minutes_used, minutes_limit })
      expect(share).toBeGreaterThanOrEqual(0)
      expect(share).toBeLessThanOrEqual(1)
    }),
  )
})

test.each([
  [0, 150, null],
  [1, 150, '1 minute that your last plan used without payment is taken from the first month.'],
  [150, 150, '150 minutes that your last plan used without payment are taken from the first month.'],
  [1_040, 150, '1,040 minutes that your last plan used without payment are taken from the first 7 months.'],
  [
    116,
    undefined,
    '116 minutes that your last plan used without payment are taken from the first minutes of your next plan.',
  ],
])('%d minutes owed, a plan of %s: %s', (owed, minutes, words) => {
  expect(owedWords(owed, minutes)).toBe(words)
})

test('what was given back is said with what is still to be given back', () => {
  expect(takenWords(growth)).toBeNull()
  expect(takenWords({ ...growth, minutes_taken: 116 })).toBe(
    '116 minutes that were used without payment before have been taken from this period.',
  )
  expect(takenWords({ ...growth, minutes_taken: 1, minutes_owed: 50 })).toBe(
    '1 minute that was used without payment before has been taken from this period. 50 minutes more will be taken from the next period.',
  )
})

describe('the cached subscription', () => {
  test('comes back as it was written, without unknown fields', () => {
    const written: unknown = JSON.parse(JSON.stringify({ ...growth, stripe_customer_id: 'cus_1' }))
    expect(subscription.safeParse(written).data).toEqual(growth)
  })
  test.each([
    ['null', null],
    ['a word', 'active'],
    ['a list', [growth]],
    ['minutes as text', { ...growth, minutes_used: '412' }],
    ['a missing field', { ...growth, onboarding_completed: undefined }],
    ['no number', { ...growth, minutes_limit: Number.NaN }],
  ])('is refused if it is %s', (_, garbage) => {
    expect(subscription.safeParse(garbage).success).toBe(false)
  })
})

import { expect, test } from 'vitest'
import { minutePackage } from '#plans/domain/plans.ts'
import { atLimitWords, type CallsAtLimit } from './at-limit.ts'

const facts: CallsAtLimit = {
  policy: 'answer',
  has_person: false,
  is_billed: true,
  most_cents: minutePackage.cents,
  spent_cents: 0,
}

test.each<[Partial<CallsAtLimit>, RegExp]>([
  [{}, /^Your agent goes on answering/],
  [{ spent_cents: 1 }, /^Your agent takes messages now: another package would exceed/],
  [{ is_billed: false }, /^Your agent takes messages now: no package/],
  [{ policy: 'message' }, /^Your agent takes messages now\.$/],
  [{ policy: 'hand_over' }, /^Your agent takes messages now: you have named nobody/],
  [{ policy: 'hand_over', has_person: true }, /^Calls are put through/],
])('with %j it is said what happens to calls', (more, words) => {
  expect(atLimitWords({ ...facts, ...more })).toMatch(words)
})

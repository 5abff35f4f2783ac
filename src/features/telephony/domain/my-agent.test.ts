import { expect, test } from 'vitest'
import { mobileForwarding, northAmericanForwarding } from './forwarding.ts'
import { firstWeek, type MyAgent } from './my-agent.ts'

const agent: MyAgent = { state: 'setting_up', numbers: [], has_taught: false, has_called: false }
const number = '+15550100123'
const done = (changes: Partial<MyAgent>) =>
  firstWeek({ ...agent, ...changes }).flatMap(({ step, isDone }) => (isDone ? [step] : []))

test.each<[Partial<MyAgent>, string[]]>([
  [{}, []],
  [{ has_taught: true }, ['teach']],
  [{ numbers: [{ number, last_ring_at: null }] }, ['number']],
  [{ numbers: [{ number, last_ring_at: '2026-11-22T10:00:00Z' }] }, ['number', 'forward']],
  [
    { has_called: true, numbers: [{ number, last_ring_at: '2026-11-22T10:00:00Z' }] },
    ['number', 'forward', 'call'],
  ],
])('of the first week, %j has done %j', (changes, steps) => {
  expect(done(changes)).toEqual(steps)
})

test('forwarding codes name the whole number, and how to undo them', () => {
  const dialled = [...mobileForwarding, ...northAmericanForwarding].map(({ begin, end }) => [
    begin(number),
    end,
  ])
  expect(dialled).toEqual([
    ['**21*+15550100123#', '##21#'],
    ['**67*+15550100123#', '##67#'],
    ['**61*+15550100123#', '##61#'],
    ['*72 5550100123', '*73'],
  ])
})

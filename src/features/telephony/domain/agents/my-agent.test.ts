import { expect, test } from 'vitest'
import { firstWeekSteps, type MyAgent } from './my-agent.ts'

const agent: MyAgent = {
  state: 'setting_up',
  numbers: [],
  has_taught: false,
  has_tested: false,
  has_called: false,
  agents: [],
  room: { agents: 0, lines: 0 },
}
const number = '+15550100123'
const done = (changes: Partial<MyAgent>) =>
  firstWeekSteps({ ...agent, ...changes }).flatMap(({ step, isDone }) => (isDone ? [step] : []))

test.each<[Partial<MyAgent>, string[]]>([
  [{}, []],
  [{ has_taught: true }, ['teach']],
  [{ has_tested: true }, ['test']],
  [{ numbers: [{ number, agent: null, last_ring_at: null }] }, ['number']],
  [
    { numbers: [{ number, agent: 'Second desk', last_ring_at: '2026-11-22T10:00:00Z' }] },
    ['number', 'forward'],
  ],
  [
    { has_called: true, numbers: [{ number, agent: null, last_ring_at: '2026-11-22T10:00:00Z' }] },
    ['number', 'forward', 'call'],
  ],
])('of the first week, %j has done %j', (changes, steps) => {
  expect(done(changes)).toEqual(steps)
})

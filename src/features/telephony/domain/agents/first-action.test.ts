import { expect, test } from 'vitest'
import { firstAction } from './first-action.ts'
import type { MyAgent } from './my-agent.ts'

const number = { number: '+15550300001', agent: null, last_ring_at: null }
const rung = { ...number, last_ring_at: '2026-11-18T14:06:00Z' }
const fresh: MyAgent = {
  state: 'live',
  numbers: [number],
  has_taught: false,
  has_tested: false,
  has_called: false,
  agents: [],
  room: { agents: 0, lines: 0 },
}

test.each<[string, Partial<MyAgent>, ReturnType<typeof firstAction>]>([
  ['knows nothing', {}, 'teach'],
  ['knows nothing and has no number yet', { state: 'setting_up', numbers: [] }, 'teach'],
  ['is taught and has no number yet', { state: 'setting_up', has_taught: true, numbers: [] }, null],
  ['is taught', { has_taught: true }, 'ring'],
  ['has been rung', { has_taught: true, numbers: [rung] }, 'forward'],
  ['has answered a call', { has_taught: true, numbers: [rung], has_called: true }, null],
  ['is not set up', { state: 'not_set_up' }, null],
  ['is stopped', { state: 'stopped' }, null],
])('an agent that %s', (_, more, action) => {
  expect(firstAction({ ...fresh, ...more })).toBe(action)
})

import { expect, test } from 'vitest'
import { goingOn, heldAgents, isFull, listStopping, type GoingOn } from './going-on.ts'
import type { MyAgent } from './my-agent.ts'

const number = (digits: string, chosen_for: string[] = [], kept_until: string | null = null) => ({
  number: `+1555010${digits}`,
  kept_until,
  chosen_for,
  is_in_plan: true,
})
const agent = (
  account: string,
  more: Partial<MyAgent['agents'][number]> = {},
): MyAgent['agents'][number] => ({
  account,
  name: account,
  state: 'live',
  is_at_provider: true,
  kept_until: null,
  chosen_for: [],
  numbers: [],
  lines: 1,
  ...more,
})
const held = (...agents: MyAgent['agents']) => heldAgents({ agents } as MyAgent, 'Harbour Hotel')
const growth = { agents: 1, lines: 2 }

test('without a choice the first agent goes on, with the first numbers, and the others stop by name and number', () => {
  const all = held(
    agent('one', { name: null, numbers: [number('0001'), number('0002'), number('0003')] }),
    agent('two', { numbers: [number('0004')] }),
    agent('three'),
    agent('back', { kept_until: '2026-12-01', numbers: [number('0005')] }),
  )
  const keeps = goingOn(all, 'growth', growth)
  expect(keeps).toEqual({ agents: ['one'], numbers: ['+15550100001', '+15550100002'] })
  expect(listStopping(all, keeps)).toEqual(['+15550100003', 'two (+15550100004)', 'three'])
  expect(all[0]!.name).toBe('Harbour Hotel')
})

test('what was chosen for the plan goes on, whatever was chosen for another', () => {
  const all = held(
    agent('one', { chosen_for: ['starter'], numbers: [number('0001')] }),
    agent('two', { chosen_for: ['growth'], numbers: [number('0002'), number('0003', ['growth'])] }),
  )
  expect(goingOn(all, 'growth', { agents: 1, lines: 1 })).toEqual({
    agents: ['two'],
    numbers: ['+15550100003'],
  })
  expect(goingOn(all, 'starter', growth).agents).toEqual(['one'])
  expect(listStopping(all, goingOn(all, 'enterprise', { agents: null, lines: null }))).toEqual([])
})

test.each<[GoingOn, boolean]>([
  [{ agents: ['one'], numbers: ['+15550100001'] }, true],
  [{ agents: ['one'], numbers: [] }, false],
  [{ agents: [], numbers: [] }, false],
  [{ agents: ['one', 'two'], numbers: ['+15550100001', '+15550100002'] }, false],
])('%j is as many as the plan has: %j', (keeps, expected) => {
  const all = held(agent('one', { numbers: [number('0001')] }), agent('two', { numbers: [number('0002')] }))
  expect(isFull(all, keeps, growth)).toBe(expected)
})

import { expect, test } from 'vitest'
import { agentStates, agentWords } from './agent-state.ts'

const said = (facts: Parameters<typeof agentWords>[0]): string => Object.values(agentWords(facts)).join('. ')

test('no state is said to be live but one that answers', () => {
  const live = agentStates.filter((state) => said({ state, status: 'active' }).includes('is live'))
  expect(live).toEqual(['changing', 'live'])
})

test('only an agent that is set up by hand takes days', () => {
  const slow = agentStates.filter((state) => said({ state, status: 'active' }).includes('business days'))
  expect(slow).toEqual(['waiting'])
})

test.each([
  ['blocked', 'Contact us'],
  ['payment_failed', 'your open invoice is paid'],
  ['canceled', 'chosen and paid a plan'],
  ['active', 'your plan has room for it'],
])('an agent that answers nobody says why: %s', (status, words) => {
  const text = said({ state: 'stopped', status })
  expect(text).toContain(words)
  expect(text.includes('paid')).toBe(status === 'payment_failed' || status === 'canceled')
})

test('a live agent is told from one that was taught nothing, and from one without minutes', () => {
  expect(said({ state: 'live', status: 'active' })).toBe(
    'Your agent is live. It answers the calls to its number.',
  )
  expect(said({ state: 'live', status: 'active', hasTaught: false })).toContain('knows only its template')
  expect(said({ state: 'live', status: 'active', atLimit: 'It takes messages.' })).toBe(
    'Your minutes are used up. It takes messages.',
  )
})

import { expect, test } from 'vitest'
import { noKnowledge } from '#agent/domain/knowledge/knowledge.ts'
import { choicesOf, lineLimit, linesLabel, agentsPath, stateOfAddress } from './agents.ts'

test.each([
  ['starter', 1],
  ['growth', 2],
  ['pro', 3],
  ['enterprise', null],
  ['of old', null],
])('the plan %s has %j lines', (plan, lines) => {
  expect(lineLimit(plan)).toBe(lines)
})

test('lines are counted against the plan', () => {
  expect([linesLabel('growth', 1), linesLabel('enterprise', 4), linesLabel(null, 1)]).toEqual([
    '1 of 2',
    '4',
    '1',
  ])
})

test('an address names a state, and nothing else does', () => {
  expect(stateOfAddress(new URL(agentsPath('waiting'), 'https://a.example'))).toBe('waiting')
  expect(stateOfAddress({ search: '?state=toString' })).toBeNull()
  expect(agentsPath(null)).toBe('/admin/agents')
})

test('what a customer chose is told in a line each, and the knowledge by its parts', () => {
  const chosen = (knowledge = noKnowledge) =>
    Object.fromEntries(
      choicesOf({
        business: 'Harbour House',
        template: 'hotels-resorts',
        greeting: null,
        knowledge,
        isRecorded: false,
        ownNumber: '+46850000001',
        fallbackNumber: null,
      }),
    )
  expect(chosen()).toMatchObject({
    Template: 'hotels resorts',
    Greeting: 'The standard one',
    Languages: 'American English',
    'Customer’s number': '+46850000001',
    'Fallback number': 'None',
    'Calls handed over to': 'Nobody',
    Knowledge: 'Nothing taught yet',
  })
  const answer = { question: 'Dogs?', answer: 'Yes.', origin: 'written' } as const
  const long = { ...answer, answer: 'y'.repeat(30_000) }
  const taught = chosen({
    ...noKnowledge,
    about: 'A hotel.',
    answers: [answer, long],
    languages: ['sv-SE', 'en-US'],
    transfer: { number: '+46850000002', first: 'staff' },
  })
  expect(taught).toMatchObject({
    Knowledge: 'what it does, 2 answers; 1 left out for length',
    Languages: 'Swedish (Sweden), American English',
    'Calls handed over to': '+46850000002, first while the business is open',
  })
})

import { describe, expect, test } from 'vitest'
import { knowledgeLimits, noKnowledge } from './knowledge.ts'
import { unansweredQuestions, withAnswer, withDismissed } from './unanswered.ts'

const call = (day: number, ...lines: string[]) => ({
  started_at: `2026-11-${String(day).padStart(2, '0')}T10:00:00Z`,
  transcript: lines.join('\n'),
})
const no = 'Agent: I do not have that information. May I have your name?'
const questions = (calls: Parameters<typeof unansweredQuestions>[0], knowledge = noKnowledge) =>
  unansweredQuestions(calls, knowledge).map(({ question, calls: count }) => [question, count])

describe('a question that the agent could not answer', () => {
  test.each<[string, string[], string[]]>([
    ['is what the caller said before', ['Caller: Is there a pool?', no], ['Is there a pool?']],
    ['is the last sentence of it', ['Caller: Hi. I am Ada. Is there a pool?', no], ['Is there a pool?']],
    ['need not be a question', ['Caller: I need a cot.', no], ['I need a cot.']],
    [
      'is recognised in German',
      ['Caller: Gibt es ein Bad?', 'Agent: Diese Information habe ich nicht.'],
      ['Gibt es ein Bad?'],
    ],
    [
      'is recognised with another apostrophe',
      ['Caller: Une piscine ?', "Agent: Désolé, je n'ai pas cette information."],
      ['Une piscine ?'],
    ],
    ['is not one that was answered', ['Caller: Is there a pool?', 'Agent: Yes, on the roof.'], []],
    ['is not what the agent said itself', [no, no], []],
    [
      'is not what the caller denied',
      ['Agent: Your room number?', 'Caller: I do not have that information.'],
      [],
    ],
    ['is not there without a transcript', [''], []],
  ])('%s', (_, lines, expected) => {
    expect(questions([call(1, ...lines)]).map(([question]) => question)).toEqual(expected)
  })

  const calls = [
    call(1, 'Caller: Is there a pool?', no, 'Caller: is there a POOL', no, 'Caller: Do you sell stamps?', no),
    call(2, 'Caller: Is there a pool?', no),
    call(3, 'Caller: Where is the bus stop?', no),
  ]
  test('counts once a call, and the most frequent one comes first', () => {
    expect(questions(calls)).toEqual([
      ['Is there a pool?', 2],
      ['Where is the bus stop?', 1],
      ['Do you sell stamps?', 1],
    ])
    expect(unansweredQuestions(calls, noKnowledge)[0]!.lastAskedAt).toBe(calls[1]!.started_at)
  })

  test('disappears once it is answered or dismissed', () => {
    const knowledge = {
      ...noKnowledge,
      answers: withAnswer([], 'Is there a pool?', 'On the roof.'),
      dismissed: withDismissed([], 'Do you sell stamps?'),
    }
    expect(questions(calls, knowledge)).toEqual([['Where is the bus stop?', 1]])
    expect(knowledge.answers).toEqual([
      { question: 'Is there a pool?', answer: 'On the roof.', origin: 'written' },
    ])
  })

  test('is forgotten if too many are dismissed', () => {
    const many = Array.from({ length: knowledgeLimits.dismissed }, (_, nth) => `Question ${nth}`)
    expect(withDismissed(many, 'One more')).toHaveLength(knowledgeLimits.dismissed)
    expect(withDismissed(many, 'One more').at(-1)).toBe('One more')
  })
})

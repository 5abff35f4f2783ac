import { describe, expect, test } from 'vitest'
import { transcriptProblem, turnsOf } from './transcript.ts'

describe('a transcript', () => {
  test('is who says what, line by line', () => {
    expect(turnsOf('- Agent: Good evening. How can I help?\n- Caller: Hi: a room, please.\n')).toEqual([
      { who: 'Agent', words: 'Good evening. How can I help?' },
      { who: 'Caller', words: 'Hi: a room, please.' },
    ])
  })

  test('may go on in the next line', () => {
    expect(turnsOf('- Agent: Good\n  evening.\n')).toEqual([{ who: 'Agent', words: 'Good evening.' }])
    expect(transcriptProblem('- Agent: Good\n  evening.')).toBeUndefined()
  })

  test.each([
    ['a paragraph', 'Good evening.', 'Good evening.'],
    ['a paragraph above', 'The call:\n\n- Agent: Good evening.', 'The call:'],
    ['a stranger', '- Agent: Good evening.\n- Manager: Hello.', 'Manager: Hello.'],
    ['somebody who says nothing', '- Agent:', 'Agent:'],
  ])('has no place for %s', (_, text, strange) => {
    expect(transcriptProblem(text)).toContain(`“${strange}” is none.`)
  })
})

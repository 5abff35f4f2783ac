import { describe, expect, test } from 'vitest'
import { transcriptProblem, turnsOf } from './transcript.ts'

describe('a transcript', () => {
  test('is one turn per line', () => {
    expect(turnsOf('- Agent: Good evening. How can I help?\n- Caller: Hi: a room, please.\n')).toEqual([
      { speaker: 'Agent', words: 'Good evening. How can I help?' },
      { speaker: 'Caller', words: 'Hi: a room, please.' },
    ])
  })

  test('may continue on the next line', () => {
    expect(turnsOf('- Agent: Good\n  evening.\n')).toEqual([{ speaker: 'Agent', words: 'Good evening.' }])
    expect(transcriptProblem('- Agent: Good\n  evening.')).toBeUndefined()
  })

  test.each([
    ['a paragraph', 'Good evening.', 'Good evening.'],
    ['a paragraph above', 'The call:\n\n- Agent: Good evening.', 'The call:'],
    ['an unknown speaker', '- Agent: Good evening.\n- Manager: Hello.', 'Manager: Hello.'],
    ['a speaker who says nothing', '- Agent:', 'Agent:'],
  ])('has no place for %s', (_, text, invalid) => {
    expect(transcriptProblem(text)).toContain(`“${invalid}” is none.`)
  })
})

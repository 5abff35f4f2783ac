import { describe, expect, test } from 'vitest'
import { unansweredIn } from './unanswered.ts'

const no = 'Agent: I do not have that information. May I have your name?'

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
    [
      'is found once, however it is written',
      ['Caller: Is there a pool?', no, 'Caller: is there a POOL', no, 'Caller: Do you sell stamps?', no],
      ['Is there a pool?', 'Do you sell stamps?'],
    ],
  ])('%s', (_, lines, expected) => {
    expect(unansweredIn(lines.join('\n')).map(({ question }) => question)).toEqual(expected)
  })
})

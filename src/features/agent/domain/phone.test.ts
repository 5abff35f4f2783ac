import { expect, test } from 'vitest'
import { formatNumber, isCostly, parseTyped, readNumber, readNumbers } from './phone.ts'

test.each([
  ['+46 (8) 123-45 67', [], '+4681234567'],
  ['+46.850.000.002', [], '+46850000002'],
  ['08 123 45 67', ['SE'], '+4681234567'],
  ['0046 8 123 45 67', ['SE'], '+4681234567'],
  ['(202) 555-0181', ['US'], '+12025550181'],
  ['030 1234567', ['US', 'DE'], '+49301234567'],
  ['06 12345678', ['IT'], '+390612345678'],
  ['+1 555 010 4477', [], '+15550104477'],
  ['08 123 45 67', [], undefined],
  ['030 1234567', ['US', '001', 'ZZ'], undefined],
  ['+46', [], undefined],
  ['+0123456789', [], undefined],
  ['+46 8 123 45 67 ext. 9', [], undefined],
  ['Call +46 8 123 45 67', [], undefined],
  ['911', ['US'], undefined],
  ['112', ['DE', 'SE', 'GB'], undefined],
  ['+49 112', [], undefined],
])('readNumber(%j, %j)', (typed, countries, number) => {
  expect(readNumber(typed, countries)).toBe(number)
})

test('numbers are read one a line, however they are written', () => {
  expect(readNumbers('+1 (202) 555-0181\n\n+46.850.000.002; +12025550181, 0701 234\n+0123456789')).toEqual({
    numbers: ['+12025550181', '+46850000002'],
    unreadable: ['0701 234', '+0123456789'],
  })
})

test.each([
  ['+4681234567', '+46 8 123 45 67'],
  ['+12025550181', '+1 202 555 0181'],
  ['anonymous', 'anonymous'],
])('formatNumber(%j)', (number, text) => {
  expect(formatNumber(number)).toBe(text)
})

test.each([
  ['+19005551234', true],
  ['+499001234567', true],
  ['+979123456789', true],
  ['+881612345678', true],
  ['+80012345678', false],
  ['+18005551234', false],
  ['+46701234567', false],
  ['+15550100120', false],
])('isCostly(%j) is %s', (number, expected) => {
  expect(isCostly(number)).toBe(expected)
})

const problem = (words: string) => ({ problem: expect.stringContaining(words) as string })
test.each([
  [' ', [], 'en-US', 'called', { value: null }],
  ['08 123 45 67', [null, '+46850000002'], 'en-US', 'called', { value: '+4681234567' }],
  ['08 123 45 67', ['+12025550181'], 'sv-SE', 'called', { value: '+4681234567' }],
  ['08 123 45 67', [null], 'en', 'called', problem('country code')],
  ['08 123 45 67', ['+4681234567'], 'en-US', 'forwards', problem('circle')],
  ['0900 1234567', [], 'de-DE', 'called', problem('premium')],
  ['0900 1234567', [], 'de-DE', 'forwards', { value: '+499001234567' }],
] as const)('parseTyped(%j, %j, %j, %j)', (typed, others, language, use, expected) => {
  expect(parseTyped(typed, others, language, use)).toEqual(expected)
})

import { expect, test } from 'vitest'
import { parseAddresses, parsePhoneNumber } from './call-settings.ts'

const problem = { problem: expect.any(String) as string }

test.each([
  ['', { value: [] }],
  [' Ann@Example.com, bo@example.com\nann@example.com ', { value: ['ann@example.com', 'bo@example.com'] }],
  ['ann@example.com bo', problem],
  [Array.from({ length: 6 }, (_, nth) => `p${nth}@example.com`).join('\n'), problem],
])('parseAddresses(%j)', (typed, expected) => {
  expect(parseAddresses(typed)).toEqual(expected)
})

test.each([
  ['', [], { value: null }],
  ['+46 (8) 123-45 67', [null, '+4681234568'], { value: '+4681234567' }],
  ['08 123 45 67', [], problem],
  ['+46', [], problem],
  ['+46 8 123 45 67', ['+4681234568', '+4681234567'], problem],
])('parsePhoneNumber(%j, %j)', (typed, others, expected) => {
  expect(parsePhoneNumber(typed, others)).toEqual(expected)
})
